"""nginx on the loopback, as this user and in the foreground, over a folder with the files that it serves.

    with Nginx(program, work, files) as server:
        server.http("/models/digits")        # http://127.0.0.1:PORT/models/digits
        server.requests()                    # [Request(method="GET", path="/models/digits-symbol.json", status=206, ...)]

What stands in front of a path says how it is served: /slow/models/digits is the same file at a few MB a second. The names
are the locations of the configuration below.
"""
import collections
import gzip
import json
import shutil
import urllib.request

from certificates import Certificates
from processes import HOST, ServerProcess, wait_until

USER, PASSWORD = "reader", "known-password"
FORBIDDEN = "<html><body>You may not read this page</body></html>"
PORTAL = "<!DOCTYPE html><html><body>Welcome! Sign in to go on.</body></html>"

# One process does all, so that no request is in the log later than those after it.
CONFIGURATION = """
daemon off;
master_process off;
pid %(work)s/nginx.pid;
error_log %(work)s/error.log;
events { worker_connections 256; }
http {
  log_format json escape=json '["$request_method","$request_uri","$status","$http_range","$http_if_range",'
    '"$http_if_none_match","$http_authorization","$body_bytes_sent","$scheme","$http_host","$http_accept_encoding"]';
  access_log %(work)s/access.log json;
  client_body_temp_path %(work)s/temporary; proxy_temp_path %(work)s/temporary; fastcgi_temp_path %(work)s/temporary;
  uwsgi_temp_path %(work)s/temporary; scgi_temp_path %(work)s/temporary;
  types { application/json json; text/plain txt; image/jpeg jpg; image/png png; }
  default_type application/octet-stream;
  ssl_certificate %(chain)s;
  ssl_certificate_key %(key)s;
  server {
    listen %(host)s:%(http)d;
    listen %(host)s:%(https)d ssl;
    root %(files)s;
    location /no-ranges/ { alias %(files)s/; max_ranges 0; }
    location /no-etag/ { alias %(files)s/; etag off; }
    location /gzip/ { alias %(files)s/; gzip on; gzip_types *; gzip_min_length 1; }
    location /slow/ { alias %(files)s/; limit_rate 6m; }
    location /private/ { alias %(files)s/; auth_basic models; auth_basic_user_file %(work)s/users; }
    location /stored-gzip/ { alias %(work)s/compressed/; add_header Content-Encoding gzip; }
    location /forbidden/ { default_type text/html; return 403 "%(forbidden)s"; }
    location /portal/ { default_type text/html; return 200 "%(portal)s"; }
    location ~ ^/to-https/(.*)$ { return 302 https://%(host)s:%(https)d/$1; }
    location ~ ^/to-http/(.*)$ { return 302 http://%(host)s:%(http)d/$1; }
    location ~ ^/to-localhost/(.*)$ { return 307 http://localhost:%(http)d/$1; }
    location ~ ^/to-path/(.*)$ { absolute_redirect off; return 301 /$1; }
    location ~ ^/to-file/(.*)$ { return 302 file://%(files)s/$1; }
    location ~ ^/hops/(.*)$ { absolute_redirect off; return 302 /to-path/to-path/to-path/$1; }
    location /loop/ { absolute_redirect off; return 302 $request_uri; }
  }
}
"""

Request = collections.namedtuple(
    "Request", "method path status range if_range if_none_match authorization bytes scheme host accept_encoding")


class Nginx:
    def __init__(self, program, work, files):
        self.files, self.certificates = files, Certificates(work)
        self._log = work / "access.log"
        self._seen = self._markers = 0
        (work / "temporary").mkdir()
        (work / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        self._compress(files, work / "compressed")
        configuration = work / "nginx.conf"

        def words(http, https):
            configuration.write_text(CONFIGURATION % {
                "work": work, "files": files, "host": HOST, "http": http, "https": https, "forbidden": FORBIDDEN,
                "portal": PORTAL, "chain": self.certificates.chain, "key": self.certificates.key})
            return [program, "-c", str(configuration), "-p", str(work), "-e", str(work / "error.log")]

        self._process = ServerProcess(words, work / "nginx.log", ports=2)
        self.port, self.secure_port = self._process.ports

    @staticmethod
    def _compress(files, to):
        for source in (files / "models").iterdir():
            target = to / "models" / source.name
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(source, "rb") as plain, gzip.open(target, "wb", compresslevel=1) as compressed:
                shutil.copyfileobj(plain, compressed)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stop()

    def http(self, path, credentials="", host=HOST):
        return f"http://{credentials and credentials + '@'}{host}:{self.port}{path}"

    def https(self, path, host=HOST):
        return f"https://{host}:{self.secure_port}{path}"

    def _read(self):
        return [Request(*json.loads(line)) for line in self._log.read_text().splitlines()]

    def requests(self, ending=""):
        """Those since forget_requests(), without the ones that this asks itself; of paths that end so."""
        self._markers += 1
        marker = f"/marker-{self._markers}"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPErrorProcessor)
        try:
            opener.open(f"http://{HOST}:{self.port}{marker}").close()
        except urllib.error.HTTPError:  # the file does not exist
            pass
        wait_until(lambda: any(request.path == marker for request in self._read()), "the server's log")
        return [request for request in self._read()[self._seen:]
                if not request.path.startswith("/marker-") and request.path.endswith(ending)]

    def forget_requests(self):
        self.requests()
        self._seen = len(self._read())
