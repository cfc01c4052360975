// What the tests of fused MobileNet blocks build them of.
#pragma once

#include <cstdint>
#include <string>

#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::test {

inline constexpr const char* kSeparable = "_mxinfer_separable_nhwc";
inline constexpr const char* kSeparableBf16 = "_mxinfer_separable_bf16";

inline graph::Value named_convolution(GraphBuilder& b, const std::string& name, graph::Value x,
                                      std::int64_t channels, std::int64_t filters, std::int64_t kernel,
                                      std::int64_t groups = 1, std::int64_t stride = 1) {
  const std::string k = std::to_string(kernel), s = std::to_string(stride), p = std::to_string(kernel / 2);
  return b.op("Convolution",
              {{"kernel", "(" + k + ", " + k + ")"},
               {"stride", "(" + s + ", " + s + ")"},
               {"pad", "(" + p + ", " + p + ")"},
               {"num_filter", std::to_string(filters)},
               {"num_group", std::to_string(groups)}},
              {x, b.parameter(name + "w", random_tensor({filters, channels / groups, kernel, kernel}, 5)),
               b.parameter(name + "b", random_tensor({filters}, 6))});
}

inline graph::Value relu6(GraphBuilder& b, graph::Value x) {
  return b.op("clip", {{"a_min", "0"}, {"a_max", "6"}}, {x});
}

}  // namespace mxinfer::test
