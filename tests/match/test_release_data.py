"""Records of earlier releases replay to the same match."""

import io
import json

import pytest

from noughts.match import dump, load, read
from tests.fixtures import RELEASES, assert_still_says, read_lines

RECORDS = [
    pytest.param(release / "records" / line["file"], line, id=f"{release.name}-{line['file']}")
    for release in RELEASES
    for line in read_lines(release / "replayed.jsonl")
]


@pytest.mark.parametrize(("file", "then"), RECORDS)
def test_a_record_replays_as_it_did(noughts, file, then):
    code, out, _ = noughts("replay", "--json", str(file))
    assert code == 0
    assert_still_says({"file": file.name, **json.loads(out)}, then)
    record = load(file)
    assert record.state.status == then["status"]
    # Written and read again, it gives the same state.
    assert read(dump(record.actions)).state == record.state


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_a_record_is_played_on(noughts, release, monkeypatch, tmp_path):
    typed = f"a1\nsave {tmp_path / 'on.jsonl'}\nquit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    file = release / "records" / "not-begun.jsonl"
    code, _, _ = noughts("play", "--load", str(file), "--plain", "--o", "human", "--x", "human")
    assert code == 0
    assert [ply.player for ply in load(tmp_path / "on.jsonl").state.history] == ["X"]
