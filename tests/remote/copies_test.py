"""The folder of copies: many commands at once, commands that are killed, copies that were damaged."""
import json
import os
import signal

import pytest

from fault_proxy import Cut
from processes import wait_until


def whole_fetches(nginx, name):
    """How often the file was fetched from its beginning, rather than asked about."""
    return sum(request.range.startswith("bytes=0-") and request.status in ("200", "206") for request in nginx.requests(name))


def test_eight_commands_at_once(command, nginx, local, served):
    started = []
    for name in ["digits", "large"] * 4:
        file, words = command.predict_words(nginx.http(f"/models/{name}"))
        started.append((name, file, command.start(*words)))
    for name, file, process in started:
        result = command.finish(process)
        assert (result.code, result.err) == (0, ""), name
        assert command.arrays(file) == getattr(local, name)
    for name in ("digits-symbol.json", "digits-0000.params", "synset.txt", "large-symbol.json", "large-0000.params"):
        assert whole_fetches(nginx, name) == 1, name
    command.check_copies(served)


def test_eight_commands_at_once_and_a_server_that_fails(command, through, local, served):
    proxy = through(Cut(every=65536))
    started = []
    for _ in range(8):
        file, words = command.predict_words(proxy.http("/models/digits"))
        started.append((file, command.start(*words)))
    for file, process in started:
        assert command.finish(process).code == 0
        assert command.arrays(file) == local.digits
    command.check_copies(served)


def has_begun(command):
    """Whether bytes of a large file have come: not only the space for them is there."""
    for path in command.copies.glob("fetching-*"):
        with open(path, "rb") as file:
            file.seek(4096)
            if file.read(4096).strip(b"\0"):
                return True
    return False


def start_large(command, nginx):
    """The command in the middle of its work."""
    process = command.start(*command.predict_words(nginx.http("/slow/models/large"))[1])
    wait_until(lambda: has_begun(command), "the beginning of a transfer")
    return process


def make_old(paths):
    for path in paths:
        if path.exists():
            os.utime(path, (1, 1))


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_killed_is_no_hindrance_to_the_next(command, nginx, local, served, ending):
    process = start_large(command, nginx)
    process.send_signal(ending)
    assert command.finish(process).code == -ending
    left = list(command.copies.glob("fetching-*"))
    # What it had begun is taken for nothing, and goes when it is old.
    make_old(left)
    assert command.predict(nginx.http("/slow/models/large")) == local.large
    assert not any(path.exists() for path in left)
    command.check_copies(served)


def test_a_waiting_command_goes_on_when_the_one_that_fetches_is_killed(command, nginx, local, served):
    first = start_large(command, nginx)
    left = list(command.copies.glob("fetching-*"))
    file, words = command.predict_words(nginx.http("/slow/models/large"))
    second = command.start(*words)
    first.kill()
    command.finish(first)
    make_old(left)
    assert command.finish(second).code == 0
    assert command.arrays(file) == local.large
    command.check_copies(served)


def test_what_is_broken_off_on_purpose_leaves_nothing(command, nginx, served, local):
    """inspect needs the beginning of a large file, and ends."""
    command.json("inspect", nginx.http("/slow/models/large"))
    command.check_copies(served)
    assert command.predict(nginx.http("/slow/models/large")) == local.large


def damage(command, how):
    for note in command.copies.glob("*.json"):
        text = json.loads(note.read_text())
        data = command.copies / text["file"]
        if how == "cut":
            data.write_bytes(data.read_bytes()[:100])
        elif how == "gone":
            data.unlink()
        elif how == "note":
            note.write_text("{")
        elif how == "outside":
            note.write_text(json.dumps({**text, "file": "../" + data.name}))


@pytest.mark.parametrize("how", ["cut", "gone", "note", "outside"])
def test_copies_that_are_damaged_are_fetched_again(command, nginx, local, how):
    command.predict(nginx.http("/models/digits"))
    damage(command, how)
    nginx.forget_requests()
    assert command.predict(nginx.http("/models/digits")) == local.digits
    assert whole_fetches(nginx, "digits-0000.params") == 1


def test_the_folder_is_the_users_alone(command, nginx):
    command.predict(nginx.http("/models/digits"))
    assert command.copies.stat().st_mode & 0o77 == 0


def test_without_a_folder_of_its_own_it_is_in_the_home(command, nginx, local):
    assert command.predict(nginx.http("/models/digits"), MXINFER_CACHE_DIR=None) == local.digits
    assert list((command.home / ".cache" / "mxinfer").glob("*.data"))
    base = command.folder / "base"
    assert command.predict(nginx.http("/models/digits"), MXINFER_CACHE_DIR=None, XDG_CACHE_HOME=str(base)) == local.digits
    assert list((base / "mxinfer").glob("*.data"))
