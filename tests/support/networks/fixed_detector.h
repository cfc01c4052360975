// A detector that finds the same objects in every image, in files:
//
//   const std::string model = write_fixed_detector(dir, "net", {0, 0.9f, 4, 2, 8, 6});
//
// It takes images of 20 x 10 pixels, whose pixels its boxes are in.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"

namespace mxinfer::test {

/// Rows of id, score, left, top, right, bottom, as one output of (batch, rows, 6).
inline std::string fixed_detector_json() {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 10, 20)"}, "inputs": []},
    {"op": "null", "name": "rows", "inputs": []},
    {"op": "mean", "name": "mean", "attrs": {"axis": "(1, 2, 3)"}, "inputs": [[0, 0, 0]]},
    {"op": "_mul_scalar", "name": "none", "attrs": {"scalar": "0"}, "inputs": [[2, 0, 0]]},
    {"op": "Reshape", "name": "batch", "attrs": {"shape": "(-1, 1, 1)"}, "inputs": [[3, 0, 0]]},
    {"op": "broadcast_add", "name": "found", "inputs": [[4, 0, 0], [1, 0, 0]]}],
    "arg_nodes": [0, 1], "heads": [[5, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

/// The prefix of the files in `dir`.
inline std::string write_fixed_detector(const TempDir& dir, const std::string& name,
                                        const std::vector<float>& rows) {
  ParamsWriter params;
  const auto count = static_cast<std::int64_t>(rows.size()) / 6;
  params.add("arg:rows", dense_v2(DType::float32, {1, count, 6}, floats(rows)));
  const std::vector<std::byte> bytes = params.finish();
  dir.write(name + "-symbol.json", fixed_detector_json());
  dir.write(name + "-0000.params", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return dir / name;
}

}  // namespace mxinfer::test
