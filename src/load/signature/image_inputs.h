// Finds the inputs of a network that are images, by the operators that read them first.
//
//   const ImageInputs images(graph);
//   images.describe(id, input);           // input.meaning == Meaning::image, input.layout == "NHWC"
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::api {

/// The graph must outlive it unchanged.
class ImageInputs {
 public:
  explicit ImageInputs(const graph::Graph& graph);

  /// Turns the descriptor of variable `id` into one of an image, pixels or a file, if its first readers are
  /// operators for images only. Keeps known sizes.
  void describe(std::int32_t id, DataDesc& input) const;

 private:
  const graph::Graph& graph_;
  std::vector<std::vector<std::int32_t>>
      readers_;  ///< by node: the nodes whose first input it is, in their order
};

}  // namespace mxinfer::api
