"""Passwords, tokens and keys are in nothing that mxinfer prints, and in no name and no contents of a file that it leaves."""
import base64
import os
import urllib.parse

import pytest

from fault_proxy import Answer, Cut, HalfHeaders
from forward_proxy import ForwardProxy
from nginx import PASSWORD, USER

SECRETS = {
    "password": PASSWORD,
    "wrong password": "wrong/pass+word",
    "bearer": "bearer-s3cr3t-one",
    "token": "t0ken/with+signs=",
    "proxy": "proxy-s3cr3t",
    "access secret": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "session": "session-t0ken-FwoGZXIvYXdzE",
}


def forms_of(secret):
    """As it may stand in an address, and in a header."""
    yield secret
    yield urllib.parse.quote(secret, safe="")
    yield base64.b64encode(f"{USER}:{secret}".encode()).decode()


class Watch:
    """Runs commands, and looks through what they say and leave."""

    def __init__(self, command):
        self.command, self.said = command, []

    def run(self, code, *words, **environment):
        result = self.command.run(*words, **environment)
        assert result.code == code, f"{words}: {result.out}{result.err}"
        self.said.append((words[0], result.out + result.err))
        return result

    def texts(self):
        yield from self.said
        for folder, _, names in os.walk(self.command.folder):
            for name in names:
                path = os.path.join(folder, name)
                yield path, path
                with open(path, "rb") as file:
                    yield path, file.read().decode("latin-1")

    def finds_no_secret(self):
        for where, text in self.texts():
            for kind, secret in SECRETS.items():
                for form in forms_of(secret):
                    assert form not in text, f"the {kind} is in {where}: {text[:2000]}"


@pytest.fixture
def watch(command):
    return Watch(command)


def test_a_secret_is_found_where_one_is(watch):
    watch.run(2, "inspect", "--no-such-option-" + SECRETS["bearer"])
    with pytest.raises(AssertionError, match="the bearer is in inspect"):
        watch.finds_no_secret()


def both(watch, code, *words, **environment):
    """As text and as JSON."""
    return [watch.run(code, *words, *more, **environment) for more in ([], ["--json"])]


def test_in_addresses(watch, nginx, local):
    address = nginx.http("/private/models/digits", f"{USER}:{PASSWORD}")
    both(watch, 0, "inspect", address)
    both(watch, 0, "classify", address, local.images[0])
    both(watch, 0, "verify", nginx.http("/private/models/digits.mxz", f"{USER}:{PASSWORD}"))
    both(watch, 0, "explain", address)
    wrong = urllib.parse.quote(SECRETS["wrong password"], safe="")
    for path in ("/private/models/digits", "/forbidden/models/digits", "/models/none", "/loop/models/digits",
                 "/portal/models/digits", "/to-https/models/digits", "/to-file/models/digits"):
        both(watch, 1, "inspect", nginx.http(path, f"{USER}:{wrong}"))
    both(watch, 1, "inspect", f"http://{USER}:{wrong}@127.0.0.1:1/models/digits")
    watch.finds_no_secret()


def test_in_queries(watch, nginx):
    token = urllib.parse.quote(SECRETS["token"], safe="")
    query = f"?token={token}&X-Amz-Signature={SECRETS['bearer']}"
    both(watch, 0, "inspect", nginx.http(f"/models/digits.mxz{query}"))
    assert any(SECRETS["bearer"] in request.path for request in nginx.requests())
    for path in ("/forbidden/models/digits.mxz", "/models/none.mxz", "/loop/models/digits.mxz", "/portal/models/digits.mxz",
                 "/models/digits", "/private/models/digits.mxz", "/models/digits-0000.params"):
        for result in [watch.command.run("inspect", nginx.http(path + query), *more) for more in ([], ["--json"])]:
            watch.said.append((path, result.out + result.err))
    watch.finds_no_secret()


def test_in_headers(watch, nginx, through, local):
    header = ["--header", f"Authorization: Bearer {SECRETS['bearer']}"]
    both(watch, 0, "inspect", nginx.http("/models/digits"), *header)
    assert any(SECRETS["bearer"] in request.authorization for request in nginx.requests())
    both(watch, 0, "classify", nginx.http("/to-localhost/models/digits"), local.images[0], *header)
    both(watch, 0, "inspect", through(Cut(every=10000)).http("/models/digits"), *header)
    for address in (nginx.http("/private/models/digits"), nginx.http("/forbidden/models/digits"), nginx.http("/loop/models/digits"),
                    through(HalfHeaders()).http("/models/digits"), through(Answer(401, b"no")).http("/models/digits")):
        both(watch, 1, "inspect", address, *header)
    watch.finds_no_secret()


def test_of_proxies(watch, nginx):
    with ForwardProxy(f"{USER}:{SECRETS['proxy']}") as proxy:
        known = proxy.address.replace("//", f"//{USER}:{SECRETS['proxy']}@")
        both(watch, 0, "inspect", nginx.http("/models/digits"), http_proxy=known)
    with ForwardProxy("somebody:else") as proxy:
        wrong = proxy.address.replace("//", f"//{USER}:{SECRETS['proxy']}@")
        both(watch, 1, "inspect", nginx.http("/models/digits"), http_proxy=wrong)
    watch.run(1, "inspect", nginx.http("/models/digits"), http_proxy=f"http://{USER}:{SECRETS['proxy']}@127.0.0.1:1")
    watch.finds_no_secret()


def test_what_a_server_says_of_the_request(watch, through, nginx):
    """Some put what they were sent into the page that refuses it."""
    page = f"<p>the token {SECRETS['token']} of {SECRETS['bearer']} has expired</p>".encode()
    address = through(Answer(403, page)).http(f"/models/digits.mxz?token={urllib.parse.quote(SECRETS['token'], safe='')}")
    watch.run(1, "inspect", address, "--header", f"Authorization: Bearer {SECRETS['bearer']}")
    watch.finds_no_secret()
