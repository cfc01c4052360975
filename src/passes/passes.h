// Passes: Graph → Graph rewrites that keep what the network computes, one file each.
//
//   passes::prune_training_inputs(graph);
//   passes::fuse_activation(graph);
//
// pipeline/pipeline.h runs them in order. Each leaves a note on the nodes that it changed, for explain.
#pragma once

#include <mxinfer/signature.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "kernels/common/precision.h"
#include "kernels/common/target.h"
#include "passes/goal.h"

namespace mxinfer::passes {

/// The outputs of these names ("fc1_output", or "fc1" for output 0 of a node) become the heads; none: the
/// heads stay. Errors as ops::ValueIndex::find.
void take_outputs(graph::Graph& graph, const std::vector<std::string>& names);

/// Drops the inputs that only training needs (OpDef::training_inputs), such as the label of SoftmaxOutput,
/// and what only they needed. Returns one sentence for each, for `inspect`.
std::vector<std::string> prune_training_inputs(graph::Graph& graph);

/// One sentence for each output that is a loss (CTCLoss, softmax_cross_entropy) and needs inputs of its own,
/// its labels, if there are other outputs to load the network with: those predict without labels.
std::vector<std::string> find_losses(const graph::Graph& graph);
/// Whether all outputs are losses (MakeLoss too), or made of some.
bool ends_in_losses(const graph::Graph& graph);

/// What a network could predict all of whose outputs need labels.
struct ValueBeforeLoss {
  std::set<std::string> labels;  ///< names of inputs
  std::string value;             ///< a name for take_outputs: the last value that needs no label
};
/// Nothing if there is an output that needs no label, or no such value. Labels are inputs that have "label"
/// in their names; or, if none has and all outputs are losses, those that no layer with parameters reads.
ValueBeforeLoss find_value_before_loss(const graph::Graph& graph);
/// A sentence on it, for `inspect`; nothing if there is none.
std::vector<std::string> loss_notes(const ValueBeforeLoss& found);

/// Makes the training graph of a single shot detector (one with MultiBoxTarget, as SageMaker's object
/// detection and MXNet's example/ssd save it) one for inference: of its outputs MultiBoxDetection alone
/// stays. If there is none, it is made from what MultiBoxTarget and the loss read, with the settings of
/// example/ssd. Returns a sentence on what was done, for `inspect`; nothing for any other graph.
std::vector<std::string> deploy_detector(graph::Graph& graph);

/// What may become of the _image_random_* and _mxinfer_random_* operators; no node is added or removed.
///
/// Throws Error(unsupported) that lists them, if there are any.
void refuse_random_transforms(const graph::Graph& graph);
/// They pass their input on; crops take the centre; with boxes or masks, both become their fixed size.
void skip_random_transforms(graph::Graph& graph);
/// Each draws numbers that follow from the seed, its id, its input's shape and a count of its runs, so that
/// the same runs one after another give the same numbers.
void seed_random_transforms(graph::Graph& graph, std::uint64_t seed);

/// One sentence for each _image_normalize whose input is of whole numbers, as far as the dtypes of `inputs`
/// (by name) tell: its results wrap around, as in MXNet.
std::vector<std::string> find_wrapping_normalization(const graph::Graph& graph,
                                                     const std::vector<DataDesc>& inputs);

/// A model that was converted for mixed precision (amp) runs in float32 throughout: its casts to float16 and
/// back go, and the parameters that were stored as float16 become float32. Its outputs keep their dtypes: one
/// that was float16, as far as dtypes alone tell, is cast to it at the end. A model with inputs of another
/// floating point dtype keeps its casts.
void remove_amp_casts(graph::Graph& graph);

/// A network that MXNet computes from float16 or bfloat16 on GPUs alone (ops::Traits::float16_on_gpus) runs
/// in float32 throughout: its parameters become float32, casts to halves go, inputs of halves are cast when
/// they are read, and outputs have the dtypes that they would have. Any other network stays as it is. After
/// remove_amp_casts.
void halves_in_float32(graph::Graph& graph);
/// Whether it is such a network, with inputs of these dtypes (see ValueDTypes).
bool has_halves_for_gpus(const graph::Graph& graph, const std::vector<DType>& inputs = {});
/// The inputs (ids of nodes) that feed operators whose parameters the file states as float16, all of them.
std::set<std::int32_t> inputs_stated_as_float16(const graph::Graph& graph);

/// float16 parameters of operators that compute in float32 (ops::Traits::float16) become float32.
void widen_parameters(graph::Graph& graph);

/// Lets the readers of a node that passes its input through at inference (Dropout, BlockGrad, _copy) read
/// that input. After remove_amp_casts.
void remove_identities(graph::Graph& graph);

/// Convolutions whose attribute layout says that channels come last become channels-first ones of the same
/// numbers: their weights are reordered, what lies between them follows (ops/layout/layout_rules.h), and a
/// transpose stands where a reader needs the model's own order. MXNet computes such networks on GPUs alone.
void channels_first(graph::Graph& graph);
/// Whether there is such a convolution.
bool has_channels_last_convolutions(const graph::Graph& graph);

/// Nodes of one operator with the same attributes and inputs become the first of them.
void merge_duplicates(graph::Graph& graph);

/// Operators that read nothing but a shape (slice_like) read it from before what keeps it.
void read_shapes_early(graph::Graph& graph);

/// Operators on images in a row (resize, crops, flips, cast, to_tensor, transpose to channels-first,
/// normalize and other arithmetic with one number or one for each channel) become one _mxinfer_image_chain,
/// with the same bits, if nothing else reads what is between them.
void fuse_image_chain(graph::Graph& graph);

/// Convolution, Deconvolution or FullyConnected, then BatchNorm on channels or arithmetic with one number: it
/// goes into weight and bias. weight'[o] = weight[o] * s[o], bias'[o] = (bias[o] - mean[o]) * s[o] + beta[o],
/// s = gamma / sqrt(var + eps).
void fold_batch_norm(graph::Graph& graph);

/// BatchNorm on channels or arithmetic with one number in front of FullyConnected: it goes into weight and
/// bias. weight'[o][c] = weight[o][c] * s[c], bias'[o] = bias[o] + sum over c of weight[o][c] * t[c].
void fold_ahead_of_products(graph::Graph& graph);

/// Behind channels_last: the same in front of convolutions. Padding then holds what the arithmetic would make
/// 0 of, and the convolution is given that, for each channel, as its border.
void fold_ahead_of_convolutions(graph::Graph& graph);

/// x, then an activation that only it feeds: x applies it while it stores (if OpDef::fuses_activation).
void fuse_activation(graph::Graph& graph);

/// a convolution and then elemwise_add with another value: the convolution adds it while it stores
/// (if OpDef::fuses_residual).
void fuse_residual(graph::Graph& graph);

/// Convolutions with float32 parameters, and what lies between them, keep their values channels-last,
/// (N, spatial..., C), which their fastest kernels read and write; a transpose stands where a reader needs
/// the model's own order. Channels-first images of few channels are read as they are.
void channels_last(graph::Graph& graph);

/// Behind channels_last: a convolution multiplies its negative results by slopes (LeakyReLU's prelu) while it
/// stores, if nothing else reads them.
void fuse_prelu(graph::Graph& graph);

/// Behind channels_last: x times a gate of x (swish, hard-swish, mish) becomes one function, applied by the
/// operator before it if that can.
void fuse_gated_activation(graph::Graph& graph);

/// Behind channels_last: a convolution of many groups of few filters becomes one of fewer groups.
void merge_groups(graph::Graph& graph);

/// Behind channels_last: a 1 x 1 convolution, one filter for each channel and a 1 x 1, or the latter two,
/// become one operator, if nothing else reads what is between them.
void fuse_separable(graph::Graph& graph);

/// Behind channels_last: a convolution of few input channels, as a network's first one, with the max pooling
/// that alone reads it.
void fuse_pooling(graph::Graph& graph, const Goal& goal);

/// Behind all that know patterns: element-wise operators (of one tensor, or arithmetic with a number or
/// another tensor) between which no value leaves become one _mxinfer_elementwise_chain.
void fuse_elementwise(graph::Graph& graph);

/// For bfloat16: a network's first convolution becomes one like the others, which reads channels-last images,
/// behind a transpose. Nothing for float32.
void read_pixels(graph::Graph& graph, const Goal& goal);

/// Behind all others, for a predictor that asks for it: products with float32 parameters read and write
/// values of that precision, what lies between them follows if it can, and a Cast stands where an operator
/// stays float32. Outputs keep their dtype. Nothing for float32.
void lower_precision(graph::Graph& graph, kernels::Precision precision);

/// Whether lower_precision makes a convolution (_mxinfer_convolution_nhwc) one of bfloat16 data.
bool has_bfloat16_form(const graph::Graph& graph, const graph::Node& convolution);

}  // namespace mxinfer::passes
