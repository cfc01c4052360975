"""bench/cuda/model: what is read off machine code, what a launch's work is, how the model behaves, and how near it comes to what
was measured.

    python3 tests/scripts/cuda_predict_test.py
"""
import dataclasses
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "bench" / "cuda" / "model"))

import calibration  # noqa: E402
import machine_code  # noqa: E402
import model  # noqa: E402
import networks  # noqa: E402
import predict  # noqa: E402
import record  # noqa: E402
import work  # noqa: E402

T4, A100, L4, H100 = model.GPUS

# A loop that may load, and has 16 products for each load of matrices; and a store behind it.
SASS = "\n\t\tFunction : product\n" + "".join(
    f"        /*{16 * i:04x}*/                   {text} ;\n" for i, text in enumerate(
        ["S2R R0, SR_TID.X", "MOV R1, R0", "MOV R2, R0", "MOV R3, R0"] +
        ["LDG.E.128 R4, desc[UR4][R2.64]", "MOV R5, R4", "BRA 0x70"] + ["LDSM.16.M88.4 R12, [R0]"] +
        ["HMMA.16816.F32 R16, R12, R20, R16"] * 24 + ["STS.128 [R0], R4", "BRA 0x40"] + ["STG.E desc[UR4][R2.64], R16", "EXIT"]))


class MachineCode(unittest.TestCase):
    def setUp(self):
        self.code = {"pieces": machine_code.pieces_of(machine_code.parse(SASS)["product"])}

    def test_the_loop_is_the_one_with_products(self):
        self.assertEqual(machine_code.main_loop(machine_code.parse(SASS)["product"]), (0x40, 0x210))

    def executed(self, **counted):
        counts = {"matrix_load": 10, "global_load_16": 10, "shared_store": 10, "global_store": 1, **counted}
        return machine_code.executed(counts, self.code)

    def test_the_loop_goes_round_as_often_as_accesses_say(self):
        done = self.executed()
        self.assertEqual(done["instructions"], 10 * (3 + 1 + 24 + 2) + 4 + 2)

    def test_what_is_not_accessed_is_not_executed(self):
        self.assertEqual(self.executed(global_load_16=5)["instructions"], self.executed()["instructions"] - 5 * 3)
        self.assertEqual(self.executed(global_store=0)["instructions"], self.executed()["instructions"] - 2)

    def test_code_that_is_too_long_is_fetched(self):
        self.assertEqual(self.executed()["fetched"], 0)
        with unittest.mock.patch.object(machine_code, "KEPT", 10):
            self.assertEqual(self.executed()["fetched"], 4 + 2)

    def test_names_of_the_emulator_and_of_the_compiler(self):
        self.assertEqual(machine_code.key_of("void mxinfer::kernels::cuda::(anonymous namespace)::f<mxinfer::kernels::cuda::"
                                             "(anonymous namespace)::Tile<1, 2>, (mxinfer::kernels::Precision)0>(float const*)"),
                         machine_code.key_of("f<Tile<1, 2>, (mxinfer::kernels::Precision)0>"))


def copying(blocks, **changes):
    """A copy of 16 bytes of each of 256 threads."""
    read = blocks * 256 * 16
    values = dict(kernel="copy", blocks=blocks, threads=256, registers=32, shared_bytes=0, instructions=20.0, fetched=0.0,
                  floats=0.0, products=0.0, near_waits=0.0, load_waits=1.0, behind=0.0, copy_waits=(0.0, 0.0, 0.0, 0.0),
                  wavefronts=0.0, copy_wavefronts=0.0,
                  sectors=256.0, cache_bytes=8192.0, read_bytes=read, memory_bytes=2 * read, pages=2 * read / 1024)
    return model.Work(**{**values, **changes})


class Model(unittest.TestCase):
    def test_a_large_copy_moves_its_bytes_at_the_rate_of_the_memory(self):
        large = copying(100000)
        for gpu in model.GPUS:
            rate = large.memory_bytes / model.microseconds(large, gpu) / 1e3
            self.assertLess(rate, gpu.memory)
            self.assertGreater(rate, 0.4 * gpu.memory)

    def test_a_small_launch_takes_the_time_of_a_launch(self):
        self.assertLess(model.microseconds(copying(1), H100), 8)
        self.assertGreater(model.microseconds(copying(1), H100), model.Constants().launch_us)

    def test_blocks_at_a_time_are_as_registers_and_shared_memory_allow(self):
        self.assertEqual(model.blocks_at_a_time(copying(1), H100), 8)
        self.assertEqual(model.blocks_at_a_time(copying(1, registers=168), H100), 1)
        self.assertEqual(model.blocks_at_a_time(copying(1, shared_bytes=100000), H100), 2)
        self.assertEqual(model.blocks_at_a_time(copying(1, shared_bytes=30000), T4), 2)

    def test_waits_of_few_warps_are_not_hidden(self):
        waiting = copying(2000, load_waits=40.0, registers=168)
        self.assertEqual(model.bound(waiting, H100), "latency")
        fewer = dataclasses.replace(waiting, load_waits=10.0)
        self.assertGreater(model.microseconds(waiting, H100), 2 * model.microseconds(fewer, H100))

    def test_copies_further_ahead_wait_less(self):
        def ahead(groups):
            return copying(2000, registers=168, load_waits=0.0, copy_waits=tuple(50.0 * (i + 1 == groups) for i in range(4)))
        times = [model.microseconds(ahead(groups), H100) for groups in (1, 2, 3, 4)]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertGreater(times[0], times[3] * 2)

    def test_bank_conflicts_and_products_take_time(self):
        none = model.microseconds(copying(5000), H100)
        self.assertGreater(model.microseconds(copying(5000, wavefronts=10000.0), H100), 2 * none)
        self.assertGreater(model.microseconds(copying(5000, products=2000.0), H100), 2 * none)

    def test_warpgroups_multiply_faster(self):
        one = copying(5000, products=2000.0)
        self.assertLess(model.microseconds(dataclasses.replace(one, by_groups=True), H100), 0.8 * model.microseconds(one, H100))
        code = machine_code.parse("Function : f\n /*0010*/ HGMMA.64x128x16.F32 R24, gdesc[UR16], R24 ;\n")["f"]
        self.assertTrue(machine_code.has_group_products(code))

    def test_a_block_more_than_multiprocessors_hold_is_another_round(self):
        slow = dict(load_waits=100.0, registers=168, memory_bytes=1.0)
        at_once, one_more = model.microseconds(copying(132, **slow), H100), model.microseconds(copying(133, **slow), H100)
        self.assertGreater(one_more, 1.8 * at_once)


class Works(unittest.TestCase):
    counts = {"kernel": "f", "grid": [3, 2, 1], "block": [64, 1, 1], "shared_bytes": 1024, "footprint_read": 1000,
              "footprint_written": 500, "pages": 3, "warps": 2, "different_sectors": 30, "products": 40, "exchanges": 0,
              "barriers": 2, "waits_near": 2, "waits_for_loads": 2, "waits_behind_work": 4,
              "waits_for_copies_1": 0, "waits_for_copies_2": 6, "waits_for_copies_3": 0, "waits_for_copies_4": 0,
              **{f"global_{kind}_{what}": n for kind in ("load", "copy", "store", "atomic")
                 for what, n in (("requests", 10), ("sectors", 40), ("bytes", 1280))},
              **{f"{kind}_{what}": n for kind in ("shared_load", "shared_store", "matrix_load", "copy_store")
                 for what, n in (("requests", 20), ("wavefronts", 80), ("conflicts", 0))}}
    code = {"registers": 64, "by_groups": False, "pieces": machine_code.pieces_of(machine_code.parse(SASS)["product"])}

    def test_what_is_counted(self):
        found = work.work_of(self.counts, self.code, "90")
        self.assertEqual((found.blocks, found.threads, found.warps, found.registers), (6, 64, 2, 64))
        self.assertEqual(found.products, 20)
        self.assertEqual(found.copy_waits, (0, 3, 0, 0))
        self.assertEqual((found.near_waits, found.load_waits, found.behind), (1, 1, 2))
        self.assertEqual(found.cache_bytes, 32 * (30 + 40 + 40 + 40))
        self.assertEqual((found.read_bytes, found.memory_bytes), (1000, 1500))

    def test_before_8_0_copies_are_loads(self):
        found = work.work_of(self.counts, self.code, "75")
        self.assertEqual(found.copy_waits, (0, 0, 0, 0))
        self.assertEqual(found.load_waits, 1 + 3)

    def test_files_hold_them(self):
        found = work.work_of(self.counts, self.code, "90")
        self.assertEqual(work.from_json(json.loads(json.dumps(work.to_json(found)))), found)


class Networks(unittest.TestCase):
    def test_launches_that_are_alike_are_one(self):
        moved = copying(100, memory_bytes=2 * 100 * 4096 * 1.01)
        groups = record.grouped([copying(100), moved, copying(101), copying(100, load_waits=2.0)])
        self.assertEqual([count for count, _ in groups], [2, 1, 1])

    def test_names_in_the_table(self):
        self.assertEqual(predict.title_of("tensor_kernel<TensorTile<(Precision)3,64,64>,AlignedRows<TensorTile<(Precision)3,64,64>>>"),
                         "tensor_kernel<TensorTile<(Precision)3, 64, 64>, AlignedRows>")

    def test_files_are_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            network = networks.mobilenetv2(1)
            networks.write(network, folder)
            symbol = json.loads((pathlib.Path(folder) / "model-symbol.json").read_text())
            arguments = {symbol["nodes"][i]["name"] for i in symbol["arg_nodes"]}
            self.assertEqual(arguments - set(network.inputs), {name.split(":")[1] for name in network.symbol.shapes})
            self.assertTrue((pathlib.Path(folder) / "data.npy").read_bytes().startswith(b"\x93NUMPY"))


class Fitting(unittest.TestCase):
    def test_finds_constants_that_are_nearer(self):
        far = dataclasses.replace(model.Constants(), memory_ns=300.0)
        works = [copying(n, load_waits=w, registers=168) for n in (500, 2000) for w in (5.0, 50.0)]
        launches = [calibration.Launch("f", "", H100, model.microseconds(each, H100, far), 0.0, each) for each in works]
        before = calibration.mean_square(launches, model.Constants(), H100.product_share)
        self.assertLess(calibration.mean_square(launches, *calibration.fit(launches, 0.2)), before / 4)


class Measured(unittest.TestCase):
    """The bounds that the page states."""

    def setUp(self):
        self.launches = calibration.read()

    def test_launches_of_the_fit(self):
        found = calibration.summary(self.launches, [calibration.error(each) for each in self.launches])
        self.assertLess(found.typical, 0.15)
        self.assertLess(found.largest, 0.6)
        self.assertGreater(found.within, 0.97 * found.count)
        self.assertLess(abs(found.of_sum), 0.05)

    def test_launches_that_were_left_out(self):
        found = calibration.summary(self.launches, [each.left_out for each in self.launches])
        self.assertLess(found.typical, 0.17)
        self.assertGreater(found.within, 0.94 * found.count)
        self.assertLess(abs(found.of_sum), 0.05)

    def test_networks(self):
        measured = predict.measured_milliseconds()
        for network in predict.read_networks():
            key = network["network"], network["batch"], network["precision"]
            if network["gpu"] == "H100" and key in measured:
                with self.subTest(network=key):
                    self.assertLess(abs(predict.sum_of(network, H100) / 1e3 / measured.pop(key) - 1), 0.3)
        self.assertEqual(measured, {})

    def test_the_page_is_that_of_the_script(self):
        page = (predict.ROOT / "docs" / "reference" / "cuda-kernels.md").read_text()
        self.assertTrue(predict.BEGIN + predict.part() + predict.END in page,
                        "write it anew: bench/cuda/model/predict.py --update")


if __name__ == "__main__":
    unittest.main()
