"""A certificate authority that nobody trusts, and a certificate of it for the loopback, made by openssl."""
import subprocess

NAMES = "subjectAltName=IP:127.0.0.1,DNS:localhost"


def _openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Certificates:
    """Files: `authority`, and `chain` and `key` of the server."""

    def __init__(self, folder):
        self.authority, self.chain, self.key = (folder / name for name in ("authority.pem", "server.pem", "server.key"))
        authority_key, request, names = (folder / name for name in ("authority.key", "request.pem", "names.txt"))
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        _openssl("req", "-x509", *curve, "-keyout", authority_key, "-out", self.authority, "-days", "2",
                 "-subj", "/CN=tests of mxinfer")
        _openssl("req", *curve, "-keyout", self.key, "-out", request, "-subj", "/CN=localhost")
        names.write_text(NAMES + "\n")
        _openssl("x509", "-req", "-in", request, "-CA", self.authority, "-CAkey", authority_key, "-CAcreateserial",
                 "-out", self.chain, "-days", "2", "-extfile", names)
