// Networks without weights whose outputs are the channels of their images, so that an image says what they
// find.
//
//   Model model = test::channel_model(10, 20);   // takes (0, 3, 10, 20), gives the same
#pragma once

#include <mxinfer/model.h>

#include <string>

namespace mxinfer::test {

/// `last` is the operator that makes the output of the image, such as R"("op": "argmax", "attrs": {"axis":
/// "1"})".
inline std::string channel_model_json(int height, int width, const std::string& last = R"("op": "_copy")") {
  const std::string shape = "(0, 3, " + std::to_string(height) + ", " + std::to_string(width) + ")";
  return R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": ")json" +
         shape + R"json("}, "inputs": []},
    {)json" +
         last + R"json(, "name": "out", "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

inline Model channel_model(int height, int width, const std::string& last = R"("op": "_copy")",
                           const LoadOptions& options = {}) {
  return Model::load_memory(Span<const char>(channel_model_json(height, width, last)), {}, options);
}

}  // namespace mxinfer::test
