"""The lab: arenas and ratings."""
