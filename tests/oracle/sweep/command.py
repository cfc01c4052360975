"""The command mxinfer."""
import subprocess


class Command:
    """command("inspect", ...) runs it. What computes does so on `device`, and what would be left to the CPU is an error."""

    def __init__(self, path, device=None):
        self.path = path
        self.on_device = ["--device", device, "--no-cpu-fallback"] if device else []

    def __call__(self, name, *arguments):
        on_device = self.on_device if name in ("predict", "diff") else []
        done = subprocess.run([self.path, name, *map(str, arguments), *on_device], capture_output=True, text=True)
        if done.returncode < 0:
            raise RuntimeError(f"killed by signal {-done.returncode}")
        return done
