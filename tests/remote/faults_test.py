"""What goes wrong on the way between a server and mxinfer: the right model comes of it, or one error that says what it was;
within a bounded time, and without a trace in the folder of copies."""
import hashlib
import os
import random
import shutil

import pytest

from command import Command
from fault_proxy import (Answer, AnswerOfWrongRange, Change, Chunked, Cut, FaultProxy, FlipByte, HalfHeaders, IgnoreRange, Stall,
                         WrongLength)
from processes import HOST

PAGE = b"<html><body>Service is having a rest</body></html>"


def sha256_of(*paths):
    return ",".join(hashlib.sha256(path.read_bytes()).hexdigest() for path in paths)


@pytest.mark.parametrize("name", ["digits", "large"])
def test_connections_that_end_every_64_kib(command, through, local, served, name):
    fault = Cut(every=65536)
    assert command.predict(through(fault).http(f"/models/{name}")) == getattr(local, name)
    assert fault.struck > 1
    command.check_copies(served)


def test_connections_that_end_and_a_server_without_ranges(command, through, served):
    fault = Cut(every=65536)
    message = command.fails(*command.predict_words(through(fault).http("/no-ranges/models/large"))[1],
                            ["large-0000.params", "5 times"])
    assert fault.struck >= 5, message
    command.check_copies(served)


def test_a_server_that_comes_back(command, through, local, served):
    """What one command could not fetch is no hindrance to the next."""
    fault = Cut(every=65536)
    proxy = through(fault)
    command.fails(*command.predict_words(proxy.http("/no-ranges/models/large"))[1], ["large-0000.params"])
    fault.every = 1 << 30
    assert command.predict(proxy.http("/no-ranges/models/large")) == local.large
    command.check_copies(served)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_server_that_is_busy_is_asked_again(command, through, local, served, status):
    fault = Answer(status, PAGE, times=2)
    assert command.predict(through(fault).http("/models/digits")) == local.digits
    assert fault.struck == 2
    command.check_copies(served)


def test_a_server_that_says_when_to_come_back(command, through, local, served):
    fault = Answer(503, PAGE, [("Retry-After", "1")], times=2)
    assert command.predict(through(fault).http("/models/digits")) == local.digits
    command.check_copies(served)


def test_a_server_that_stays_busy(command, through, served):
    for status in (429, 503):
        fault = Answer(status, PAGE, where="digits-symbol.json")
        command.fails("inspect", through(fault).http("/models/digits"), [str(status), "a rest", "5 times", "again later"])
        assert fault.struck == 5
    command.check_copies(served)


def test_a_server_that_gets_busy_between_parts(command, through, local, served):
    fault = Answer(503, PAGE, where="large-0000.params", times=3)
    fault.strikes = skip_first(fault.strikes)
    assert command.predict(through(fault).http("/models/large")) == local.large
    assert fault.struck == 3
    command.check_copies(served)


def skip_first(strikes):
    """The first of the requests that would be struck is not."""
    seen = []

    def strikes_later(request):
        seen.append(request.target)
        return seen.count(request.target) > 1 and strikes(request)

    return strikes_later


def test_a_refusal_between_parts(command, through, served):
    fault = Answer(403, PAGE, where="large-0000.params")
    fault.strikes = skip_first(fault.strikes)
    command.fails(*command.predict_words(through(fault).http("/models/large"))[1], ["403", "large-0000.params", "credentials"])
    command.check_copies(served)


@pytest.mark.parametrize("way", ["", "/no-ranges"])
@pytest.mark.parametrize("name", ["digits", "large"])
def test_half_of_the_headers(command, through, local, served, way, name):
    fault = HalfHeaders(times=3)
    assert command.predict(through(fault).http(f"{way}/models/{name}")) == getattr(local, name)
    assert fault.struck == 3
    command.check_copies(served)


@pytest.mark.parametrize("way", ["", "/no-ranges"])
def test_half_of_the_headers_always(command, through, served, way):
    fault = HalfHeaders(where="digits-symbol.json")
    command.fails("inspect", through(fault).http(f"{way}/models/digits"), ["digits-symbol.json", "5 times"])
    assert fault.struck == 5
    command.check_copies(served)


def test_half_of_the_headers_of_the_labels(command, through, local, served):
    """A model without labels is one too, which nobody would notice."""
    fault = HalfHeaders(where="synset.txt", times=1)
    address = through(fault).http("/no-ranges/models/digits")
    for _ in range(2):
        assert command.json("classify", address, *local.images) == local.classes
    assert fault.struck == 1
    command.check_copies(served)


@pytest.mark.parametrize("way", ["", "/no-ranges"])
@pytest.mark.parametrize("name", ["digits", "large"])
def test_less_than_the_server_said(command, through, local, served, way, name):
    fault = WrongLength(by=1000, times=3, where=f"{name}-0000.params" if name == "large" else "")
    _, words = command.predict_words(through(fault).http(f"{way}/models/{name}"))
    result = command.run(*words)
    # Of a file that is read while it comes the size may not change any more.
    if result.code == 0:
        assert command.arrays(words[5]) == getattr(local, name)
        assert fault.struck == 3
    else:
        assert (way, name) == ("/no-ranges", "large")
        command.check_message(result, ["large-0000.params", "changed"])
    command.check_copies(served)


def test_always_less_than_the_server_said(command, through):
    command.fails("inspect", through(WrongLength(by=1000)).http("/no-ranges/models/digits"), ["digits-symbol.json", "5 times"])
    command.check_copies([])


def test_more_than_the_server_said(command, through, local, served):
    """Of a range; what is behind the announced bytes is no answer to the next request."""
    fault = WrongLength(by=-1000, where="large-0000.params", times=3)
    _, words = command.predict_words(through(fault).http("/models/large"))
    result = command.run(*words)
    if result.code == 0:
        assert command.arrays(words[5]) == local.large
    else:
        command.check_message(result, ["large-0000.params"])
    assert fault.struck >= 1
    command.check_copies(served)


@pytest.mark.parametrize("name", ["digits", "large"])
def test_a_server_that_ignores_ranges(command, through, local, served, name):
    fault = IgnoreRange()
    assert command.predict(through(fault).http(f"/models/{name}")) == getattr(local, name)
    assert fault.struck > 1
    command.check_copies(served)


def test_a_server_that_ignores_ranges_now_and_then(command, through, local, served):
    """As one of several behind one name may."""
    fault = IgnoreRange(where="large-0000.params", times=2)
    fault.strikes = skip_first(fault.strikes)
    words = command.predict_words(through(fault).http("/models/large"))[1]
    result = command.run(*words)
    if result.code == 0:
        assert command.arrays(words[5]) == local.large
    else:
        command.check_message(result, ["large-0000.params", "changed"])
    assert fault.struck >= 1
    command.check_copies(served)


@pytest.mark.parametrize("cut", [0, 2])
@pytest.mark.parametrize("name", ["digits", "large"])
def test_a_server_that_does_not_say_how_long_files_are(command, through, local, served, name, cut):
    fault = Chunked(cut)
    assert command.predict(through(fault).http(f"/models/{name}")) == getattr(local, name)
    assert fault.struck > 1 and fault.cuts.struck == cut
    command.check_copies(served)


def test_files_that_are_stored_packed(command, through, local, served):
    """A connection that ends in the middle, and a byte that the checksum of gzip shows to be wrong."""
    fault = Cut(every=1 << 20)
    assert command.predict(through(fault).http("/stored-gzip/models/large")) == local.large
    assert fault.struck > 1
    address = through(FlipByte(100_000, where="digits-0000.params", times=1)).http("/stored-gzip/models/digits")
    command.fails(*command.predict_words(address)[1], ["digits-0000.params", "gzip"])
    assert command.predict(address) == local.digits
    command.check_copies(served)


def test_answers_that_make_no_sense(command, through):
    packed = Answer(200, PAGE, [("Content-Encoding", "br")])
    command.fails("inspect", through(packed).http("/models/digits"), ["digits-symbol.json", "'br'"])
    command.fails("inspect", through(Answer(304)).http("/models/digits"), ["digits-symbol.json", "304"])
    command.fails("inspect", through(Answer(302)).http("/models/digits"), ["digits-symbol.json", "not an address"])
    command.fails("inspect", through(Answer(418, PAGE)).http("/models/digits"), ["digits-symbol.json", "418"])
    command.check_copies([])


def test_ranges_that_are_others(command, through, served):
    fault = AnswerOfWrongRange(where="large-0000.params")
    command.fails(*command.predict_words(through(fault).http("/models/large"))[1], ["large-0000.params", "bytes from"])
    command.check_copies(served)


def test_flipped_bytes_are_found_by_their_checksum(command, through, files, local, served):
    """The next command, by a way that flips nothing, is not told the wrong bytes that the first one fetched."""
    symbol, params = files / "models/large-symbol.json", files / "models/large-0000.params"
    labels = files / "models/synset.txt"
    offset = random.Random(3).randrange(1 << 20, params.stat().st_size)
    fault = FlipByte(offset, where="large-0000.params", times=1)
    address = through(fault).http(f"/models/large#sha256={sha256_of(symbol, params, labels)}")
    command.fails(*command.predict_words(address)[1], ["large-0000.params", "SHA-256", sha256_of(params)])
    assert fault.struck == 1
    command.check_copies(served)
    assert command.predict(address) == local.large
    command.check_copies(served)


def test_flipped_bytes_of_an_archive(command, through, files, local, served):
    fault = FlipByte(20000, times=1)
    archive = files / "models/digits.mxz"
    address = through(fault).http(f"/models/digits.mxz#sha256={sha256_of(archive)}")
    command.fails("verify", address, ["digits.mxz", "SHA-256"])
    assert fault.struck == 1
    assert command.json("verify", address) == local.verify
    command.check_copies(served)


def test_a_page_in_the_place_of_a_file(command, through, local, served):
    """A captive portal, until somebody signs in."""
    fault = Answer(200, PAGE, times=1)
    proxy = through(fault)
    command.fails("inspect", proxy.http("/models/digits"), ["/models/", "a web page"])
    assert command.predict(proxy.http("/models/digits")) == local.digits
    command.check_copies(served)


@pytest.fixture
def changing(files, tmp_path):
    """The large model under another name, to be replaced by another of its size."""
    for ending in ("-symbol.json", "-0000.params"):
        shutil.copyfile(files / f"models/large{ending}", files / f"models/changing-large{ending}")
    params = files / "models/changing-large-0000.params"
    other = bytearray(params.read_bytes())
    for at in range(1 << 20, len(other), 1 << 20):  # in every part
        other[at] ^= 1
    (tmp_path / "other.params").write_bytes(other)

    def change():
        shutil.copyfile(tmp_path / "other.params", tmp_path / "next.params")
        os.utime(tmp_path / "next.params", (1, change.count + 1))
        os.replace(tmp_path / "next.params", params)
        change.count += 1

    change.count = 0
    yield change, bytes(other)
    for ending in ("-symbol.json", "-0000.params"):
        os.remove(files / f"models/changing-large{ending}")


@pytest.mark.parametrize("times", [1, None])
def test_a_file_that_is_another_by_the_next_part(command, new_command, through, changing, nginx, served, times):
    change, other = changing
    fault = Change(change, where="changing-large-0000.params", times=times)
    _, words = command.predict_words(through(fault).http("/models/changing-large"))
    result = command.run(*words)
    assert change.count >= 1
    if result.code == 0:
        # Never a mixture of both.
        assert command.arrays(words[5]) == new_command().predict(nginx.http("/models/changing-large"))
    else:
        command.check_message(result, ["changing-large-0000.params", "changed while it was fetched"])
    command.check_copies([*served, other])


@pytest.fixture(scope="module")
def patience(request, files, inputs, running_nginx, tmp_path_factory):
    """A command that meets a server which says nothing more, for as long as such a server is waited for. It runs beside the
    other tests of this file."""
    proxy = FaultProxy((HOST, running_nginx.port), Stall(after=1000, where="digits-0000.params", times=1))
    command = Command(request.config.getoption("--mxinfer"), tmp_path_factory.mktemp("patience") / "user", inputs)
    file, words = command.predict_words(proxy.http("/models/digits"))
    process = command.start(*words)
    yield command, file, process, proxy
    if process.poll() is None:
        process.kill()
    process.wait()
    proxy.stop()


# It is begun with the first test.
pytestmark = pytest.mark.usefixtures("patience")


def test_a_server_that_says_nothing_more_is_given_up(patience, local, served):
    command, file, process, proxy = patience
    result = command.finish(process)
    assert result.code == 0, result.err
    assert command.arrays(file) == local.digits
    assert proxy.fault.struck == 1
    assert sum("digits-0000.params" in request.target for request in proxy.requests) == 2
    command.check_copies(served)
