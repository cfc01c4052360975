"""Compares the signatures of mxinfer_sign_requests with those of botocore.

    python3 tests/remote/signatures_test.py build/release/tests/mxinfer_sign_requests [--seed N] [--count N]

Requests are made at random from a seed: keys and values of queries of all kinds of bytes, ports, endpoints,
headers with blanks, tokens. The last line says how many were equal.
"""

import argparse
import datetime
import hashlib
import json
import random
import string
import subprocess
import sys
from unittest import mock
from urllib.parse import quote

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

REGIONS = ["us-east-1", "eu-west-1", "cn-north-1", "us-gov-west-1", "garage"]
ODD = " +%~/!*'();:@&=$,[]\"<>\\^`{|}?#\u00e9\u20ac\u4e2d\U0001f600\x01\x7f._-"


def odd_text(rng, most):
    """Bytes: odd characters, words, and now and then what is not UTF-8."""
    parts = []
    for _ in range(rng.randint(1, most)):
        kind = rng.random()
        if kind < 0.4:
            parts.append(rng.choice(ODD).encode())
        elif kind < 0.9:
            parts.append("".join(rng.choices(string.ascii_letters + string.digits, k=rng.randint(1, 6))).encode())
        elif kind < 0.95:
            parts.append(rng.choice([b"//", b"%41", b"%2F", b"%", b"...", b"a=b&c", b"  ", b"~x"]))
        else:
            parts.append(bytes([rng.randrange(256)]))
    return b"".join(parts)


def odd_key(rng):
    while True:
        key = odd_text(rng, 12)
        if not {b".", b".."} & set(key.split(b"/")):
            return key


def written(rng, key):
    """The key as somebody may write it in an address: encoded where it must be, and at random elsewhere."""
    text = ""
    for at, byte in enumerate(key):
        is_needed = byte <= 0x20 or byte >= 0x7F or byte in b"?#"
        is_code = byte == 0x25 and len(key[at + 1:at + 3]) == 2 and all(c in b"0123456789abcdefABCDEF"
                                                                        for c in key[at + 1:at + 3])
        if is_needed or is_code or byte == 0x25 or rng.random() < 0.3:
            text += rng.choice(["%%%02X", "%%%02x"]) % byte
        else:
            text += chr(byte)
    return text


def encoded(text):
    return quote(text, safe="-_.~")


def random_bucket(rng):
    letters = string.ascii_lowercase + string.digits
    middle = "".join(rng.choices(letters + "-", k=rng.randint(1, 20)))
    dotted = rng.choice(["", "", ".b"])
    return rng.choice(string.ascii_lowercase) + middle + dotted + rng.choice(string.ascii_lowercase)


def aws_host(service, region):
    return f"{service}.{region}.amazonaws.com" + (".cn" if region.startswith("cn-") else "")


def random_s3_place(rng, line):
    """Sets url, endpoint and path_style, and gives the address that is expected, without its query."""
    bucket, key, region = random_bucket(rng), odd_key(rng), line["region"]
    line["url"] = f"s3://{bucket}/{written(rng, key)}"
    line["endpoint"] = rng.choice(["", "http://127.0.0.1:9000", "https://minio.example", "http://Minio.example:80",
                                   "https://minio.example:443/", "https://minio.example:8443", "http://[::1]:9000"])
    endpoint = line["endpoint"].lower().rstrip("/")
    has_names = "minio" in endpoint or not endpoint
    style = rng.choice([None, True, False] if has_names else [None, True])
    if style is not None:
        line["path_style"] = style
    scheme, _, host = (endpoint or "https://" + aws_host("s3", region)).partition("://")
    in_path = style if style is not None else bool(endpoint) or "." in bucket
    path = "/" + quote(key, safe="/-_.~")
    if in_path:
        return f"{scheme}://{host}/{bucket}{path}"
    return f"{scheme}://{bucket}.{host}{path}"


def random_headers(rng):
    headers = []
    for name in rng.sample(["Range", "If-Match", "x-amz-request-payer", "X-Amz-Meta-Odd", "content-type"],
                           rng.randint(0, 3)):
        words = ["".join(rng.choices(string.ascii_letters + string.digits + "=/;\"-", k=rng.randint(1, 8)))
                 for _ in range(rng.randint(1, 3))]
        headers.append([name, rng.choice(["", " ", "\t "]) + rng.choice([" ", "  ", " \t"]).join(words) +
                        rng.choice(["", "  "])])
    return headers


def random_line(rng):
    """The request as the program takes it, the address that is expected, and the body."""
    service = "sts" if rng.random() < 0.1 else "s3"
    time = datetime.datetime(2013, 1, 1) + datetime.timedelta(seconds=rng.randrange(30 * 365 * 86400))
    line = {
        "method": rng.choice(["GET", "GET", "HEAD", "PUT"]),
        "region": rng.choice(REGIONS),
        "service": service,
        "access_key_id": "".join(rng.choices(string.ascii_uppercase + string.digits, k=20)),
        "secret_access_key": "".join(rng.choices(string.ascii_letters + string.digits + "+/", k=40)),
        "session_token": "" if rng.random() < 0.5 else
                         "".join(rng.choices(string.ascii_letters + string.digits + "+/=", k=rng.randint(1, 400))),
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "headers": random_headers(rng),
        "query": [[encoded(odd_text(rng, 3)), encoded(odd_text(rng, 8)) if rng.random() < 0.9 else ""]
                  for _ in range(rng.choice([0, 0, 1, 2, 5]))],
    }
    body = b"" if rng.random() < 0.5 else odd_text(rng, 30)
    is_unsigned = service == "s3" and rng.random() < 0.5
    line["payload_hash"] = "UNSIGNED-PAYLOAD" if is_unsigned else hashlib.sha256(body).hexdigest()
    if service == "s3":
        expected = random_s3_place(rng, line)
        if rng.random() < 0.2:
            version = encoded(odd_text(rng, 4).replace(b"&", b""))
            line["url"] += "?versionId=" + (version or "1")
    else:
        expected = line["url"] = f"https://{aws_host('sts', line['region'])}/"
    return line, expected, body


def query_pairs(line):
    pairs = [tuple(pair) for pair in line["query"]]
    _, mark, version = line["url"].partition("?versionId=")
    return pairs + ([("versionId", version)] if mark else [])


def botocore_headers(line, url, body):
    pairs = query_pairs(line)
    # Not sorted: that is botocore's part.
    full = url + ("?" + "&".join(f"{name}={value}" for name, value in pairs) if pairs else "")
    request = AWSRequest(method=line["method"], url=full, data=body)
    for name, value in line["headers"]:
        request.headers[name] = value
    is_signed = line["payload_hash"] != "UNSIGNED-PAYLOAD"
    request.context["client_config"] = Config(s3={"payload_signing_enabled": is_signed})
    keys = Credentials(line["access_key_id"], line["secret_access_key"], line["session_token"] or None)
    kind = botocore.auth.S3SigV4Auth if line["service"] == "s3" else botocore.auth.SigV4Auth
    now = datetime.datetime.strptime(line["time"], "%Y-%m-%dT%H:%M:%SZ")
    with at_time(now):
        kind(keys, line["service"], line["region"]).add_auth(request)
    return {name.lower(): value for name, value in request.headers.items()}


def at_time(now):
    if hasattr(botocore.auth, "get_current_datetime"):
        return mock.patch("botocore.auth.get_current_datetime", return_value=now)
    frozen = mock.Mock(wraps=datetime)  # before 1.40
    frozen.datetime = mock.Mock(wraps=datetime.datetime)
    frozen.datetime.utcnow.return_value = now
    return mock.patch("botocore.auth.datetime", frozen)


def sent_headers(answer):
    headers = {}
    for text in answer["headers"]:
        name, _, value = text.rstrip(";").partition(": ")
        headers[name.lower()] = value
    return headers


def without_own_port(url):
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return scheme + "://" + host.removesuffix(":443" if scheme == "https" else ":80") + slash + path


def difference(line, expected, body, answer):
    """What differs, or nothing."""
    if "error" in answer:
        return "error: " + answer["error"]
    pairs = sorted(query_pairs(line))
    url = without_own_port(expected)
    if pairs:
        url += "?" + "&".join(f"{name}={value}" for name, value in pairs)
    if answer["url"] != url:
        return f"url {answer['url']!r}, expected {url!r}"
    theirs, ours = botocore_headers(line, expected, body), sent_headers(answer)
    for name in ["x-amz-date", "x-amz-content-sha256", "x-amz-security-token", "authorization"]:
        if ours.get(name) != theirs.get(name):
            return f"{name} {ours.get(name)!r}, expected {theirs.get(name)!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="mxinfer_sign_requests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    requests = [random_line(rng) for _ in range(arguments.count)]
    text = "".join(json.dumps(line) + "\n" for line, _, _ in requests)
    run = subprocess.run([arguments.program], input=text, capture_output=True, text=True, check=True, timeout=120)
    answers = [json.loads(answer) for answer in run.stdout.splitlines()]
    if len(answers) != len(requests):
        sys.exit(f"{len(requests)} requests have {len(answers)} answers\n{run.stderr}")
    failed = 0
    for (line, expected, body), answer in zip(requests, answers):
        what = difference(line, expected, body, answer)
        if what:
            failed += 1
            print(json.dumps(line), "\n  ", what)
    print(f"{len(requests) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
