"""A proxy as http_proxy and https_proxy name it: it passes on what it is asked for, and notes it.

    proxy = ForwardProxy()
    proxy.address       # "http://127.0.0.1:3128"
    proxy.headers       # of all requests: ["Host: 127.0.0.1:8000", ...]
    proxy.requests      # ["GET http://127.0.0.1:8000/models/digits-symbol.json HTTP/1.1", "CONNECT 127.0.0.1:8443 HTTP/1.1"]
"""
import base64
import select
import socket
import urllib.parse

from listener import Listener
from processes import HOST


class ForwardProxy:
    def __init__(self, credentials=None):
        """`credentials`: the name and password that it wants, as "name:password"."""
        self.requests, self.headers = [], []
        self._wanted = credentials and "Basic " + base64.b64encode(credentials.encode()).decode()
        self._listener = Listener(self.serve)
        self.address = f"http://{HOST}:{self._listener.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.stop()

    def serve(self, client):
        """One request a connection, which a tunnel then is."""
        head = b""
        while b"\r\n\r\n" not in head:
            part = client.recv(65536)
            if not part:
                return
            head += part
        line, *headers = head.split(b"\r\n\r\n", 1)[0].decode("latin-1").split("\r\n")
        self.requests.append(line)
        self.headers += headers
        if self._wanted and f"Proxy-Authorization: {self._wanted}" not in headers:
            client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\n"
                           b"Content-Length: 0\r\nConnection: close\r\n\r\n")
            return
        method, target, _ = line.split(" ")
        if method == "CONNECT":
            host, port = target.rsplit(":", 1)
            with socket.create_connection((host, int(port))) as server:
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                self._tunnel(client, server)
            return
        address = urllib.parse.urlsplit(target)
        path = target.split(address.netloc, 1)[1] or "/"
        kept = [header for header in headers if not header.lower().startswith(("proxy-", "connection:"))]
        with socket.create_connection((address.hostname, address.port or 80)) as server:
            server.sendall("\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""]).encode("latin-1"))
            self._tunnel(client, server)

    @staticmethod
    def _tunnel(client, server):
        while True:
            for ready in select.select([client, server], [], [])[0]:
                part = ready.recv(65536)
                if not part:
                    return
                (server if ready is client else client).sendall(part)
