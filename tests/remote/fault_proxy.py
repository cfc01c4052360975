"""A server in front of a server, which does one thing wrong.

    fault = Cut(every=65536)
    proxy = FaultProxy(("127.0.0.1", nginx.port), fault)
    proxy.http("/models/digits")      # what nginx has there, in connections that end after 64 KiB of a body
    fault.struck                      # how often it did: a test in which nothing broke shows nothing
    proxy.requests                    # with method, target, header("Range")
"""
import http.client
import re
import select
import socket
import threading

from listener import Listener
from processes import HOST


class Request:
    def __init__(self, head, body):
        line, *headers = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = line.split(" ", 2)
        self.headers = [header.split(": ", 1) for header in headers if ": " in header]
        self.body = body

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    def drop(self, *names):
        self.headers = [[key, value] for key, value in self.headers if key.lower() not in names]


class Response:
    def __init__(self, status, headers, body, length=None):
        self.status, self.body = status, body
        self.headers = [(key, value) for key, value in headers
                        if key.lower() not in ("content-length", "transfer-encoding", "connection", "keep-alive")]
        self.length = len(body) if length is None else length

    def head(self):
        lines = [f"HTTP/1.1 {self.status} {http.client.responses.get(self.status, '')}"]
        lines += [f"{key}: {value}" for key, value in self.headers]
        if self.status not in (204, 304):
            lines.append(f"Content-Length: {self.length}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    def first_byte(self):
        """Of the file, where a range was asked for."""
        found = re.match(r"bytes (\d+)-", self.header("Content-Range"))
        return int(found.group(1)) if found else 0


class Client:
    """The connection to the command."""

    def __init__(self, connection, stopping):
        self.connection, self._stopping = connection, stopping

    def send(self, response):
        self.connection.sendall(response.head() + response.body)

    def close(self):
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        raise ConnectionError("closed on purpose")

    def wait_for_end(self):
        while not self._stopping.is_set():
            if select.select([self.connection], [], [], 0.1)[0] and not self.connection.recv(65536):
                break
        self.close()


class Fault:
    """Nothing is wrong. `where`: what the targets contain that it is about; `times`: how often it strikes."""

    def __init__(self, where="", times=None):
        self.where, self.struck = where, 0
        self._left = times
        self._lock = threading.Lock()

    def strikes(self, request):
        if self.where not in request.target:
            return False
        with self._lock:
            if self._left == 0:
                return False
            if self._left is not None:
                self._left -= 1
            self.struck += 1
            return True

    def respond(self, client, request, forward):
        if self.strikes(request):
            self.strike(client, request, forward)
        else:
            client.send(forward(request))

    def strike(self, client, request, forward):
        client.send(forward(request))


class Cut(Fault):
    """Ends the connection after so many bytes of a body."""

    def __init__(self, every, **options):
        super().__init__(**options)
        self.every = every

    def respond(self, client, request, forward):
        response = forward(request)
        if len(response.body) <= self.every or not self.strikes(request):
            return client.send(response)
        client.connection.sendall(response.head() + response.body[:self.every])
        client.close()


class FlipByte(Fault):
    """One byte of the file is another."""

    def __init__(self, offset, **options):
        super().__init__(**options)
        self.offset = offset

    def respond(self, client, request, forward):
        response = forward(request)
        at = self.offset - response.first_byte()
        if response.status in (200, 206) and 0 <= at < len(response.body) and self.strikes(request):
            response.body = response.body[:at] + bytes([response.body[at] ^ 0x40]) + response.body[at + 1:]
        client.send(response)


class Stall(Fault):
    """Sends the beginning of a body, and nothing more for ever."""

    def __init__(self, after=0, **options):
        super().__init__(**options)
        self.after = after

    def strike(self, client, request, forward):
        response = forward(request)
        client.connection.sendall(response.head() + response.body[:self.after])
        client.wait_for_end()


class Answer(Fault):
    """An answer of its own."""

    def __init__(self, status, body=b"", headers=(), **options):
        super().__init__(**options)
        self.response = Response(status, [("Content-Type", "text/html"), *headers], body)

    def strike(self, client, request, forward):
        client.send(self.response)


class HalfHeaders(Fault):
    """Ends the connection in the middle of the headers."""

    def strike(self, client, request, forward):
        head = forward(request).head()
        client.connection.sendall(head[:len(head) // 2])
        client.close()


class WrongLength(Fault):
    """Says that the body is longer, or shorter, by so many bytes."""

    def __init__(self, by, **options):
        super().__init__(**options)
        self.by = by

    def strike(self, client, request, forward):
        response = forward(request)
        response.length = max(0, response.length + self.by)
        client.send(response)
        client.close()


class Chunked(Fault):
    """Sends whole files in chunks, without their length; the first `cut` times it ends the connection in the middle."""

    def __init__(self, cut=0, **options):
        super().__init__(**options)
        self.cuts = Fault(times=cut)

    def strike(self, client, request, forward):
        request.drop("range", "if-range")
        response = forward(request)
        if response.status != 200:
            return client.send(response)
        client.connection.sendall(response.head().replace(b"Content-Length: %d" % response.length, b"Transfer-Encoding: chunked"))
        middle = len(response.body) // 2
        for part in (response.body[:middle], response.body[middle:]):
            if part:
                client.connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
            if self.cuts.strikes(request):
                client.close()
        client.connection.sendall(b"0\r\n\r\n")


class IgnoreRange(Fault):
    """Sends whole files, whatever was asked for."""

    def strike(self, client, request, forward):
        request.drop("range", "if-range")
        client.send(forward(request))


class Change(Fault):
    """Does something once it has sent a part of the file, so that the next part is another file's."""

    def __init__(self, change, **options):
        super().__init__(**options)
        self.change = change

    def strike(self, client, request, forward):
        response = forward(request)
        self.change()
        client.send(response)


class AnswerOfWrongRange(Fault):
    """Says that the bytes are those behind the ones that they are."""

    def strike(self, client, request, forward):
        response = forward(request)
        response.headers = [(key, re.sub(r"bytes (\d+)", lambda at: f"bytes {int(at.group(1)) + 1}", value)
                             if key.lower() == "content-range" else value) for key, value in response.headers]
        client.send(response)


class FaultProxy:
    def __init__(self, upstream, fault):
        self.fault, self.requests = fault, []
        self._upstream, self._stopping = upstream, threading.Event()
        self._listener = Listener(self.serve)
        self.port = self._listener.port

    def stop(self):
        self._stopping.set()
        self._listener.stop()

    def http(self, path, credentials=""):
        return f"http://{credentials and credentials + '@'}{HOST}:{self.port}{path}"

    def serve(self, connection):
        client, rest = Client(connection, self._stopping), b""
        while True:
            while b"\r\n\r\n" not in rest:
                bytes_read = connection.recv(65536)
                if not bytes_read:
                    return
                rest += bytes_read
            head, rest = rest.split(b"\r\n\r\n", 1)
            request = Request(head, b"")
            length = int(request.header("Content-Length") or 0)
            while len(rest) < length:
                rest += connection.recv(65536)
            request.body, rest = rest[:length], rest[length:]
            self.requests.append(request)
            self.fault.respond(client, request, self._forward)

    def _forward(self, request):
        upstream = http.client.HTTPConnection(*self._upstream, timeout=60)
        try:
            upstream.putrequest(request.method, request.target, skip_host=True, skip_accept_encoding=True)
            for name, value in request.headers:
                upstream.putheader(name, value)
            upstream.endheaders(request.body or None)
            response = upstream.getresponse()
            length = response.getheader("Content-Length") if request.method == "HEAD" else None
            return Response(response.status, response.getheaders(), response.read(), length)
        finally:
            upstream.close()
