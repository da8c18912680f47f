"""Rooms: one match each with its seats, the commands that change it, and those who follow it live."""
