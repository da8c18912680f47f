"""The brain: noughts as a program that any Gomocup manager can run, over standard input and output."""
