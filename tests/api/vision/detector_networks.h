// Networks that find the same in every image, for the tests of detectors.
#pragma once

#include <mxinfer/model.h>
#include <mxinfer/vision/image.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/files/params_writer.h"

namespace mxinfer::test {

/// What else a network has.
struct DetectorNetwork {
  bool cut = false;          ///< ids, scores, boxes, and the numbers behind them, as outputs of their own
  std::int64_t width = 6;    ///< numbers of a row: id, score, left, top, right, bottom, landmarks
  std::string attributes{};  ///< more members of the symbol's "attrs"
};

/// Takes images of 20 x 10 pixels and gives the same rows for each.
inline Model detector_network(const std::vector<float>& rows, const DetectorNetwork& how = {}) {
  const auto count = static_cast<std::int64_t>(rows.size()) / how.width;
  const auto columns = [](const char* name, std::int64_t begin, std::int64_t end) {
    return R"json({"op": "slice_axis", "name": ")json" + std::string(name) +
           R"json(", "attrs": {"axis": "2", "begin": ")json" + std::to_string(begin) +
           R"json(", "end": ")json" + std::to_string(end) + R"json("}, "inputs": [[5, 0, 0]]})json";
  };
  std::string parts = columns("ids", 0, 1) + ", " + columns("scores", 1, 2) + ", " + columns("boxes", 2, 6);
  std::string heads = how.cut ? "[6, 0, 0], [7, 0, 0], [8, 0, 0]" : "[5, 0, 0]";
  if (how.width > 6) {
    parts += ", " + columns("points", 6, how.width);
    if (how.cut) heads += ", [9, 0, 0]";
  }
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 10, 20)"}, "inputs": []},
    {"op": "null", "name": "rows", "inputs": []},
    {"op": "mean", "name": "mean", "attrs": {"axis": "(1, 2, 3)"}, "inputs": [[0, 0, 0]]},
    {"op": "_mul_scalar", "name": "none", "attrs": {"scalar": "0"}, "inputs": [[2, 0, 0]]},
    {"op": "Reshape", "name": "batch", "attrs": {"shape": "(-1, 1, 1)"}, "inputs": [[3, 0, 0]]},
    {"op": "broadcast_add", "name": "found", "inputs": [[4, 0, 0], [1, 0, 0]]},
    )json" + parts + R"json(], "arg_nodes": [0, 1], "heads": [)json" +
                           heads + R"json(], "attrs": {"mxnet_version": ["int", 10901])json" +
                           how.attributes + "}}";
  ParamsWriter params;
  params.add("arg:rows", dense_v2(DType::float32, {1, count, how.width}, floats(rows)));
  const std::vector<std::byte> bytes = params.finish();
  return Model::load_memory(Span<const char>(json),
                            {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

inline Image grey_image(int width, int height) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3), 100);
  return Image(width, height, 3, Span<const std::uint8_t>(pixels));
}

}  // namespace mxinfer::test
