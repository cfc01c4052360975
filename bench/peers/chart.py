"""The ratios as a chart: a bar for each cell, shorter than 1 where mxinfer is ahead."""
from networks import NETWORKS
from report import fastest_peer, ratio


def draw(cells, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    kinds = sorted({(cell["threads"], cell["batch"] > 1) for cell in cells if ratio(cell)})
    names = [name for name in NETWORKS if any(cell["network"] == name and ratio(cell) for cell in cells)]
    figure, axes = pyplot.subplots(figsize=(8, 0.9 + 0.16 * len(names) * (len(kinds) + 1)))
    height = 0.85 / max(1, len(kinds))
    for k, (threads, batched) in enumerate(kinds):
        label = f"{threads} thread{'s' * (threads > 1)}, {'batches' if batched else 'batch 1'}"
        found = {cell["network"]: cell for cell in cells if ratio(cell) and (cell["threads"], cell["batch"] > 1) == (threads, batched)}
        places = [i + k * height for i, name in enumerate(names) if name in found]
        values = [ratio(found[name]) for name in names if name in found]
        axes.barh(places, values, height, label=label)
        for place, value, name in zip(places, values, [name for name in names if name in found]):
            axes.text(value + 0.01, place, f"{value:.2f}", va="center", fontsize=5)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks([i + 0.4 - height / 2 for i in range(len(names))], [NETWORKS[name].title for name in names], fontsize=7)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.set_xlabel("mxinfer's time over that of the fastest peer (left of 1: mxinfer ahead)", fontsize=7)
    axes.tick_params(axis="x", labelsize=7)
    axes.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
