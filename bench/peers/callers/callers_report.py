"""What many callers got, as tables. A cell is a network and a number of callers:

    {"network", "callers", "ways": {"mxinfer_async": {"calls_per_s", "best_calls_per_s", "p50_ms", "p99_ms", "calls"},
                                    "mxnet": {"unable": "64 processes of 400 MB; 9000 MB are free"}}}

A ratio of calls a second is mxinfer's over the peer's: above 1 mxinfer is ahead. One of p99 is below 1 then.
"""
import math
import statistics

from networks import NETWORKS
from report import markdown, number

# By the name of the way: who is called how. The best way of a library counts as that library.
TITLES = {"mxinfer_threads": "mxinfer, threads", "mxinfer_async": "mxinfer, in flight",
          "onnxruntime": "ONNX Runtime, all cores a call", "onnxruntime_1": "ONNX Runtime, one thread a call",
          "openvino_throughput": "OpenVINO, THROUGHPUT", "openvino_latency": "OpenVINO, LATENCY",
          "mxnet": "MXNet, a process a caller"}
OWN = [name for name in TITLES if name.startswith("mxinfer")]
PEERS = [name for name in TITLES if name not in OWN]
# What mxinfer is held to: of its own best rate with many callers, and of the best peer's p99 with some.
MANY, OF_OWN_BEST = (16, 64), 0.95
SOME, OF_PEER_P99 = 16, 1.0


def percentile(ordered, share):
    """The smallest value that at least that share of all do not exceed."""
    return ordered[max(1, math.ceil(share * len(ordered))) - 1]


def turn(ms, elapsed_s):
    ordered = sorted(ms)
    return {"calls_per_s": len(ms) / elapsed_s, "p50_ms": percentile(ordered, 0.5), "p99_ms": percentile(ordered, 0.99),
            "calls": len(ms)}


def summary(turns):
    """Medians of the turns, which one disturbed turn does not move, and the best rate."""
    medians = {key: statistics.median(one[key] for one in turns) for key in ("calls_per_s", "p50_ms", "p99_ms")}
    return {**medians, "best_calls_per_s": max(one["calls_per_s"] for one in turns),
            "calls": sum(one["calls"] for one in turns)}


def measured(cell, names):
    return [name for name in names if "calls_per_s" in cell["ways"].get(name, {})]


def fastest(cell, names, key="calls_per_s"):
    """The way with the most calls a second, None where none was measured."""
    return max(measured(cell, names), key=lambda name: cell["ways"][name][key], default=None)


def ratio(cell, key="calls_per_s"):
    own, peer = fastest(cell, OWN, key), fastest(cell, PEERS, key)
    return cell["ways"][own][key] / cell["ways"][peer][key] if own and peer else None


def least_p99(cell, names):
    return min(measured(cell, names), key=lambda name: cell["ways"][name]["p99_ms"], default=None)


def title(cell):
    return [NETWORKS[cell["network"]].title, str(cell["callers"])]


def measured_rows(cells):
    rows = [["network", "callers", "who", "calls/s", "p50, ms", "p99, ms"]]
    for cell in cells:
        for name in [name for name in TITLES if name in cell["ways"]]:
            found = cell["ways"][name]
            numbers = [number(found[key]) for key in ("calls_per_s", "p50_ms", "p99_ms")] if "calls_per_s" in found \
                else ["-", "-", found["unable"]]
            rows.append([*title(cell), TITLES[name], *numbers])
    return rows


def rate_and_p99(cell, name):
    found = cell["ways"].get(name, {})
    return f"{number(found['calls_per_s'])} ({number(found['p99_ms'])})" if "calls_per_s" in found else "-"


def ratio_rows(cells):
    rows = [["network", "callers", *[TITLES[name] for name in OWN], "best peer", "its calls/s (p99)", "ratio", "of the best turns"]]
    for cell in cells:
        peer = fastest(cell, PEERS)
        rows.append([*title(cell), *[rate_and_p99(cell, name) for name in OWN], TITLES[peer] if peer else "-",
                     rate_and_p99(cell, peer), number(ratio(cell)), number(ratio(cell, "best_calls_per_s"))])
    return rows


def verdict(holds):
    return "yes" if holds else "NO"


def of_own_best(cell, cells, name, key="calls_per_s"):
    """Over the best that the same way does with any number of callers."""
    rates = [other["ways"][name][key] for other in cells if other["network"] == cell["network"] and measured(other, [name])]
    return cell["ways"][name][key] / max(rates)


def scaling_rows(cells):
    """Each way of mxinfer with many callers."""
    rows = [["network", "who", "callers", "of its own best", "of the best turns", f"at least {OF_OWN_BEST}"]]
    for cell in cells:
        for name in measured(cell, OWN) if cell["callers"] in MANY else []:
            part, of_best = (of_own_best(cell, cells, name, key) for key in ("calls_per_s", "best_calls_per_s"))
            rows.append([title(cell)[0], TITLES[name], str(cell["callers"]), f"{part:.3f}", f"{of_best:.3f}",
                         verdict(part >= OF_OWN_BEST)])
    return rows


def p99_rows(cells):
    """Each way of mxinfer with some callers, over the peer whose p99 is least."""
    rows = [["network", "who", "callers", "p99, ms", "the least of a peer", "whose", "ratio", "no worse"]]
    for cell in cells:
        peer = least_p99(cell, PEERS) if cell["callers"] == SOME else None
        for name in measured(cell, OWN) if peer else []:
            own, other = cell["ways"][name]["p99_ms"], cell["ways"][peer]["p99_ms"]
            rows.append([title(cell)[0], TITLES[name], str(SOME), number(own), number(other), TITLES[peer],
                         f"{own / other:.2f}", verdict(own / other <= OF_PEER_P99)])
    return rows


def tables(cells):
    """Those that have rows: all that was measured, and what follows from it."""
    found = [rows(cells) for rows in (measured_rows, ratio_rows, scaling_rows, p99_rows)]
    return [rows for rows in found if len(rows) > 1]


def notes(cells):
    """What is said of a way beside its numbers, once each."""
    found = {(cell["network"], name): result["note"] for cell in cells for name, result in cell["ways"].items() if "note" in result}
    return [f"{NETWORKS[network].title}: {TITLES[name]}, {note}" for (network, name), note in found.items()]


def markdown_tables(cells):
    return "\n".join(markdown(rows) for rows in tables(cells)[1:])
