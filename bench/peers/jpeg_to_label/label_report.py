"""Results as tables. A ratio is mxinfer's images a second over those of the fastest peer: above 1 mxinfer is ahead."""
import statistics

from networks import NETWORKS
from report import aligned, markdown, number

TITLES = {"mxinfer": "mxinfer", "mxinfer_lists": "mxinfer, lists of 8",
          "onnxruntime_each": "ONNX Runtime, a file a thread", "onnxruntime_ahead": "ONNX Runtime, decoding ahead",
          "openvino_each": "OpenVINO, a file a thread", "openvino_ahead": "OpenVINO, decoding ahead"}
OWN = ["mxinfer", "mxinfer_lists"]
PEERS = [name for name in TITLES if name not in OWN]


def summary(turns):
    """Of (images a second, the processor's milliseconds for one)."""
    rates = [found for found, _ in turns]
    return {"images_per_s": statistics.median(rates), "best_images_per_s": max(rates), "cpu_ms": statistics.median(ms for _, ms in turns),
            "turns": turns}


def rate(cell, name, key="images_per_s"):
    return cell["contestants"].get(name, {}).get(key)


def fastest(cell, names, key="images_per_s"):
    """The name of the fastest, or None."""
    rates = [(rate(cell, name, key), name) for name in names if rate(cell, name, key)]
    return max(rates)[1] if rates else None


def ratio(cell, key="images_per_s"):
    own, peer = fastest(cell, OWN, key), fastest(cell, PEERS, key)
    return rate(cell, own, key) / rate(cell, peer, key) if own and peer else None


def cpu_ratio(cell):
    """The least time of a peer over mxinfer's least."""
    least = [min((rate(cell, name, "cpu_ms") for name in names if rate(cell, name, "cpu_ms")), default=None) for names in (PEERS, OWN)]
    return least[0] / least[1] if all(least) else None


def agreement(labels, others):
    """The share of files with the same label."""
    return sum(a == b for a, b in zip(labels, others)) / len(labels)


def centred_labels(scores):
    """The class of each file that stands out most from the mean over all files. Random weights prefer one class for all of
    them: the best class alone would tell nothing."""
    count = len(scores)
    means = [sum(column) / count for column in zip(*scores)]
    distinct = []
    for row in scores:
        lifted = [score - mean for score, mean in zip(row, means)]
        distinct.append(lifted.index(max(lifted)))
    return distinct


def of_size(cell):
    return f"{cell['width']} x {cell['height']}" + (", scaled" if cell["scaled"] else "")


def both(cell, name):
    """Images a second, and in brackets the processor's milliseconds for one."""
    found = rate(cell, name)
    return f"{number(found)} ({number(rate(cell, name, 'cpu_ms'))})" if found else "-"


def rows(cells):
    names = [name for name in TITLES if any(name in cell["contestants"] for cell in cells)]
    head = ["network", "photos", *[TITLES[name] for name in names], "ratio", "of the best turns", "of processor time"]
    return [head] + [[NETWORKS[cell["network"]].title, of_size(cell), *[both(cell, name) for name in names], number(ratio(cell)),
                      number(ratio(cell, "best_images_per_s")), number(cpu_ratio(cell))] for cell in cells]


def agreement_rows(cells):
    return [["network", "photos", "contestant", "same label", "largest difference of scores"]] + [
        [NETWORKS[cell["network"]].title, of_size(cell), TITLES[name], f"{found['agreement']:.1%}", f"{found['difference']:.1e}"]
        for cell in cells for name, found in cell["contestants"].items() if "agreement" in found]


def notes(cells):
    return [f"{NETWORKS[cell['network']].title}, {of_size(cell)}: {TITLES[name]}: {found['unable']}"
            for cell in cells for name, found in cell["contestants"].items() if "unable" in found]


def text(cells):
    return "\n\n".join(part for part in (aligned(rows(cells)), aligned(agreement_rows(cells)), "\n".join(notes(cells))) if part)


def markdown_table(cells):
    return markdown(rows(cells))
