"""Models and images by s3://, from a server that verifies every signature."""
import hashlib
import urllib.parse

import botocore.exceptions
import pytest

from fault_proxy import Answer, Cut, FlipByte, HalfHeaders
from forward_proxy import ForwardProxy
from processes import HOST
from s3_server import PAGE, Keys, S3Server
from watch import Watch

# Whether the command takes s3:// for models and for images, and the options that send requests without a signature.
HAS_S3 = True
HAS_IMAGES = True
ANONYMOUS = ["--remote", "s3_anonymous=true"]

pytestmark = pytest.mark.skipif(not HAS_S3, reason="s3:// is not there yet")
needs_images = pytest.mark.skipif(not HAS_IMAGES, reason="images come from paths alone yet")

POLICY = """{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:*",
  "Resource": ["arn:aws:s3:::public", "arn:aws:s3:::public/*"]}]}"""
ODD_KEYS = ["a b/digits", "a+b/digits", "größe/digits", "数字/digits", "a&b=c;d/digits", "100%/digits", "a%20b/digits", "it's (2)!*/digits",
            "a?b#c/digits", "a@b:c,d$/digits", "//double//digits", "digits"]
REFUSED_TOKEN = """<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>%s</Code><Message>%s</Message><Token-0>%s</Token-0><AWSAccessKeyId>%s</AWSAccessKeyId>
<StringToSign>AWS4-HMAC-SHA256</StringToSign><RequestId>A1</RequestId></Error>"""


def encoded(key):
    return urllib.parse.quote(key, safe="/")


@pytest.fixture(scope="module")
def running_s3(files, tmp_path_factory):
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        fill(server.service("s3"), files)
        yield server


def fill(client, files):
    """models: everything, as it is on disk; odd: models under odd keys; versions: an archive in two versions; public: for
    everybody."""
    for bucket in ("models", "odd", "versions", "public"):
        client.create_bucket(Bucket=bucket)
    client.put_bucket_policy(Bucket="public", Policy=POLICY)
    digits = {ending: (files / f"models/digits{ending}").read_bytes() for ending in ("-symbol.json", "-0000.params")}
    labels = (files / "models/synset.txt").read_bytes()

    def put_digits(bucket, prefix, epochs=("-0000.params",), more=()):
        folder = prefix[:prefix.rfind("/") + 1]
        client.put_object(Bucket=bucket, Key=f"{prefix}-symbol.json", Body=digits["-symbol.json"])
        for epoch in epochs:
            client.put_object(Bucket=bucket, Key=prefix + epoch, Body=digits["-0000.params"])
        for name, body in [("synset.txt", labels), *more]:
            client.put_object(Bucket=bucket, Key=folder + name, Body=body)

    for path in files.rglob("*"):
        if path.is_file():
            client.put_object(Bucket="models", Key=str(path.relative_to(files)), Body=path.read_bytes())
    put_digits("models", "alone/digits")
    put_digits("models", "one-epoch/digits", ["-0012.params"])
    put_digits("models", "epochs/digits", ["-0003.params", "-0012.params"])
    # Of a list that comes in pages the model is in the last.
    put_digits("models", "many/digits", more=[(f"a-{number:02}.txt", b"no model") for number in range(3 * PAGE)])
    client.put_object(Bucket="models", Key="archive/digits.mxz", Body=(files / "models/digits.mxz").read_bytes())
    # As consoles make folders.
    client.put_object(Bucket="models", Key="alone/", Body=b"")
    for key in ODD_KEYS:
        put_digits("odd", key)
    put_digits("public", "digits")
    client.put_bucket_versioning(Bucket="versions", VersioningConfiguration={"Status": "Enabled"})


@pytest.fixture
def s3(running_s3, command):
    """The server; and the command has its keys."""
    command.environment.update(running_s3.environment())
    return running_s3


def test_the_server_verifies_signatures(running_s3):
    """Else the tests of this file would show little."""
    user, role = running_s3.user, running_s3.role
    wrong = [(Keys(user.access_key_id, "wrong"), "SignatureDoesNotMatch"), (Keys("AKIANONE", "any"), "InvalidAccessKeyId"),
             (Keys(role.access_key_id, role.secret_access_key, "wrong"), "InvalidToken")]
    for keys, code in wrong:
        with pytest.raises(botocore.exceptions.ClientError, match=code):
            running_s3.service("s3", keys).get_object(Bucket="models", Key="models/digits.mxz")
        with pytest.raises(botocore.exceptions.ClientError, match=code):
            running_s3.service("s3", keys).list_objects_v2(Bucket="odd", Prefix="a b/")
    for keys in (user, role):
        for key in ODD_KEYS:
            listed = running_s3.service("s3", keys).list_objects_v2(Bucket="odd", Prefix=key, Delimiter="/")
            assert f"{key}-symbol.json" in [item["Key"] for item in listed["Contents"]]
            running_s3.service("s3", keys).get_object(Bucket="odd", Key=f"{key}-symbol.json")


@pytest.mark.parametrize("address", ["models/digits", "models/digits-symbol.json", "models/digits-0000.params", "alone", "alone/",
                                     "one-epoch", "one-epoch/digits", "many", "many/"])
def test_models_are_the_same_as_on_disk(command, s3, local, served, address):
    assert command.predict(f"s3://models/{address}", kind="digits") == local.digits
    command.check_copies(served)


def test_large_models(command, s3, local, served):
    assert command.predict("s3://models/models/large") == local.large
    command.check_copies(served)


@pytest.mark.parametrize("address", ["models/digits.mxz", "archive", "archive/"])
def test_archives(command, s3, local, served, address):
    assert command.json("verify", f"s3://models/{address}") == local.verify
    command.check_copies(served)


@pytest.mark.parametrize("name", ["models/digits", "alone", "many"])
def test_labels_come_along(command, s3, local, name):
    assert command.json("classify", f"s3://models/{name}", *local.images) == local.classes


def test_epochs(command, s3, local):
    for model in ("s3://models/epochs", "s3://models/epochs/digits"):
        assert command.predict(model, "--epoch", "12", kind="digits") == local.digits
        command.fails("inspect", model, ["3", "12", "epoch"])
        command.fails("inspect", model, "--epoch", "7", ["epoch 7", "digits-0012.params"])


@pytest.mark.parametrize("key", ODD_KEYS)
def test_odd_keys(command, s3, local, served, key):
    assert command.predict(f"s3://odd/{encoded(key)}", kind="digits") == local.digits
    folder = key[:key.rfind("/") + 1]
    if folder:
        assert command.predict(f"s3://odd/{encoded(folder)}", kind="digits") == local.digits
    command.check_copies(served)


def test_versions(command, s3, local, files, served):
    client = s3.service("s3")
    good = client.put_object(Bucket="versions", Key="digits.mxz", Body=(files / "models/digits.mxz").read_bytes())["VersionId"]
    bad = client.put_object(Bucket="versions", Key="digits.mxz", Body=b"no model at all")["VersionId"]
    assert command.json("verify", f"s3://versions/digits.mxz?versionId={good}") == local.verify
    command.fails("verify", "s3://versions/digits.mxz", ["s3://versions/digits.mxz"])
    command.fails("verify", f"s3://versions/digits.mxz?versionId={bad}", ["s3://versions/digits.mxz"])
    # The copies are of different files.
    assert command.json("verify", f"s3://versions/digits.mxz?versionId={good}", "--cache", "offline") == local.verify
    command.fails("verify", "s3://versions/digits.mxz?versionId=none", ["s3://versions/digits.mxz"])
    command.fails("verify", f"s3://versions/digits.mxz?version={good}", ["versionId"])
    command.check_copies([*served, b"no model at all"])


def test_copies_are_asked_about(command, s3, local, served):
    command.predict("s3://models/models/digits")
    assert command.predict("s3://models/models/digits") == local.digits
    assert command.predict("s3://models/models/digits", "--cache", "offline") == local.digits
    # Another server's bucket of this name is another one.
    elsewhere = {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}
    command.fails("inspect", "s3://models/models/digits", "--cache", "offline", ["offline"], **elsewhere)
    command.check_copies(served)


def test_a_copy_that_is_old(command, s3, local):
    client, key = s3.service("s3"), "changing/digits.mxz"
    client.copy_object(Bucket="models", Key=key, CopySource="models/models/digits.mxz")
    assert command.json("verify", f"s3://models/{key}") == local.verify
    client.put_object(Bucket="models", Key=key, Body=b"no model at all")
    command.fails("verify", f"s3://models/{key}", [key])
    client.copy_object(Bucket="models", Key=key, CopySource="models/models/digits.mxz")
    assert command.json("verify", f"s3://models/{key}") == local.verify


def test_keys_that_are_wrong(command, s3):
    user, role = s3.user, s3.role
    for keys, code in [(Keys(user.access_key_id, "wrong-secret"), "SignatureDoesNotMatch"),
                       (Keys("AKIANONE", "wrong-secret"), "InvalidAccessKeyId"),
                       (Keys(role.access_key_id, role.secret_access_key, "wrong-secret"), "InvalidToken")]:
        for address in ("s3://models/models/digits", "s3://models/alone/"):
            message = command.fails("inspect", address, [address, code], **keys.environment())
            assert "wrong-secret" not in message
    command.check_copies([])


def test_a_session_token(command, s3, local):
    assert command.predict("s3://models/models/digits", **s3.role.environment()) == local.digits
    assert command.predict("s3://models/alone/", kind="digits", **s3.role.environment()) == local.digits


def test_what_is_not_there(command, s3, served):
    command.fails("inspect", "s3://models/models/none", ["s3://models/models/none-symbol.json"])
    command.fails("inspect", "s3://models/models/none.tar.gz", ["s3://models/models/none.tar.gz"])
    command.fails("inspect", "s3://models/none/", ["s3://models/none"])
    command.fails("inspect", "s3://no-such-bucket/models/digits", ["no-such-bucket", "bucket"])
    command.fails("inspect", "s3://no-such-bucket/models/", ["no-such-bucket", "bucket"])
    command.check_copies(served)


@pytest.mark.parametrize("bucket", ["", "ab", "a..b-", "-models", "mo$dels"])
def test_names_that_are_no_buckets(command, s3, bucket):
    # An IP address in the place of the server takes old names too, not these.
    command.fails("inspect", f"s3://{bucket}/models/digits", ["bucket"], AWS_ENDPOINT_URL=None)
    command.check_copies([])


def without_keys(command):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        command.environment.pop(name, None)
    (command.home / ".aws").mkdir()
    return command.home / ".aws" / "credentials", command.home / ".aws" / "config"


def test_keys_from_the_files_of_the_tools(command, s3, local):
    credentials, config = without_keys(command)
    credentials.write_text(s3.user.profile("default") + Keys("AKIANONE", "none").profile("wrong") + s3.role.profile("session"))
    config.write_text(f"[profile role]\nrole_arn = {s3.role_arn}\nsource_profile = default\n"
                      f"[profile elsewhere]\nendpoint_url = http://{HOST}:{s3.port}\nregion = eu-west-1\n"
                      "source_profile = default\nrole_arn = " + s3.role_arn + "\n")
    address = "s3://models/models/digits"
    for profile in (None, "default", "session", "role"):
        assert command.predict(address, AWS_PROFILE=profile) == local.digits
    assert command.predict(address, AWS_PROFILE="elsewhere", AWS_ENDPOINT_URL=None, AWS_REGION=None) == local.digits
    command.fails("inspect", address, ["InvalidAccessKeyId"], AWS_PROFILE="wrong")
    command.fails("inspect", address, ["'nobody'"], AWS_PROFILE="nobody")
    # Those of the environment come first.
    assert command.predict(address, **s3.user.environment()) == local.digits


def test_no_keys(command, s3):
    without_keys(command)
    command.fails("inspect", "s3://models/models/digits", ["AWS_ACCESS_KEY_ID"])
    command.check_copies([])


def test_a_public_bucket(command, s3, local, served):
    without_keys(command)
    assert command.predict("s3://public/digits", *ANONYMOUS) == local.digits
    assert command.predict("s3://public/", *ANONYMOUS, kind="digits") == local.digits
    command.fails("inspect", "s3://models/models/digits", *ANONYMOUS, ["403"])
    command.check_copies(served)


@pytest.fixture
def between(through, s3, command):
    """A server that does something wrong in front of the command's."""

    def make(fault):
        proxy = through(fault, s3.port)
        command.environment["AWS_ENDPOINT_URL"] = f"http://{HOST}:{proxy.port}"
        return proxy

    return make


@pytest.mark.parametrize("name", ["digits", "large"])
def test_connections_that_end(command, between, local, served, name):
    fault = Cut(every=1 << 20 if name == "large" else 65536)
    between(fault)
    assert command.predict(f"s3://models/models/{name}") == getattr(local, name)
    assert fault.struck > 1
    command.check_copies(served)


def test_half_of_the_headers(command, between, local, served):
    between(HalfHeaders(times=3))
    assert command.predict("s3://models/alone/", kind="digits") == local.digits
    command.check_copies(served)


def test_a_server_that_is_busy(command, between, local, served):
    body = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
    between(Answer(503, body, times=3))
    assert command.predict("s3://models/alone/", kind="digits") == local.digits
    between(Answer(503, body))
    command.fails("inspect", "s3://models/models/large", ["503", "SlowDown", "5 times"])
    command.check_copies(served)


def test_flipped_bytes(command, between, local, files):
    digest = hashlib.sha256((files / "models/digits.mxz").read_bytes()).hexdigest()
    between(FlipByte(20000, times=1))
    command.fails("verify", f"s3://models/models/digits.mxz#sha256={digest}", ["SHA-256", digest])
    assert command.json("verify", f"s3://models/models/digits.mxz#sha256={digest}") == local.verify


def test_the_region_that_the_server_names(command, between, local):
    body = (b"<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region 'us-east-1' is wrong; expecting "
            b"'eu-west-1'</Message><Region>eu-west-1</Region></Error>")
    proxy = between(Answer(400, body, times=1))
    assert command.predict("s3://models/models/digits") == local.digits
    regions = [request.header("Authorization").split("/")[2] for request in proxy.requests]
    assert regions[0] == "us-east-1" and regions[-1] == "eu-west-1"


def test_tokens_that_expire_and_what_the_server_says_of_them(command, between, s3):
    secrets = {"secret": s3.role.secret_access_key, "token": s3.role.session_token}
    watch = Watch(command, secrets)
    for code in ("ExpiredToken", "InvalidToken", "SignatureDoesNotMatch"):
        text = REFUSED_TOKEN % (code, "what is wrong", s3.role.session_token, s3.role.access_key_id)
        fault = Answer(400, text.encode())
        between(fault)
        for address in ("s3://models/models/digits", "s3://models/alone/"):
            message = watch.run(1, "inspect", address, **s3.role.environment()).err
            assert code in message
        # Files are fetched side by side: how many requests were sent before the first answer depends on the machine.
        assert fault.struck <= 12, "it is not asked for ever"
    watch.finds_no_secret()


def test_secrets_are_told_nobody(command, s3, nginx, local):
    secrets = {"secret": s3.user.secret_access_key, "session secret": s3.role.secret_access_key, "token": s3.role.session_token}
    watch = Watch(command, secrets)
    for keys in (s3.user, s3.role):
        watch.both(0, "inspect", "s3://models/models/digits", **keys.environment())
        watch.both(0, "classify", "s3://models/alone/", local.images[0], **keys.environment())
        watch.both(0, "verify", "s3://models/models/digits.mxz", **keys.environment())
        for address in ("s3://models/models/none", "s3://none/models/digits", "s3://models/none/", "s3://-/x", "s3://models/images/"):
            watch.both(1, "inspect", address, **keys.environment())
    swapped = Keys(s3.user.access_key_id, s3.role.secret_access_key)
    watch.both(1, "inspect", "s3://models/models/digits", **swapped.environment())
    watch.both(1, "inspect", "s3://models/models/digits", **{**s3.user.environment(), "AWS_ENDPOINT_URL": "http://127.0.0.1:1"})
    # A server that is none of S3 learns nothing that is good elsewhere.
    watch.both(1, "inspect", "s3://portal/models/digits", **{**s3.role.environment(), "AWS_ENDPOINT_URL": nginx.http("")})
    watch.finds_no_secret()


def test_proxies(command, s3, local):
    with ForwardProxy() as proxy:
        assert command.predict("s3://models/models/digits", http_proxy=proxy.address) == local.digits
        assert any("/models/models/digits-0000.params" in request for request in proxy.requests)


def by_name(report):
    return {image["image"].rsplit("/", 1)[1]: image.get("classes") for image in report["images"]}


@needs_images
def test_images(command, s3, local):
    report = command.json("classify", "s3://models/models/digits", "s3://models/images/seven.jpg")
    assert report["images"][0]["image"] == "s3://models/images/seven.jpg"
    assert by_name(report).keys() == {"seven.jpg"}
    # One image is another batch than ten: the last bits of scores may differ.
    best = lambda classes: (classes[0]["label"], round(classes[0]["score"], 4))
    assert best(by_name(report)["seven.jpg"]) == best(by_name(local.classes)["seven.jpg"])
    assert by_name(command.json("classify", "s3://models/models/digits", "s3://models/images/")) == by_name(local.classes)
    command.fails("classify", "s3://models/models/digits", "s3://models/images", ["s3://models/images", "nothing at this address"])


@needs_images
def test_images_that_are_not_there(command, s3, local):
    result = command.run("classify", "s3://models/models/digits", "s3://models/images/none.jpg", "s3://models/images/seven.jpg",
                         "s3://models/models/synset.txt", "--json")
    assert result.code == 1 and "s3://models/images/none.jpg" in result.err and "synset.txt" in result.err
    assert '"seven"' in result.out
    command.fails("classify", "s3://models/models/digits", "s3://models/alone/", ["s3://models/alone"])
