"""From nothing to the first prediction, in a new process, and the most memory that takes."""
import contextlib
import statistics
import sys

from contestants import Unable, start
from names import TITLES


def once(name, setup, network, threads):
    environment = {"MXNET_SUBGRAPH_BACKEND": "MKLDNN"} if name == "mxnet" else {}
    with start(name, setup, network, 1, threads, **environment) as contestant:
        return contestant.start_up_ms(), contestant.peak_mb()


def measure(options, setup, network, threads):
    """{name: {"ms", "peak_mb"}}: medians. What Python itself takes to start is left out of the times of the peers; its
    memory, some 30 MB with NumPy, is in. Files are in the page cache."""
    found = {name: [] for name in options.contestants}
    for _ in range(options.rounds):
        for name in options.contestants:
            with contextlib.suppress(Unable):
                found[name].append(once(name, setup, network, threads))
    for name in [name for name, values in found.items() if not values]:
        print(f"  {TITLES[name]} does not start", file=sys.stderr)
    return {name: {"ms": statistics.median(ms for ms, _ in values), "peak_mb": statistics.median(mb for _, mb in values)}
            for name, values in found.items() if values}
