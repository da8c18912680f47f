"""Brains for the tests, one correct and many faulty: ``python tests/players/brains.py HOW [FILE]``.

Every brain takes the first free cell of the board. HOW says what else it does. With FILE it
leaves the number of its process there, and what the manager says.
"""

import os
import signal
import subprocess
import sys
import time


def say(text, end="\n"):
    sys.stdout.write(text + end)
    sys.stdout.flush()


def forever():
    while True:
        time.sleep(60)


class Brain:
    def __init__(self, how):
        self.how = how
        self.width = self.height = 0
        self.taken = set()
        self.moves = 0

    def obey(self, line):
        word, _, rest = line.strip().partition(" ")
        if word in ("START", "RECTSTART"):
            self.start(*map(int, rest.split(",")))
        elif word == "RESTART":
            self.taken.clear()
            say("UNKNOWN no" if self.how == "stubborn" else "OK")
        elif word == "BEGIN":
            self.move()
        elif word == "TURN":
            self.taken.add(tuple(map(int, rest.split(","))))
            self.move()
        elif word == "BOARD":
            self.taken.clear()
            while (stone := sys.stdin.readline().strip()) != "DONE":
                note(stone)
                self.taken.add(tuple(map(int, stone.split(",")[:2])))
            self.move()
        elif word == "PLAY":
            say(rest)
        elif word == "END":
            if self.how == "deaf":
                forever()
            sys.exit(0)

    def start(self, width, height=None):
        if self.how == "hangs at the start":
            forever()
        if self.how == "crashes at the start":
            sys.exit("no licence found")
        if self.how == "refuses":
            return say("ERROR only 19 by 19")
        self.width, self.height = width, height or width
        return say("ok")

    def move(self):
        self.moves += 1
        free = [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in self.taken]
        self.taken.add(free[0])
        answer = f"{free[0][0]},{free[0][1]}"
        if self.moves >= 2:
            answer = self.misbehave(answer)
        if self.how == "is slow":
            time.sleep(0.02)
        if self.how == "suggests":
            return say(f"SUGGEST {answer}")
        if self.how == "talks":
            sys.stdout.write(f"DEBUG depth 3\r\r\n\nMESSAGE I \x1b[31mlike\x07 {answer} \u2764\r")
            sys.stderr.write("x" * 1_000_000)
        return say(answer, end="\r" if self.how == "talks" else "\n")

    def misbehave(self, answer):
        """The fault on the second move."""
        match self.how:
            case "hangs":
                forever()
            case "crashes":
                sys.stderr.write("Traceback\n  and so on\nZeroDivisionError: division by zero\n\n")
                sys.exit(3)
            case "is killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "closes its output":
                os.close(1)
                forever()
            case "garbage":
                return "I resign, \x1b[31mwell played"
            case "binary":
                sys.stdout.buffer.write(b"\xff\xfe7,\x007\n")
                sys.stdout.flush()
                forever()
            case "no answer but an error":
                return "ERROR not today"
            case "occupied":
                return f"{min(self.taken)[0]},{min(self.taken)[1]}"
            case "outside":
                return f"{self.width},0"
            case "far outside":
                return "-1,-1"
            case "talks for ever":
                while True:
                    say("MESSAGE still thinking")
            case "never ends its line":
                while True:
                    say("MESSAGE " + 100_000 * "x", end="")
        return answer


def note(text):
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a", encoding="ascii") as file:
            file.write(text + "\n")


def main():
    brain = Brain(sys.argv[1])
    if brain.how == "leaves a child":
        child = subprocess.Popen(["sleep", "600"])
        note(str(child.pid))
    note(str(os.getpid()))
    if brain.how == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while line := sys.stdin.readline():
        note(line.strip())
        brain.obey(line)
    if brain.how == "deaf":
        forever()


if __name__ == "__main__":
    main()
