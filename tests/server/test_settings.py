"""Settings: from flags, the environment and the defaults; what is wrong with one is said in one line."""

import os
import subprocess
import sys

import pytest

from noughts.cli import main, serve, worker
from noughts.server.errors import InvalidSetting
from noughts.server.settings import Settings


@pytest.mark.parametrize(
    ("flags", "environment", "message"),
    [
        ({"port": 70000}, {}, "must be at most 65535"),
        ({"workers": 0}, {}, "must be at least 1"),
        ({"log": "loud"}, {}, "must be debug"),
        ({"bus": "http://x"}, {}, "must begin with nats://"),
        ({"database": "mysql://x"}, {}, "must be a file"),
        ({"database": ":memory:"}, {}, "--database :memory:: games are kept in a file"),
        ({"database": "sqlite:///:memory:"}, {}, "games are kept in a file"),
        ({"database": "sqlite:///"}, {}, "games are kept in a file"),
        ({"origins": "https://a.example, *"}, {}, "must be like https://play.example"),
        ({"origins": "https://a.example/"}, {}, "without a path"),
        ({}, {"NOUGHTS_PORT": "many"}, "NOUGHTS_PORT=many: must be a whole number"),
        ({}, {"NOUGHTS_RATE": "fast"}, "NOUGHTS_RATE=fast: must be a number"),
        ({}, {"NOUGHTS_SECURE_COOKIES": "maybe"}, "must be yes or no"),
    ],
)
def test_bad_settings_say_what_is_wrong(monkeypatch, flags, environment, message):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(InvalidSetting, match=message):
        Settings.read(flags)


def test_flags_come_before_the_environment_and_that_before_the_defaults(monkeypatch):
    for name, value in {"NOUGHTS_PORT": "2", "NOUGHTS_BURST": "3", "NOUGHTS_SECURE_COOKIES": "yes"}.items():
        monkeypatch.setenv(name, value)
    settings = Settings.read({"port": 1})
    assert (settings.port, settings.burst, settings.secure_cookies, settings.workers) == (1, 3, True, 1)
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    assert Settings.read({}) == settings


def test_without_the_extra_the_commands_say_what_to_install(capsys, monkeypatch):
    for module in (serve, worker):
        monkeypatch.setattr(module, "missing_library", lambda: "fastapi")
    for command in (["serve"], ["serve", "--port", "0", "--openapi"], ["worker", "--bus", "nats://x"]):
        assert main(command) == 2
        assert "fastapi is missing; install the server with: pip install 'noughts[server]'" in capsys.readouterr().err


def test_the_default_database_is_in_the_users_data_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Settings().database == str(tmp_path / "noughts" / "games.db")


def test_help_explains_every_setting(capsys):
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    text = capsys.readouterr().out
    for name in Settings.flags():
        assert f"{Settings.flag(name)} " in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve", "--database", "postgresql://nobody@127.0.0.1:1/none"], "noughts: PostgreSQL: "),
        (["serve", "--database", "/proc/none/games.db"], "noughts: "),
        (["serve", "--log", "loud"], "noughts: --log loud: must be"),
        (["worker"], "noughts: --bus (missing): must begin with nats://"),
        (["worker", "--bus", "nats://x", "--threads", "-1"], "noughts: --threads -1: must be at least 1"),
    ],
)
def test_what_keeps_a_server_from_starting_is_said_in_one_line(capsys, arguments, message):
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert message in err.splitlines()[-1]
    assert "Traceback" not in err


def test_playing_imports_no_web_framework():
    code = (
        "import sys, noughts, noughts.cli; noughts.cli.parser();"
        "print([name for name in ('fastapi', 'starlette', 'uvicorn', 'apsw', 'nats') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"
