"""Cells of the table: what was measured, ratios, and the table as text. Needs nothing but Python."""
import dataclasses
import math

# Of the largest magnitude of an output: operands of products are rounded, in a hundred layers one behind another.
TOLERANCE = {"float32": 1e-3, "tf32": 5e-2, "float16": 5e-2, "bfloat16": 2e-1}
HEADER = ("network", "batch", "precision", "mxinfer, device", "torch, graph", "torch, eager", "ratio to the better",
          "mxinfer, host to host", "torch, host to host", "difference")


@dataclasses.dataclass
class Cell:
    network: str
    batch: int
    precision: str
    device_ms: float = None
    host_ms: float = None
    torch: dict = dataclasses.field(default_factory=dict)  # "graph_ms", "eager_ms", "host_ms"
    difference: float = None
    notes: list = dataclasses.field(default_factory=list)

    def ratio(self):
        """Of the times on the device; below 1 mxinfer is faster. None without either."""
        better = min((self.torch[key] for key in ("graph_ms", "eager_ms") if key in self.torch), default=None)
        return self.device_ms / better if self.device_ms and better else None

    def is_wrong(self):
        return self.difference is not None and not self.difference <= TOLERANCE[self.precision]

    def row(self):
        times = [self.device_ms, self.torch.get("graph_ms"), self.torch.get("eager_ms"), self.ratio(), self.host_ms,
                 self.torch.get("host_ms")]
        return [self.network, str(self.batch), self.precision, *map(number, times),
                "-" if self.difference is None else f"{self.difference:.1e}"]


def number(value):
    return "-" if value is None else f"{value:.2f}"


def line(fields):
    return "| " + " | ".join(fields) + " |"


def head():
    return line(HEADER) + "\n" + "|" + "---|" * len(HEADER)


def largest_difference(expected, actual):
    """Of arrays, relative to the largest magnitude of each; infinite where shapes differ."""
    largest = 0.0
    if len(expected) != len(actual):
        return math.inf
    for one, other in zip(expected, actual):
        if one.shape != other.shape:
            return math.inf
        scale = float(abs(one).max())
        apart = float(abs(one - other).max())
        if not math.isfinite(apart):
            return math.inf
        largest = max(largest, apart / scale if scale else apart)
    return largest


def mean_ratios(cells):
    """[(precision, batch, geometric mean of the ratios, how many)], in order of appearance."""
    groups = {}
    for cell in cells:
        if cell.ratio():
            groups.setdefault((cell.precision, cell.batch), []).append(math.log(cell.ratio()))
    return [(precision, batch, math.exp(sum(logs) / len(logs)), len(logs)) for (precision, batch), logs in groups.items()]


def summary(cells):
    means = [f"{precision} at batch {batch}: {mean:.2f} of {count}" for precision, batch, mean, count in mean_ratios(cells)]
    lines = ["Geometric means of the ratios: " + "; ".join(means)] if means else []
    return lines + [f"{cell.network}, batch {cell.batch}, {cell.precision}: {note}" for cell in cells for note in cell.notes]
