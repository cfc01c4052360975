"""Passwords, tokens and keys are in nothing that mxinfer prints, and in no name and no contents of a file that it leaves."""
import urllib.parse

import pytest

from fault_proxy import Answer, Cut, HalfHeaders
from forward_proxy import ForwardProxy
from nginx import PASSWORD, USER
from watch import Watch

SECRETS = {
    "password": PASSWORD,
    "wrong password": "wrong/pass+word",
    "bearer": "bearer-s3cr3t-one",
    "token": "t0ken/with+signs=",
    "proxy": "proxy-s3cr3t",
}


@pytest.fixture
def watch(command):
    return Watch(command, SECRETS)


def test_a_secret_is_found_where_one_is(watch):
    watch.run(2, "inspect", "--no-such-option-" + SECRETS["bearer"])
    with pytest.raises(AssertionError, match="the bearer is in inspect"):
        watch.finds_no_secret()


def test_in_addresses(watch, nginx, local):
    address = nginx.http("/private/models/digits", f"{USER}:{PASSWORD}")
    watch.both(0, "inspect", address)
    watch.both(0, "classify", address, local.images[0])
    watch.both(0, "verify", nginx.http("/private/models/digits.mxz", f"{USER}:{PASSWORD}"))
    watch.both(0, "explain", address)
    wrong = urllib.parse.quote(SECRETS["wrong password"], safe="")
    for path in ("/private/models/digits", "/forbidden/models/digits", "/models/none", "/loop/models/digits",
                 "/portal/models/digits", "/to-https/models/digits", "/to-file/models/digits"):
        watch.both(1, "inspect", nginx.http(path, f"{USER}:{wrong}"))
    watch.both(1, "inspect", f"http://{USER}:{wrong}@127.0.0.1:1/models/digits")
    watch.finds_no_secret()


def test_in_queries(watch, nginx):
    token = urllib.parse.quote(SECRETS["token"], safe="")
    query = f"?token={token}&X-Amz-Signature={SECRETS['bearer']}"
    watch.both(0, "inspect", nginx.http(f"/models/digits.mxz{query}"))
    assert any(SECRETS["bearer"] in request.path for request in nginx.requests())
    for path in ("/forbidden/models/digits.mxz", "/models/none.mxz", "/loop/models/digits.mxz", "/portal/models/digits.mxz",
                 "/models/digits", "/private/models/digits.mxz", "/models/digits-0000.params"):
        watch.both(None, "inspect", nginx.http(path + query))
    watch.finds_no_secret()


def test_in_headers(watch, nginx, through, local):
    header = ["--header", f"Authorization: Bearer {SECRETS['bearer']}"]
    watch.both(0, "inspect", nginx.http("/models/digits"), *header)
    assert any(SECRETS["bearer"] in request.authorization for request in nginx.requests())
    watch.both(0, "classify", nginx.http("/to-localhost/models/digits"), local.images[0], *header)
    watch.both(0, "inspect", through(Cut(every=10000)).http("/models/digits"), *header)
    for address in (nginx.http("/private/models/digits"), nginx.http("/forbidden/models/digits"), nginx.http("/loop/models/digits"),
                    through(HalfHeaders()).http("/models/digits"), through(Answer(401, b"no")).http("/models/digits")):
        watch.both(1, "inspect", address, *header)
    watch.finds_no_secret()


def test_of_proxies(watch, nginx):
    with ForwardProxy(f"{USER}:{SECRETS['proxy']}") as proxy:
        known = proxy.address.replace("//", f"//{USER}:{SECRETS['proxy']}@")
        watch.both(0, "inspect", nginx.http("/models/digits"), http_proxy=known)
    with ForwardProxy("somebody:else") as proxy:
        wrong = proxy.address.replace("//", f"//{USER}:{SECRETS['proxy']}@")
        watch.both(1, "inspect", nginx.http("/models/digits"), http_proxy=wrong)
    watch.run(1, "inspect", nginx.http("/models/digits"), http_proxy=f"http://{USER}:{SECRETS['proxy']}@127.0.0.1:1")
    watch.finds_no_secret()


def test_what_a_server_says_of_the_request(watch, through, nginx):
    """Some put what they were sent into the page that refuses it."""
    page = f"<p>the token {SECRETS['token']} of {SECRETS['bearer']} has expired</p>".encode()
    address = through(Answer(403, page)).http(f"/models/digits.mxz?token={urllib.parse.quote(SECRETS['token'], safe='')}")
    watch.run(1, "inspect", address, "--header", f"Authorization: Bearer {SECRETS['bearer']}")
    watch.finds_no_secret()
