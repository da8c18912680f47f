"""The files in deploy/, each read by the program that will use it, as far as that installs here."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nats
import nats.errors
import pytest
import yaml

from noughts.server.ai.remote import TASKS_SUBJECT
from noughts.server.bus.nats import GAMES_SUBJECT
from noughts.server.settings import Settings, WorkerSettings
from tests.server.servers import free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
BIN = Path(sys.executable).parent
SECRET = "12345"  # digits alone must work too


def compose() -> dict:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_compose_file_fits_its_schema():
    done = subprocess.run(
        [BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_container_has_a_limit_of_memory_and_comes_back():
    for name, service in compose()["services"].items():
        assert service["mem_limit"], name
        assert service["restart"] == "unless-stopped", name


def test_files_that_containers_mount_are_there():
    mounted = [volume for service in compose()["services"].values() for volume in service.get("volumes", ())]
    files = [source for source, *_ in (volume.split(":") for volume in mounted) if source.startswith("./")]
    assert sorted(files) == ["./nats.conf", "./nginx.conf"]
    assert all((DEPLOY / file).is_file() for file in files)
    named = {source for source, *_ in (volume.split(":") for volume in mounted) if not source.startswith("./")}
    assert named == set(compose()["volumes"])


@pytest.mark.parametrize("name", ["server", "worker"])
def test_settings_in_the_compose_file_are_settings(name, monkeypatch):
    service = compose()["services"][name]
    given = {key: re.sub(r"\$\{\w+:\?[^}]*\}", SECRET, value) for key, value in service["environment"].items()}
    for key, value in given.items():
        monkeypatch.setenv(key, value)
        assert key.removeprefix("NOUGHTS_").lower() in Settings.flags()
    settings = (Settings if name == "server" else WorkerSettings).read({})
    assert settings.bus == f"nats://noughts:{SECRET}@bus:4222"
    assert service["command"][0] == {"server": "serve", "worker": "worker"}[name]


def test_systemd_accepts_the_unit(tmp_path):
    analyse = shutil.which("systemd-analyze")
    assert analyse, "install systemd to check deploy/noughts.service"
    unit = (DEPLOY / "noughts.service").read_text(encoding="utf-8")
    # The program and the user exist on the machine that serves, not on this one.
    unit = unit.replace("/opt/noughts/bin/noughts", sys.executable).replace("User=noughts", "User=root")
    file = tmp_path / "noughts.service"
    file.write_text(unit, encoding="utf-8")
    environment = {**os.environ, "SYSTEMD_LOG_LEVEL": "info"}
    done = subprocess.run([analyse, "verify", "--man=no", file], capture_output=True, text=True, env=environment)
    complaints = [line for line in (done.stdout + done.stderr).splitlines() if "noughts.service" in line]
    assert (done.returncode, complaints) == (0, [])


async def connected(port: int, login: str) -> bool:
    """Whether somebody may connect; whoever may has the subjects of noughts and no others."""

    async def ignored(error: Exception) -> None:
        """The client reports what the server refuses."""

    client = nats.NATS()
    try:
        try:
            await client.connect(f"nats://{login}127.0.0.1:{port}", allow_reconnect=False, error_cb=ignored)
        except nats.errors.Error:
            return False
        elsewhere = await client.subscribe("elsewhere")
        for subject in (GAMES_SUBJECT, TASKS_SUBJECT):
            got = await client.subscribe(subject)
            await client.publish("elsewhere", b"news")
            await client.publish(subject, b"news")
            assert (await got.next_msg(timeout=60)).data == b"news"
        # Messages arrive in order, so anything on it would be here by now.
        assert elsewhere.pending_msgs == 0
    finally:
        await client.close()
    return True


def test_bus_lets_in_only_who_has_the_password(tmp_path):
    server, port = BIN / "nats-server", free_port()
    config = tmp_path / "nats.conf"
    config.write_text((DEPLOY / "nats.conf").read_text(encoding="utf-8").replace("4222", str(port)), encoding="utf-8")
    given = compose()["services"]["bus"]["environment"]["NATS_PASSWORD"]
    environment = {**os.environ, "NATS_PASSWORD": re.sub(r"\$\{[^}]*\}", SECRET, given)}
    checked = subprocess.run([server, "-t", "-c", config], capture_output=True, text=True, env=environment)
    assert checked.returncode == 0, checked.stderr
    running = subprocess.Popen(
        [server, "-a", "127.0.0.1", "-c", config], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        for line in running.stderr:
            if "Server is ready" in line:
                break
        assert asyncio.run(connected(port, f"noughts:{SECRET}@"))
        assert not asyncio.run(connected(port, "noughts:wrong@"))
        assert not asyncio.run(connected(port, ""))
    finally:
        running.terminate()
        running.wait()
        running.stderr.close()
