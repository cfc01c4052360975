"""Results as tables. A ratio is mxinfer's time over that of the fastest peer: below 1.0 mxinfer is ahead."""
from names import FLOAT32, GPU_PEERS, PEERS, TITLES
from networks import NETWORKS


def time_of(cell, name, key="ms_per_image"):
    return cell["contestants"].get(name, {}).get(key)


def fastest_peer(cell, key="ms_per_image"):
    """(name, time), or None where no peer runs."""
    times = [(time_of(cell, name, key), name) for name in PEERS + GPU_PEERS if time_of(cell, name, key)]
    return min(times)[::-1] if times else None


def ratio(cell, key="ms_per_image"):
    own, peer = time_of(cell, "mxinfer", key), fastest_peer(cell, key)
    return own / peer[1] if own and peer else None


def of_float32(cell, key="ms_per_image"):
    """mxinfer's time in int8 over that of its float32."""
    own, whole = time_of(cell, "mxinfer", key), time_of(cell, FLOAT32, key)
    return own / whole if own and whole else None


def number(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def conditions(cell):
    """What a cell was held to, as it follows a title: "" for most."""
    return "".join(f", {cell[name]}" for name in ("isa", "precision", "device") if cell.get(name))


def fidelity(result):
    """Signal to noise in dB, and how many samples keep their best class: "35.1 (94%)"."""
    if "snr_db" not in result:
        return "-"
    return f"{result['snr_db']:.1f}" + (f" ({result['top1']:.0%})" if result["top1"] is not None else "")


def where(cell):
    return [NETWORKS[cell["network"]].title + conditions(cell), str(cell["batch"]), str(cell["threads"])]


def fidelity_rows(cells):
    """A table of what int8 keeps of float32; none where nothing is quantized."""
    names = [name for name in TITLES if any("snr_db" in cell["contestants"].get(name, {}) for cell in cells)]
    head = ["network", "batch", "threads", *[f"{TITLES[name]}, dB (top-1)" for name in names]]
    return [head, *[[*where(cell), *[fidelity(cell["contestants"].get(name, {})) for name in names]] for cell in cells]] if names else []


def row(cell, names):
    peer, found = fastest_peer(cell), ratio(cell)
    best = ratio(cell, "best_ms_per_image")
    return [*where(cell), *[number(time_of(cell, name)) for name in names], TITLES[peer[0]] if peer else "-", number(found), number(best)]


def head(names):
    return ["network", "batch", "threads", *[TITLES[name] for name in names], "fastest peer", "ratio", "of the best calls"]


def names_in(cells):
    return [name for name in TITLES if any(name in cell["contestants"] for cell in cells)]


def aligned(rows):
    widths = [max(len(line[i]) for line in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in rows)


def rows(cells):
    """The table of times. Where float32 takes part beside int8, it ends with the ratio of these two."""
    names = names_in(cells)
    lines = [head(names), *[row(cell, names) for cell in cells]]
    if FLOAT32 in names:
        lines[0] += ["of its float32", "of the best calls"]
        for line, cell in zip(lines[1:], cells):
            line += [number(of_float32(cell)), number(of_float32(cell, "best_ms_per_image"))]
    return lines


def text_table(cells):
    return "\n\n".join(aligned(table) for table in (rows(cells), fidelity_rows(cells)) if table)


def markdown(lines):
    width = len(lines[0])
    lines = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([lines[0], "|" + "---|" * width, *lines[1:]]) + "\n"


def markdown_table(cells):
    return "\n".join(markdown(table) for table in (rows(cells), fidelity_rows(cells)) if table)


def times_ahead(cell, peer):
    """The peer's time over mxinfer's by medians, and in brackets by the best calls: above 1 mxinfer is ahead."""
    ratios = [time_of(cell, peer, key) / time_of(cell, "mxinfer", key) for key in ("ms_per_image", "best_ms_per_image")
              if time_of(cell, peer, key) and time_of(cell, "mxinfer", key)]
    return "{:.2f} ({:.2f})".format(*ratios) if ratios else "-"


def ahead(cells):
    """Rows of how far mxinfer is ahead of each, without times."""
    peers = [name for name in names_in(cells) if name not in ("mxinfer", FLOAT32)]
    return [["network", *[TITLES[name] for name in peers]],
            *[[NETWORKS[cell["network"]].title + conditions(cell), *[times_ahead(cell, name) for name in peers]] for cell in cells]]


def describe(cell):
    threads = f"{cell['threads']} thread{'s' * (cell['threads'] > 1)}"
    return f"{NETWORKS[cell['network']].title}, batch {cell['batch']}, {threads}{conditions(cell)}"


def lost(cells):
    """Cells where a peer is faster, the worst first."""
    behind = [(ratio(cell), cell) for cell in cells if (ratio(cell) or 0) > 1]
    return sorted(behind, key=lambda pair: -pair[0])


def unable(cells):
    """(cell, contestant, why) for each that does not run."""
    return [(cell, name, result["unable"]) for cell in cells for name, result in cell["contestants"].items()
            if "unable" in result]
