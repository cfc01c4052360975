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

/// Replaces each node of float32 that MXNet fused for oneDNN (_sg_mkldnn_conv, _sg_mkldnn_fully_connected) by
/// the operators of its subgraph, which passes fuse again. The last of them takes the node's name.
void inline_fused(graph::Graph& graph);

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

/// What may become of operators that draw random numbers; no node is added or removed.
///
/// Throws Error(unsupported) that lists them, if there are any.
void refuse_random_transforms(const graph::Graph& graph);
/// Transforms pass their input on; crops take the centre; with boxes or masks, both become their fixed size.
/// Throws Error(unsupported) for others.
void skip_random_transforms(graph::Graph& graph);
/// Nodes with these names become inputs, if they draw random numbers and have one output.
void free_random_nodes(graph::Graph& graph, const std::vector<std::string>& names);
/// Each draws numbers that follow from the seed, its id, its input's shape and a count of its runs, so that
/// the same runs one after another give the same numbers.
void seed_random_transforms(graph::Graph& graph, std::uint64_t seed);

/// One sentence for each _image_normalize whose input is of whole numbers, as far as the dtypes of `inputs`
/// (by name) tell: its results wrap around, as in MXNet.
std::vector<std::string> find_wrapping_normalization(const graph::Graph& graph,
                                                     const std::vector<DataDesc>& inputs);

// Stage "optimise": each file describes its pass. Tests run one alone.
#define MXINFER_PASS(pass) void pass(graph::Graph& graph, const Goal& goal = {});
#include "passes/optimise/for_cpu.inc"
#include "passes/optimise/simplify.inc"
#undef MXINFER_PASS
// A pass that is in this list, too, has been declared above, and may not state the goal again.
#define MXINFER_PASS(pass) void pass(graph::Graph& graph, const Goal& goal);
#include "passes/optimise/for_cuda.inc"
#undef MXINFER_PASS

/// Whether halves_in_float32 changes the network, with inputs of these dtypes (see ValueDTypes).
bool has_halves_for_gpus(const graph::Graph& graph, const std::vector<DType>& inputs = {});
/// The inputs (ids of nodes) that feed operators whose parameters the file states as float16, all of them.
std::set<std::int32_t> inputs_stated_as_float16(const graph::Graph& graph);

/// Whether there is a convolution that channels_first changes.
bool has_channels_last_convolutions(const graph::Graph& graph);

/// Behind all others, for a predictor that asks for it: products with float32 parameters read and write
/// values of that precision, what lies between them follows if it can, and a Cast stands where an operator
/// stays float32. Outputs keep their dtype. Nothing for float32. Fused blocks change where the goal's target
/// has fast instructions.
void lower_precision(graph::Graph& graph, const Goal& goal);

/// Whether lower_precision makes a convolution (_mxinfer_convolution_nhwc) one of bfloat16 data.
bool has_bfloat16_form(const graph::Graph& graph, const graph::Node& convolution);

}  // namespace mxinfer::passes
