"""Proxies as curl's users name them in the environment."""
import pytest

from forward_proxy import ForwardProxy


def tls(nginx):
    return {"SSL_CERT_FILE": str(nginx.certificates.authority)}


@pytest.fixture
def proxy():
    with ForwardProxy() as running:
        yield running


@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy", "ALL_PROXY"])
def test_http_goes_by_the_proxy(command, nginx, local, served, proxy, variable):
    assert command.predict(nginx.http("/models/digits"), **{variable: proxy.address}) == local.digits
    assert f"GET {nginx.http('/models/digits-0000.params')} HTTP/1.1" in proxy.requests
    assert len(proxy.requests) == len(nginx.requests())
    command.check_copies(served)


def test_large_files_by_the_proxy(command, nginx, local, proxy):
    assert command.predict(nginx.http("/models/large"), http_proxy=proxy.address) == local.large
    assert len(proxy.requests) == len(nginx.requests())


@pytest.mark.parametrize("variable", ["https_proxy", "HTTPS_PROXY"])
def test_https_goes_through_the_proxy(command, nginx, local, proxy, variable):
    environment = {variable: proxy.address, **tls(nginx)}
    assert command.predict(nginx.https("/models/digits"), **environment) == local.digits
    assert set(proxy.requests) == {f"CONNECT 127.0.0.1:{nginx.secure_port} HTTP/1.1"}


@pytest.mark.parametrize("exceptions", ["127.0.0.1", "example.org,127.0.0.1", "*"])
def test_hosts_that_need_no_proxy(command, nginx, local, proxy, exceptions):
    environment = {"http_proxy": proxy.address, "https_proxy": proxy.address, "no_proxy": exceptions, **tls(nginx)}
    assert command.predict(nginx.http("/models/digits"), **environment) == local.digits
    assert command.predict(nginx.https("/models/digits"), **environment) == local.digits
    assert proxy.requests == []


def test_other_hosts_need_it_still(command, nginx, local, proxy):
    assert command.predict(nginx.http("/models/digits"), http_proxy=proxy.address, no_proxy="localhost") == local.digits
    assert proxy.requests != []


def test_a_proxy_that_wants_a_password(command, nginx, local):
    with ForwardProxy("somebody:proxy-password") as proxy:
        message = command.fails("inspect", nginx.http("/models/digits"), ["407", "http_proxy="], http_proxy=proxy.address)
        assert len([line for line in proxy.requests if "digits-symbol.json" in line]) == 1, message
        known = proxy.address.replace("//", "//somebody:proxy-password@")
        assert command.predict(nginx.http("/models/digits"), http_proxy=known) == local.digits
        wrong = proxy.address.replace("//", "//somebody:no-password@")
        message = command.fails("inspect", nginx.http("/models/other"), ["407"], http_proxy=wrong)
        assert "no-password" not in message
        message = command.fails("inspect", nginx.https("/models/digits"), ["407"], https_proxy=wrong, **tls(nginx))
        assert "no-password" not in message


def test_a_proxy_that_is_not_there(command, nginx):
    command.fails("inspect", nginx.http("/models/digits"), ["digits-symbol.json", "port 1 "], http_proxy="http://127.0.0.1:1")
    assert nginx.requests() == []


def test_headers_for_the_server_are_not_the_proxys(command, nginx, local, proxy):
    """Those of a tunnel are; what is asked for inside of it is not."""
    environment = {"https_proxy": proxy.address, **tls(nginx)}
    assert command.predict(nginx.https("/models/digits"), "--header", "Authorization: Bearer inside", **environment) == local.digits
    assert {request.authorization for request in nginx.requests()} == {"Bearer inside"}
    assert proxy.headers and not any("inside" in header for header in proxy.headers)
