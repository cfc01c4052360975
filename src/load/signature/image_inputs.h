// Which inputs of a network are images, by the operators that read them first.
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

  /// Makes the descriptor of variable `id` one of an image, pixels or a file, if operators that only images
  /// are fed to read it first. Sizes that it has already stay.
  void describe(std::int32_t id, DataDesc& input) const;

 private:
  const graph::Graph& graph_;
  std::vector<std::vector<std::int32_t>>
      readers_;  ///< by node: the nodes whose first input it is, in their order
};

}  // namespace mxinfer::api
