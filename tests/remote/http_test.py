"""Models by http and https from nginx, as it serves files in all its ways."""
import json

import pytest

from nginx import FORBIDDEN, PASSWORD, USER

# Whether the command takes images by addresses.
HAS_IMAGES = True


def tls(nginx):
    return {"SSL_CERT_FILE": str(nginx.certificates.authority)}


@pytest.mark.parametrize("way", ["", "/no-ranges", "/no-etag", "/gzip", "/stored-gzip", "/to-path", "/hops", "/to-localhost"])
def test_models_are_the_same_as_on_disk(command, nginx, local, served, way):
    prefix = nginx.http(way + "/models/")
    assert command.predict(prefix + "digits") == local.digits
    assert command.predict(prefix + "large") == local.large
    assert command.json("verify", prefix + "digits.mxz") == local.verify
    command.check_copies(served)


@pytest.mark.parametrize("name", ["digits", "digits-symbol.json", "digits-0000.params"])
def test_a_model_is_named_by_its_prefix_or_by_one_of_its_files(command, nginx, local, name):
    assert command.predict(nginx.http("/models/" + name)) == local.digits


def test_images_are_classified_as_by_the_model_on_disk(command, nginx, local):
    assert command.json("classify", nginx.http("/models/digits"), *local.images) == local.classes


@pytest.mark.skipif(not HAS_IMAGES, reason="images come from paths alone yet")
def test_images_by_their_addresses(command, nginx, local):
    def by_name(report):
        return {image["image"].rsplit("/", 1)[1]: image["classes"] for image in report["images"]}

    addresses = [nginx.http("/images/" + image.rsplit("/", 1)[1]) for image in local.images]
    report = command.json("classify", nginx.http("/models/digits"), *addresses)
    assert [image["image"] for image in report["images"]] == addresses
    assert by_name(report) == by_name(local.classes)
    result = command.run("classify", nginx.http("/models/digits"), nginx.http("/images/none.jpg"), addresses[0])
    assert result.code == 1 and nginx.http("/images/none.jpg") in result.err and addresses[0] in result.out


@pytest.mark.parametrize("name", ["digits", "digits.mxz", "large"])
def test_inspect_says_the_same(command, nginx, files, local, name):
    def without_address(text):
        return json.loads(json.dumps(text).replace(nginx.http("/models"), str(files / "models")))

    assert without_address(command.json("inspect", nginx.http("/models/" + name))) == local.inspect(name)


def test_a_copy_is_taken_if_the_server_has_nothing_newer(command, nginx, local):
    command.predict(nginx.http("/models/digits"))
    nginx.forget_requests()
    assert command.predict(nginx.http("/models/digits")) == local.digits
    assert [request.status for request in nginx.requests()] == ["304"] * 3
    assert all(request.if_none_match for request in nginx.requests())


def test_without_an_etag_the_date_says_what_is_new(command, nginx, local):
    command.predict(nginx.http("/no-etag/models/digits"))
    nginx.forget_requests()
    assert command.predict(nginx.http("/no-etag/models/digits")) == local.digits
    assert [request.status for request in nginx.requests()] == ["304"] * 3


def test_policies_of_copies(command, nginx, local, served):
    address = nginx.http("/models/digits")
    command.fails("inspect", address, "--cache", "offline", ["offline", "digits-symbol.json"])
    assert nginx.requests() == []
    assert command.predict(address, "--cache", "none") == local.digits
    assert command.copied_bytes() == 0
    command.check_copies([])
    command.predict(address)
    nginx.forget_requests()
    assert command.predict(address, "--cache", "offline") == local.digits
    assert nginx.requests() == []
    assert command.predict(address, "--cache", "refresh") == local.digits
    assert {request.status for request in nginx.requests()} <= {"200", "206"}
    command.check_copies(served)


def test_large_files_come_in_parts(command, nginx, local, served):
    assert command.predict(nginx.http("/models/large")) == local.large
    parts = nginx.requests("large-0000.params")
    assert len(parts) > 3 and {request.status for request in parts} == {"206"}
    command.check_copies(served)


def test_a_slow_server_is_waited_for(command, nginx, local, served):
    assert command.predict(nginx.http("/slow/models/large")) == local.large
    command.check_copies(served)


def test_names_and_passwords(command, nginx, local):
    assert command.predict(nginx.http("/private/models/digits", f"{USER}:{PASSWORD}")) == local.digits
    message = command.fails("inspect", nginx.http("/private/models/digits"), ["401", "credentials", "--header"])
    assert PASSWORD not in message
    wrong = command.fails("inspect", nginx.http("/private/models/digits", f"{USER}:wrong-password"), ["401"])
    assert "wrong-password" not in wrong
    header = "Authorization: Basic cmVhZGVyOmtub3duLXBhc3N3b3Jk"  # reader:known-password
    assert command.predict(nginx.http("/private/models/digits"), "--header", header) == local.digits


def test_what_is_refused_is_not_asked_for_again(command, nginx):
    command.fails("inspect", nginx.http("/forbidden/models/digits"), ["403", FORBIDDEN[12:40], "digits-symbol.json"])
    assert len(nginx.requests("digits-symbol.json")) == 1
    command.check_copies([])


def test_what_is_not_there(command, nginx, files):
    """What is beside a symbol file is looked for while that is asked for."""
    labels = files / "models" / "synset.txt"
    command.fails("inspect", nginx.http("/models/none"), ["/models/none-symbol.json"])
    command.fails("inspect", nginx.http("/models/none.tar.gz"), ["/models/none.tar.gz"])
    command.check_copies([labels])
    command.fails("inspect", nginx.http("/models/digits"), "--epoch", "3", ["digits-0003.params"])
    command.check_copies([labels, files / "models" / "digits-symbol.json"])


def test_the_page_of_a_captive_portal_is_no_model(command, nginx):
    command.fails("inspect", nginx.http("/portal/models/digits"), ["/portal/models/digits-symbol.json"])
    command.fails("inspect", nginx.http("/portal/models/digits.mxz"), ["/portal/models/digits.mxz"])
    assert not any(path.name.startswith("fetching-") for path in command.copies.iterdir())


def test_nobody_listens(command):
    command.fails("inspect", "http://127.0.0.1:1/digits", ["http://127.0.0.1:1/digits-symbol.json", "5 times"])
    command.fails("inspect", "http://name.invalid/digits", ["name.invalid", "5 times"])


def test_https_with_a_certificate_that_is_trusted(command, nginx, local, served):
    for address in (nginx.https("/models/"), nginx.https("/models/", "localhost"), nginx.http("/to-https/models/")):
        assert command.predict(address + "digits", **tls(nginx)) == local.digits
    assert command.predict(nginx.https("/models/large"), **tls(nginx)) == local.large
    assert {request.scheme for request in nginx.requests("large-0000.params")} == {"https"}
    command.check_copies(served)


def test_https_with_a_certificate_that_is_not(command, nginx, tmp_path):
    for address in (nginx.https("/models/digits"), nginx.http("/to-https/models/digits")):
        command.fails("inspect", address, ["SSL_CERT_FILE", "certificate"])
    command.fails("inspect", nginx.https("/models/digits"), ["/nowhere.pem"], SSL_CERT_FILE=str(tmp_path / "nowhere.pem"))
    # 127.0.0.2 is this machine too, and the certificate is for another name.
    command.fails("inspect", f"https://127.0.0.2:{nginx.secure_port}/models/digits", [], **tls(nginx))
    assert {request.status for request in nginx.requests("params")} <= {"302"}
    command.check_copies([])


def test_redirects_that_are_refused(command, nginx):
    command.fails("inspect", nginx.https("/to-http/models/digits"), ["http://127.0.0.1", "only to https"], **tls(nginx))
    command.fails("inspect", nginx.http("/to-file/models/digits"), ["file://", "only to http and https"])
    command.fails("inspect", nginx.http("/loop/models/digits"), ["redirected more than 5 times"])
    assert len(nginx.requests("/loop/models/digits-symbol.json")) == 6
    command.check_copies([])


def test_headers_are_for_the_host_of_the_address(command, nginx, local):
    header = "Authorization: Bearer for-this-host"
    assert command.predict(nginx.http("/to-path/models/digits"), "--header", header) == local.digits
    assert {request.authorization for request in nginx.requests()} == {"Bearer for-this-host"}
    nginx.forget_requests()
    assert command.predict(nginx.http("/to-localhost/models/digits"), "--header", header) == local.digits
    sent = {(request.host.split(":")[0], request.authorization) for request in nginx.requests()}
    assert sent == {("127.0.0.1", "Bearer for-this-host"), ("localhost", "")}


def test_a_password_of_an_address_stays_with_its_host(command, nginx, local):
    address = nginx.http("/to-localhost/models/digits", f"{USER}:{PASSWORD}")
    assert command.predict(address) == local.digits
    assert not any(request.authorization for request in nginx.requests() if request.host.startswith("localhost"))
