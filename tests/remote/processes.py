"""Servers that are processes of their own: started on a free port of the loopback, ended by their process id."""
import ctypes
import os
import signal
import socket
import subprocess
import time

HOST = "127.0.0.1"
_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def is_listening(port):
    try:
        socket.create_connection((HOST, port), timeout=1).close()
        return True
    except OSError:
        return False


def wait_until(is_so, what, seconds=300):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"{what}: waited {seconds} s in vain"
        time.sleep(0.02)


def _end_with_parent():
    # Tests that are killed leave no server behind.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class ServerProcess:
    """A command that listens on a port. `words`: gives the command for the ports that it is to take."""

    def __init__(self, words, log, ports=1, env=None):
        # Between looking for a port and taking it somebody else may have: then another is tried.
        for _ in range(5):
            self.ports = [free_port() for _ in range(ports)]
            with open(log, "wb") as output:
                self.process = subprocess.Popen(words(*self.ports), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                                env=env, preexec_fn=_end_with_parent)
            if self._comes_up():
                return
            self.stop()
        with open(log, errors="replace") as output:
            raise RuntimeError(f"{words(*self.ports)} does not start:\n{output.read()}")

    def _comes_up(self):
        def is_settled():
            return self.process.poll() is not None or all(is_listening(port) for port in self.ports)

        wait_until(is_settled, f"start of process {self.process.pid}")
        return self.process.poll() is None

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
