// Traits: properties of an operator that passes and the planner use instead of its name. An operator that
// states them is optimised like the others, without code outside its file.
//
//   op.traits = {.elementwise = Elementwise::same_shape};           // exp, elemwise_add
//   op.traits.per_sample = [](const graph::Attrs& attrs, std::size_t) { return attrs.integer("axis") != 0; };
//   if (ops::keeps_shape(node.op->traits)) ...
#pragma once

#include <mxinfer/dtype.h>
#include <mxinfer/shape.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/graph.h"

namespace mxinfer::ops {

class LayoutRewriter;

/// Changes the attributes of a node so that it reads channels-last values and, if it can, writes them.
/// Returns false if it cannot; it then reads values in the model's layout.
using LayoutRule = bool (*)(LayoutRewriter&, std::size_t id);

/// The elements of the inputs that an element of the output depends on.
enum class Elementwise : std::uint8_t {
  no,
  same_shape,  ///< those at the same place; all inputs and outputs have one shape
  broadcast,   ///< those at the same place, after inputs are repeated along dimensions of size 1
};

/// The input of an operator that only takes images.
enum class ImageSource : std::uint8_t {
  none,
  pixels,   ///< (H, W, C) or (N, H, W, C)
  encoded,  ///< the bytes of a file
  path,     ///< the name of a file
};
constexpr bool reads_file(ImageSource source) {
  return source == ImageSource::encoded || source == ImageSource::path;
}

/// What an operator of this library's own, with a name that begins with "_mxinfer_", is part of.
enum class ModelPart : std::uint8_t {
  image_transforms,
  column_transforms,  ///< of columns of a table, or of texts
  network,
};

/// The treatment of float16.
enum class Float16 : std::uint8_t {
  own_kernels,          ///< kernels support it or reject it
  rounds_first_output,  ///< computed in float32; output 0 is rounded if the data (input 0) is float16
  rounds_all_outputs,   ///< the same for all outputs
};
constexpr bool rounds_output(Float16 form, std::size_t o) {
  return form == Float16::rounds_all_outputs || (form == Float16::rounds_first_output && o == 0);
}

/// The rank of output 0: `rank`, or that of input 0 and `rank` more.
struct OutputRank {
  std::int64_t rank = 0;
  bool follows_input = false;
};
inline constexpr OutputRank kSameRank{0, true};

struct Traits {
  ModelPart part = ModelPart::image_transforms;
  Elementwise elementwise = Elementwise::no;
  /// Output 0 has the shape of input 0. Implied by Elementwise::same_shape.
  bool keeps_shape = false;
  /// Output 0 has the rank and the channels (dimension 1) of input 0. Implied by keeps_shape.
  bool keeps_channels = false;
  /// The rank of output 0 if attributes alone determine it. Null: the rank of input 0 if the operator keeps
  /// its shape, otherwise unknown.
  std::optional<OutputRank> (*output_rank)(const graph::Attrs& attrs) = nullptr;
  /// Whether sample n (of dimension 0) of the outputs depends only on sample n of the inputs; `rank` is that
  /// of output 0. Null: only for element-wise operators of one shape.
  bool (*per_sample)(const graph::Attrs& attrs, std::size_t rank) = nullptr;
  /// For an operator with per_sample: every input has a row for each sample; none is shared by all. Implied
  /// by Elementwise::same_shape.
  bool batched_inputs = false;
  /// Whether lower() honours TensorType::row_stride of input 0, and of output 0, on the CPU; `dtype` and
  /// `rank` are theirs. Null means no.
  bool (*strided_input)(const graph::Node& node, DType dtype, std::size_t rank) = nullptr;
  bool (*strided_output)(const graph::Node& node, DType dtype, std::size_t rank) = nullptr;
  /// Whether output 0 is the concatenated rows of the inputs.
  bool (*concatenates_rows)(const graph::Attrs& attrs, std::size_t rank) = nullptr;
  /// Only the shape of input 1 is read.
  bool reads_only_shape_of_second = false;
  /// Its rule for channels-last values (ops/layout/layout_rewriter.h). Null: the default rule for
  /// element-wise operators; others read the model's layout.
  LayoutRule channels_last = nullptr;
  /// The rule also applies to a node that reads nothing channels-last yet.
  bool begins_channels_last = false;
  /// Whether it reads and writes bfloat16 between products: it moves values, or computes in float32 and
  /// rounds. Null means no.
  bool (*follows_bfloat16)(const graph::Node& node) = nullptr;
  Float16 float16 = Float16::own_kernels;
  /// MXNet computes it from float16 only on GPUs, and its kernels here reject that: a network with such an
  /// operator on 16-bit floats is computed in float32 throughout (passes/optimise/halves_in_float32.cpp). All
  /// its outputs have the dtype of input 0.
  bool float16_on_gpus = false;
  /// Several of its subgraphs run at once, each on its own thread.
  bool runs_bodies_in_parallel = false;
  /// Each run gives other numbers: LoadOptions::random_transforms decides what becomes of it.
  bool draws_random_numbers = false;
  ImageSource image_source = ImageSource::none;
  /// The shape that input 0 must have for a weight (input 1) of this shape: channels or features, -1 for
  /// sizes that the weight leaves free. Null or nullopt if unknown.
  std::optional<Shape> (*input_shape)(const graph::Attrs& attrs, const Shape& weight) = nullptr;
};

bool keeps_shape(const Traits& traits);
bool keeps_channels(const Traits& traits);
std::optional<OutputRank> output_rank(const Traits& traits, const graph::Attrs& attrs);
bool is_per_sample(const Traits& traits, const graph::Attrs& attrs, std::size_t rank);
bool has_batched_inputs(const Traits& traits);
/// Null if it has none.
LayoutRule layout_rule(const Traits& traits);

/// For Traits::per_sample, Traits::output_rank and Traits::follows_bfloat16: true for any attributes.
bool always_per_sample(const graph::Attrs& attrs, std::size_t rank);
/// For Traits::strided_input and Traits::strided_output: true for float32, whatever the node.
bool strided_float32(const graph::Node& node, DType dtype, std::size_t rank);
std::optional<OutputRank> always_same_rank(const graph::Attrs& attrs);
bool always_follows(const graph::Node& node);

}  // namespace mxinfer::ops
