"""How near model.py comes to launches that were measured: measured.json, and the constants that fit them best.

    python3 bench/cuda/model/calibration.py                  prints each launch, measured and as the model has it
    python3 bench/cuda/model/calibration.py --fit SECONDS    searches for better constants, and prints them
    python3 bench/cuda/model/calibration.py --leave-out SECONDS
        predicts each group of launches by constants that fit the others, and writes
        the errors into measured.json
"""
import argparse
import dataclasses
import json
import math
import pathlib
import random
import time

import model
import work

MEASURED = pathlib.Path(__file__).resolve().parent / "measured.json"


@dataclasses.dataclass(frozen=True)
class Launch:
    """`group`: launches that differ little from each other, such as one kernel, or one problem by kernels of many tiles. All groups
    count alike."""
    group: str
    title: str
    gpu: model.Gpu
    us: float
    left_out: float  # the model's error, as a logarithm, by constants that were fitted without the group
    work: model.Work


def read(path=MEASURED):
    gpus = {gpu.title: gpu for gpu in model.GPUS}
    return [Launch(each["group"], each["title"], gpus[each["gpu"]], each["us"], each.get("left_out", 0.0),
                   work.from_json(each["work"])) for each in json.loads(path.read_text())]


def write(errors, path=MEASURED):
    """The errors of the launches that were left out, one for each that the file has."""
    values = json.loads(path.read_text())
    for each, left_out in zip(values, errors):
        each["left_out"] = round(left_out, 3)
    path.write_text("[\n" + ",\n".join(map(json.dumps, values)) + "\n]\n")


def error(launch, constants=model.Constants(), share=None):
    """The logarithm of predicted by measured."""
    gpu = dataclasses.replace(launch.gpu, product_share=share) if share else launch.gpu
    return math.log(model.microseconds(launch.work, gpu, constants) / launch.us)


def groups_of(launches):
    groups = {}
    for launch in launches:
        groups.setdefault(launch.group, []).append(launch)
    return groups


def mean_square(launches, constants, share):
    groups = groups_of(launches).values()
    return sum(sum(error(each, constants, share) ** 2 for each in group) / len(group) for group in groups) / len(groups)


def fit(launches, seconds, seed=1):
    """(constants, share of the tensor cores' rate) by random steps that become smaller."""
    choose, step, until = random.Random(seed), 0.3, time.monotonic() + seconds
    names = [field.name for field in dataclasses.fields(model.Constants)]
    best, share = model.Constants(), launches[0].gpu.product_share
    least = mean_square(launches, best, share)
    while time.monotonic() < until:
        changed = {name: getattr(best, name) * math.exp(choose.gauss(0, step))
                   for name in choose.sample(names, choose.choice((1, 1, 2, 3)))}
        tried, rate = dataclasses.replace(best, **changed), min(1, share * math.exp(choose.gauss(0, step / 5)))
        found = mean_square(launches, tried, rate)
        if found < least:
            least, best, share = found, tried, rate
        else:
            step = max(0.02, step * 0.998)
    return best, share


@dataclasses.dataclass(frozen=True)
class Summary:
    typical: float  # root of the mean square error, as a share
    largest: float
    of_sum: float  # of the predicted sum by the measured one
    within: int  # launches within 30 %
    count: int


def summary(launches, errors):
    predicted = sum(launch.us * math.exp(e) for launch, e in zip(launches, errors))
    return Summary(math.exp(math.sqrt(sum(e * e for e in errors) / len(errors))) - 1, math.exp(max(map(abs, errors))) - 1,
                   predicted / sum(launch.us for launch in launches) - 1, sum(abs(e) <= math.log(1.3) for e in errors), len(errors))


def leave_out(launches, seconds):
    """The errors of launches, each predicted by constants that were fitted without its group."""
    fitted = {group: fit([each for each in launches if each.group != group], seconds) for group in groups_of(launches)}
    return [error(launch, *fitted[launch.group]) for launch in launches]


def show(launches, errors):
    for launch, e in zip(launches, errors):
        predicted = launch.us * math.exp(e)
        print(f"{launch.group:24} {launch.title:46} {launch.us:8.1f} us {predicted:8.1f} us {100 * math.expm1(e):+5.0f} %")
    for group, of_group in groups_of(launches).items():
        print(group, summary(of_group, [e for launch, e in zip(launches, errors) if launch.group == group]))
    print("all", summary(launches, errors))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", type=float, metavar="SECONDS")
    parser.add_argument("--leave-out", type=float, metavar="SECONDS")
    options = parser.parse_args()
    launches = read()
    if options.fit:
        constants, share = fit(launches, options.fit)
        print(constants, "product_share", share)
        show(launches, [error(each, constants, share) for each in launches])
    elif options.leave_out:
        errors = leave_out(launches, options.leave_out)
        show(launches, errors)
        write(errors)
    else:
        show(launches, [error(each) for each in launches])


if __name__ == "__main__":
    main()
