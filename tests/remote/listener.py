"""A port of the loopback, whose connections are served on threads of their own.

    listener = Listener(lambda connection: connection.sendall(b"HTTP/1.1 204 No Content\\r\\n\\r\\n"))
    listener.port
    listener.stop()
"""
import socketserver
import threading

from processes import HOST


class Listener:
    """`serve` is given each connection, which ends when it returns or the other end is gone."""

    def __init__(self, serve):
        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                try:
                    serve(self.request)
                except OSError:
                    pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, block_on_close, request_queue_size = True, False, 64

        self._server = Server((HOST, 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
