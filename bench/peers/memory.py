"""How much memory there is for more processes of a kind."""
import pathlib

# MB that other programs of the machine are left.
LEFT_FREE = 2000


def private_mb(pid):
    """What a process has for itself: pages of libraries are shared."""
    lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def available_mb():
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")) / 1024


def lacking(processes, each_mb, free_mb):
    """Why so many do not fit; "" if they do."""
    if processes * each_mb <= free_mb - LEFT_FREE:
        return ""
    return f"{processes} more processes of {each_mb:.0f} MB each; {free_mb:.0f} MB are free"
