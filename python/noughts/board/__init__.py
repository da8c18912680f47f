"""The board: a grid of cells and their names, text forms, drawings, and how a row is noticed."""
