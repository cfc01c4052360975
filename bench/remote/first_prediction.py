#!/usr/bin/env python3
"""Load and first prediction of a model by http from this machine, beside the same from its files, in turn in one run.

    bench/remote/first_prediction.py --mxinfer build/release/bin/mxinfer --nginx build/release/tests/remote/bin/nginx \\
        --model models/resnet50_v1/model --shape data=1,3,224,224

Each time is one of a new process, with an empty folder for copies. Files are in the page cache. tests/remote/setup.sh gets
an nginx where there is none.
"""
import argparse
import contextlib
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

CONFIG = """daemon off; worker_processes 1; pid {work}/pid; error_log {work}/errors;
events {{ worker_connections 64; }}
http {{ access_log off; sendfile on; client_body_temp_path {work}/1; proxy_temp_path {work}/2; fastcgi_temp_path {work}/3;
uwsgi_temp_path {work}/4; scgi_temp_path {work}/5; server {{ listen 127.0.0.1:{port}; root {folder}; }} }}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def served(nginx, folder, work):
    """The address of the folder, while it is served."""
    port = free_port()
    (work / "config").write_text(CONFIG.format(work=work, port=port, folder=folder))
    server = subprocess.Popen([nginx, "-p", work, "-c", work / "config"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                yield f"http://127.0.0.1:{port}"
                return
            time.sleep(0.05)
        sys.exit("nginx does not answer")
    finally:
        server.terminate()
        server.wait()


def once(options, model, threads):
    with tempfile.TemporaryDirectory() as copies:
        words = [options.mxinfer, "bench", model, "--threads", str(threads), "--seconds", "0.01", "--json"]
        for shape in options.shape:
            words += ["--shape", shape]
        result = subprocess.run(words, env={**os.environ, "MXINFER_CACHE_DIR": copies}, check=True, capture_output=True)
        found = json.loads(result.stdout)
        return found["load_ms"] + found["first_ms"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mxinfer", required=True)
    parser.add_argument("--nginx", default="nginx")
    parser.add_argument("--model", required=True, type=pathlib.Path, help="a prefix")
    parser.add_argument("--shape", action="append", required=True, help="as mxinfer bench takes it")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    model = options.model.resolve()
    with tempfile.TemporaryDirectory() as work, served(options.nginx, model.parent, pathlib.Path(work)) as address:
        os.chmod(work, 0o755)
        for threads in options.threads:
            files, http = [], []
            for _ in range(options.rounds):
                files.append(once(options, str(model), threads))
                http.append(once(options, f"{address}/{model.name}", threads))
            ratio = statistics.median(b / a for a, b in zip(files, http))
            print(f"{threads} threads: files {statistics.median(files):.0f} ms, http {statistics.median(http):.0f} ms, "
                  f"best {min(files):.0f} and {min(http):.0f} ms, median of the ratios {ratio:.2f}")


if __name__ == "__main__":
    main()
