"""mxinfer's remote sources against real servers: nginx, moto's S3, and what breaks the way between.

    tests/remote/run.sh BUILD_FOLDER http_test.py [ARGUMENTS OF PYTEST...]
"""
import collections
import os
import pathlib

import pytest

from command import Command
from fault_proxy import FaultProxy
from models import make_models, write_inputs
from nginx import Nginx
from processes import HOST

SOURCES = pathlib.Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--mxinfer", required=True, help="the command that is tested")
    parser.addoption("--nginx", required=True, help="the program nginx")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Where all tests were skipped ctest is told so, as by run.sh."""
    stats = session.config.pluginmanager.get_plugin("terminalreporter").stats
    if set(stats) & {"passed", "failed", "error", "skipped"} == {"skipped"}:
        session.exitstatus = 77


@pytest.fixture(scope="session", autouse=True)
def plain_environment():
    """The tests' own requests go to the loopback: not by a proxy, and not with anybody's credentials."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("AWS_", "SSL_CERT_")):
            del os.environ[name]


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """The folder that is served: models/ and images/."""
    folder = tmp_path_factory.mktemp("served") / "files"
    make_models(SOURCES, folder)
    return folder


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="session")
def running_nginx(request, files, tmp_path_factory):
    with Nginx(request.config.getoption("--nginx"), tmp_path_factory.mktemp("nginx"), files) as server:
        yield server


@pytest.fixture
def nginx(running_nginx):
    running_nginx.forget_requests()
    return running_nginx


@pytest.fixture
def new_command(request, inputs, tmp_path):
    """Makes a command with a folder of its own."""
    numbers = iter(range(1000))

    def make():
        return Command(request.config.getoption("--mxinfer"), tmp_path / f"user{next(numbers)}", inputs)

    return make


@pytest.fixture
def command(new_command):
    return new_command()


@pytest.fixture
def served(files):
    """Everything that a copy may be of."""
    return [path for path in files.rglob("*") if path.is_file()]


@pytest.fixture(scope="session")
def local(request, files, inputs, tmp_path_factory):
    """What mxinfer says of the files themselves: outputs of predict, lines of verify, inspect and classify."""
    command = Command(request.config.getoption("--mxinfer"), tmp_path_factory.mktemp("local") / "user", inputs)
    models, images = files / "models", sorted(map(str, (files / "images").iterdir()))
    answers = collections.namedtuple("Answers", "digits large verify inspect classes images")
    return answers(
        digits=command.predict(models / "digits"), large=command.predict(models / "large"),
        verify=command.json("verify", models / "digits.mxz"),
        inspect=lambda name: command.json("inspect", models / name),
        classes=command.json("classify", models / "digits", *images), images=images)


@pytest.fixture
def through(nginx):
    """nginx behind a proxy that does one thing wrong: with through(Fault()) as proxy: proxy.http("/models/digits")."""
    opened = []

    def make(fault, port=None):
        opened.append(FaultProxy((HOST, port or nginx.port), fault))
        return opened[-1]

    yield make
    for proxy in opened:
        proxy.stop()
