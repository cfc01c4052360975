"""How long a GPU takes for a launch: a model of few constants, from what the blocks of the launch ask for (Work).

    model.microseconds(work, model.GPUS[0])
    model.bound(work, model.GPUS[0])                   # "latency"

A multiprocessor holds some blocks at a time, as many as registers, shared memory and threads allow. A round of them takes the
longer of two times:

- the latency of a block, as if it were alone: instructions one after another, products one after another, and each wait for memory,
  but for what is computed meanwhile. Copies that are k groups ahead cost a k-th of a wait.
- the throughput for all of them: slots to issue instructions, the tensor cores, and the wavefronts of shared memory and of the
  first-level cache. They overlap in part.

A multiprocessor cannot keep the code of long kernels: what is outside of loops is fetched for each block, one after another. The
multiprocessor that has most blocks decides. Beside that, the launch moves its bytes at the rates of the memory and of the
second-level cache.
"""
import dataclasses
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import cuda_report  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Gpu:
    """Figures of the vendor, but for `clock` of the H100, which was measured under load."""
    title: str
    multiprocessors: int
    clock: float  # GHz
    float_lanes: int  # products of floats of a multiprocessor in a cycle
    product_cycles: float  # of a tensor core, of which there are four, for 16 x 8 x 16 products of 16-bit floats
    product_share: float  # of that rate which mma.sync reaches; only that of the H100 is measured
    group_share: float  # which wgmma reaches, measured on an H200; 0: there is none
    memory: float  # GB/s
    cache: float  # GB/s of the second level

    @property
    def limits(self):
        return next(gpu for gpu in cuda_report.GPUS if self.title in gpu.title)

    @property
    def architecture(self):
        return self.limits.architecture


GPUS = (Gpu("T4", 40, 1.35, 64, 16, 0.9, 0, 320, 1200), Gpu("A100", 108, 1.41, 64, 8, 0.9, 0, 1555, 4500),
        Gpu("L4", 58, 1.8, 128, 16, 0.9, 0, 300, 2000), Gpu("H100", 132, 1.93, 128, 4, 0.45, 0.7, 3350, 5500))


@dataclasses.dataclass(frozen=True)
class Work:
    """What one launch asks for: of a warp, of a block, and of the launch as a whole."""
    kernel: str
    blocks: int
    threads: int
    registers: int
    shared_bytes: int
    # Of a warp.
    instructions: float
    fetched: float  # instructions that are fetched for each block
    floats: float
    products: float
    near_waits: float  # waits for loads that the first-level cache has
    load_waits: float  # for other loads
    behind: float  # for other loads, with work between them and their use
    copy_waits: tuple  # waits for cp.async with 1, 2, 3 and 4 groups on their way
    # Of a block.
    wavefronts: float  # of shared memory
    copy_wavefronts: float  # of cp.async into shared memory
    sectors: float  # of 32 bytes, that global memory is asked for
    cache_bytes: float  # that the second-level cache is asked for
    # Of the launch.
    read_bytes: float  # of the cache, from memory, each once
    memory_bytes: float  # read and written, each once
    pages: float  # of 1 KB of memory that are opened for them
    by_groups: bool = False  # products are wgmma's

    @property
    def warps(self):
        return math.ceil(self.threads / 32)


def constant(value, text):
    return dataclasses.field(default=value, metadata={"text": text})


@dataclasses.dataclass(frozen=True)
class Constants:
    """What calibration.py has fitted to launches on an H100."""
    launch_us: float = constant(2.9, "microseconds from the begin of a launch to its first block, and from its last to its end")
    instruction: float = constant(1.96, "cycles from an instruction of a warp to the next, where no other warp has work")
    fetch: float = constant(0.9, "cycles of a multiprocessor to fetch an instruction of a kernel that it cannot keep")
    near_ns: float = constant(278, "nanoseconds of a wait for what the first-level cache has, with the code that depends on it")
    cache_ns: float = constant(350, "nanoseconds of a wait for what the second-level cache has")
    memory_ns: float = constant(1420, "nanoseconds of a wait for memory")
    copies: float = constant(0.016, "cycles of a wavefront of `cp.async` into shared memory")
    overlap: float = constant(1.76, "exponent of the sum of instructions, products and shared memory: 1 adds them up, infinity "
                                    "takes the longest")
    page: float = constant(209, "bytes that memory could move in the time in which it opens a page of 1 KB")
    apart: float = constant(0.41, "the share of the time of the launch's bytes that adds to all else, if a multiprocessor holds "
                                  "one block; less with more")


LEAST_OF_PAGE = 128  # bytes: blocks that read less of a page come back while it is open


def power_sum(values, exponent):
    values = list(values)
    largest = max(values)
    return largest * sum((value / largest) ** exponent for value in values) ** (1 / exponent) if largest else 0.0


def blocks_at_a_time(work, gpu):
    return max(1, cuda_report.blocks_on(gpu.limits, work.registers, work.threads, work.shared_bytes))


def product_cycles(work, gpu):
    """Of a tensor core for one of the products."""
    return gpu.product_cycles / (gpu.group_share if work.by_groups else gpu.product_share)


def far_cycles(work, gpu, c):
    """Cycles of a wait for what the second-level cache or memory has."""
    asked = work.cache_bytes * work.blocks
    from_memory = min(1.0, work.read_bytes / asked) if asked else 0.0
    return (c.cache_ns + from_memory * (c.memory_ns - c.cache_ns)) * gpu.clock


def latency(work, gpu, c):
    """Cycles of a block that is alone."""
    far = far_cycles(work, gpu, c)
    computing = work.instructions * c.instruction + work.products * product_cycles(work, gpu)
    hidden = far * (work.behind + sum(count / ahead for ahead, count in enumerate(work.copy_waits, 1)))
    exposed = far * work.load_waits + c.near_ns * gpu.clock * work.near_waits
    return exposed + max(computing, hidden)


def pipes(work, gpu, c):
    """Cycles that a block occupies each pipe of a multiprocessor."""
    return {"instructions": work.warps / 4 * (work.instructions + work.floats * max(0, 128 / gpu.float_lanes - 1)),
            "tensor cores": work.warps / 4 * work.products * product_cycles(work, gpu),
            "shared memory": work.wavefronts + c.copies * work.copy_wavefronts + work.sectors / 4}


def throughput(work, gpu, c):
    """Cycles of a block where there are enough of them."""
    return power_sum(pipes(work, gpu, c).values(), c.overlap)


def round_cycles(work, gpu, c, blocks):
    """Cycles of so many blocks at a time."""
    return max(latency(work, gpu, c), blocks * throughput(work, gpu, c)) + blocks * work.fetched * c.fetch


def multiprocessor_cycles(work, gpu, c):
    at_a_time, most = blocks_at_a_time(work, gpu), math.ceil(work.blocks / gpu.multiprocessors)
    rounds, left = divmod(most, at_a_time)
    return rounds * round_cycles(work, gpu, c, at_a_time) + (round_cycles(work, gpu, c, left) if left else 0.0)


def parts(work, gpu, c):
    """Microseconds of multiprocessors, of the second-level cache and of the memory."""
    return {"multiprocessors": multiprocessor_cycles(work, gpu, c) / gpu.clock / 1e3,
            "cache": work.cache_bytes * work.blocks / gpu.cache / 1e3,
            "memory": (work.memory_bytes + c.page * min(work.pages, work.memory_bytes / LEAST_OF_PAGE)) / gpu.memory / 1e3}


def microseconds(work, gpu, c=Constants()):
    of_launch = parts(work, gpu, c)
    moving = max(of_launch["cache"], of_launch["memory"])
    return c.launch_us + max(moving, of_launch["multiprocessors"] + c.apart * moving / blocks_at_a_time(work, gpu))


def bound(work, gpu, c=Constants()):
    """What takes longest: "memory", "latency", "tensor cores", ..."""
    of_launch = parts(work, gpu, c)
    longest = max(of_launch, key=of_launch.get)
    if of_launch[longest] < c.launch_us:
        return "launch"
    if longest != "multiprocessors":
        return longest
    at_a_time = min(blocks_at_a_time(work, gpu), math.ceil(work.blocks / gpu.multiprocessors))
    if latency(work, gpu, c) > at_a_time * throughput(work, gpu, c):
        return "latency"
    of_block = {**pipes(work, gpu, c), "code": work.fetched * c.fetch}
    return max(of_block, key=of_block.get)
