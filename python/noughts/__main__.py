"""Lets ``python -m noughts`` run the command."""

from noughts.cli import main

raise SystemExit(main())
