"""docs/reference/performance.md, from results and performance.template.md."""
import pathlib

import report
import roofline
from names import TITLES

HERE = pathlib.Path(__file__).resolve().parent
# Cores, and how many times one core's memory rate they read at.
MACHINES = [(1, 1), (8, 8), (32, 8), (128, 16)]


def machine_text(found):
    cpu, lines = found["machine"]["cpu"], []
    lines.append(f"{cpu['model']} (family {cpu['family']}), {cpu['cores']} cores, {', '.join(cpu['isa'])}; {found['date']}.")
    for peak in found["machine"]["peak"]:
        lines.append(f"With {peak['threads']} thread{'s' * (peak['threads'] > 1)} it computes {peak['gflops']:.0f} GFLOP/s (float32, "
                     f"in registers) and reads {peak['read_gb_s']:.0f} GB/s from memory.")
    lines.append("Compared with " + ", ".join(f"{TITLES[name]} {version}" for name, version in found["machine"]["versions"].items()) + ".")
    return "\n".join(lines)


def lost_text(cells):
    lines = [f"- {report.describe(cell)}: {ratio:.2f} ({TITLES[report.fastest_peer(cell)[0]]}; "
             f"{report.number(report.ratio(cell, 'best_ms_per_image'))} for the best calls)" for ratio, cell in report.lost(cells)]
    ahead = sum((report.ratio(cell) or 2) <= 1 for cell in cells)
    return f"mxinfer is faster in {ahead} of {len(cells)} cells. It is slower in these:\n\n" + "\n".join(lines) if lines else "Nowhere."


def unable_text(cells):
    reasons = {}
    for cell, name, why in report.unable(cells):
        reasons.setdefault((report.NETWORKS[cell["network"]].title, TITLES[name]), why.replace("|", "/"))
    return report.markdown([["network", "library", "why"]] + [[*key, why] for key, why in reasons.items()]) if reasons else "All run."


def start_up_text(found):
    rows = []
    for threads, contestants in found.get("start_up", {}).items():
        fastest = min((values["ms"] for name, values in contestants.items() if name != "mxinfer"), default=None)
        for name, values in contestants.items():
            ratio = f"{values['ms'] / fastest:.2f}" if name == "mxinfer" and fastest else ""
            rows.append([TITLES[name], threads, f"{values['ms']:.0f} ms", ratio, f"{values['peak_mb']:.0f} MB"])
    head = ["library", "threads", "first prediction", "of the fastest peer's", "peak memory"]
    return report.markdown([head] + rows) if rows else "Not measured."


def roofline_text(found):
    if "roofline" not in found:
        return "Not measured."
    peak = found["machine"]["peak"][0]
    rows = [["layers", "output", "kernel", "GFLOP", "weights, MB", "ms", "GFLOP/s", "of what is possible"]]
    for row in found["roofline"]:
        bound = roofline.bound_ms(row, peak["gflops"], peak["read_gb_s"])
        rows.append([str(row["count"]), row["output"].replace("float32 ", ""), row["kernel"].split(" ")[0],
                     f"{row['flops'] / 1e9:.2f}", f"{row['weight_bytes'] / 1e6:.1f}", f"{row['ms']:.2f}",
                     f"{row['flops'] / row['ms'] / 1e6:.0f}", f"{bound / row['ms']:.0%}"])
    total = sum(row["ms"] for row in found["roofline"])
    best = sum(roofline.bound_ms(row, peak["gflops"], peak["read_gb_s"]) for row in found["roofline"])
    return (f"Batch 1, one thread, from `mxinfer bench --by-node`. These layers take {total:.1f} ms. At peak arithmetic, or with weights "
            f"read at the rate of memory, they would take {best:.1f} ms. Arithmetic that Winograd saves counts as done, so a layer can "
            f"exceed 100%.\n\n"
            + report.markdown(rows))


def scaling_text(found):
    if "roofline" not in found:
        return "Not measured."
    peak = found["machine"]["peak"][0]
    one = roofline.on_paper(found["roofline"], peak["gflops"], peak["read_gb_s"], 1)
    rows = [["cores", "ResNet-50, batch 1, ms at least", "times one core", "of which barriers"]]
    for cores, memory in MACHINES:
        ms = roofline.on_paper(found["roofline"], peak["gflops"], peak["read_gb_s"] * memory, cores)
        barriers = sum(row["count"] for row in found["roofline"]) * roofline.BARRIER_US[cores] / 1e3
        rows.append([f"{cores}{' (two sockets)' * (cores == 128)}", f"{ms:.2f}", f"{one / ms:.1f}", f"{barriers / ms:.0%}"])
    return report.markdown(rows)


def page(found):
    text = (HERE / "performance.template.md").read_text()
    cells = found["cells"]
    parts = {"machine": machine_text(found), "commands": found["command"], "table": report.markdown_table(cells),
             "lost": lost_text(cells), "unable": unable_text(cells), "start_up": start_up_text(found),
             "roofline": roofline_text(found), "scaling": scaling_text(found)}
    for name, part in parts.items():
        text = text.replace("{" + name + "}", part.rstrip("\n"))
    return text
