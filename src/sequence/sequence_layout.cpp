#include "sequence/sequence_layout.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "passes/infer_outputs.h"
#include "sequence/check_options.h"
#include "sequence/if_taken.h"
#include "sequence/input_roles.h"
#include "sequence/output_axes.h"
#include "sequence/state_pairs.h"

namespace mxinfer::api {
namespace {

// The known sizes of an input's shape for a batch of sequences of one length.
ops::PartialShape shape_for(const SequenceInput& input, std::int64_t batch, std::int64_t length) {
  if (input.shape.rank() == 0) return std::nullopt;
  Shape shape = input.shape;
  if (input.axes.batch) shape[*input.axes.batch] = batch;
  if (input.axes.time) shape[*input.axes.time] = length;
  return shape;
}

using Types = std::vector<ops::TensorType>;

/// Turns a network's rejection of types into an error of the options that requested them.
[[noreturn]] void throw_refusal(const Error& error) {
  if (error.code() == ErrorCode::out_of_memory) throw error;
  throw Error(ErrorCode::invalid_argument, error.what());
}

/// Finds the lengths that networks accept, by inference only.
class Trials {
 public:
  Trials(const std::vector<SequenceNetwork>& networks, const SequenceLayout& layout)
      : networks_(networks), layout_(layout) {}

  const SequenceNetwork& network(std::int64_t length) const {
    for (const SequenceNetwork& network : networks_) {
      if (network.length == length) return network;
    }
    return networks_.back();
  }
  Types heads(std::int64_t batch, std::int64_t length) const {
    const SequenceNetwork& of_length = network(length);
    return passes::infer_outputs(*of_length.graph, batch_types(of_length, layout_, batch, length));
  }
  /// Nothing where the network does not take it.
  std::optional<Types> try_heads(std::int64_t batch, std::int64_t length) const {
    return if_taken([&] { return heads(batch, length); });
  }
  bool takes(std::int64_t length) const { return try_heads(layout_.batch.value_or(1), length).has_value(); }

 private:
  const std::vector<SequenceNetwork>& networks_;
  const SequenceLayout& layout_;
};

// The lengths to try: many networks accept these, even if strides must divide them.
constexpr std::int64_t kUsual[] = {16, 17, 32, 64, 128, 256, 512};
// Tries length by length, for networks that accept only one; a large network is tried fewer times.
constexpr std::int64_t kLongest = 2048, kMostNodes = 4'000'000;

/// Two lengths that the network accepts, or fewer if there are no more.
std::vector<std::int64_t> usual_lengths(const Trials& trials) {
  std::vector<std::int64_t> taken;
  for (const std::int64_t length : kUsual) {
    if (taken.size() < 2 && trials.takes(length)) taken.push_back(length);
  }
  return taken;
}

/// The accepted lengths, tried one by one: none, one, or the first two.
std::vector<std::int64_t> lengths_by_trial(const Trials& trials, std::size_t nodes) {
  std::vector<std::int64_t> taken;
  std::int64_t most = std::min(kLongest, kMostNodes / static_cast<std::int64_t>(nodes + 1));
  for (std::int64_t length = 1; length <= most && taken.size() < 2; ++length) {
    if (!trials.takes(length)) continue;
    taken.push_back(length);
    most = std::min(most, 4 * length + 64);  // accepted lengths are close to each other, if several
  }
  return taken;
}

[[noreturn]] void fail_without_length(const Trials& trials, const SequenceLayout& layout) {
  const std::int64_t length = kUsual[0];
  const auto& network = trials.network(length);
  in_context(
      [&] {
        return concat(network.name,
                      " accepts none of the sequence lengths that were tried; name some in "
                      "SequenceOptions::buckets. With ",
                      length);
      },
      [&] {
        try {
          (void)trials.heads(layout.batch.value_or(1), length);
        } catch (const Error& e) {
          throw_refusal(e);
        }
      });
  fail(ErrorCode::internal, network.name, " accepts a length that it rejected before");
}

// Every requested bucket must have a network.
void choose_networks(const std::vector<SequenceNetwork>& networks, SequenceLayout& layout) {
  layout.fixed_lengths = true;
  const std::vector<std::int64_t> asked = std::move(layout.buckets);
  layout.buckets.clear();
  for (const SequenceNetwork& network : networks) layout.buckets.push_back(network.length);
  for (const std::int64_t length : asked) {
    if (std::binary_search(layout.buckets.begin(), layout.buckets.end(), length)) continue;
    fail(ErrorCode::invalid_argument, "SequenceOptions::buckets have ", length,
         ", but the bucketed model has no network for that length");
  }
  if (!asked.empty()) layout.buckets = asked;
}

void check_taken(const Trials& trials, const SequenceLayout& layout) {
  for (const std::int64_t length : layout.buckets) {
    in_context([&] { return concat(trials.network(length).name, " with sequences of length ", length); },
               [&] {
                 try {
                   (void)trials.heads(layout.batch.value_or(1), length);
                 } catch (const Error& e) {
                   throw_refusal(e);
                 }
               });
  }
}

/// Sets the buckets and returns two accepted lengths, if there are two, to tell axes apart.
std::vector<std::int64_t> find_lengths(const std::vector<SequenceNetwork>& networks, const Trials& trials,
                                       SequenceLayout& layout) {
  const SequenceInput& sequence = layout.inputs[layout.sequence];
  const std::int64_t stated = sequence.shape[*sequence.axes.time];
  if (networks.front().length > 0) {
    choose_networks(networks, layout);
    check_taken(trials, layout);
    std::vector<std::int64_t> keys;
    for (const SequenceNetwork& network : networks) keys.push_back(network.length);
    return keys;
  }
  const auto& declared = networks.front().declared;
  if (layout.buckets.empty() && stated > 0 && layout.sequence < declared.size() && declared[layout.sequence])
    layout.buckets = {stated};
  if (!layout.buckets.empty()) check_taken(trials, layout);
  std::vector<std::int64_t> lengths = usual_lengths(trials);
  lengths.insert(lengths.begin(), layout.buckets.begin(), layout.buckets.end());
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  if (lengths.size() >= 2) return lengths;
  if (lengths.empty()) {
    lengths = stated > 0 && trials.takes(stated) ? std::vector<std::int64_t>{stated}
                                                 : lengths_by_trial(trials, networks[0].graph->nodes.size());
  } else if (layout.buckets.empty()) {
    lengths = lengths_by_trial(trials, networks[0].graph->nodes.size());
  }
  if (lengths.empty()) fail_without_length(trials, layout);
  layout.fixed_lengths = lengths.size() == 1;
  if (layout.fixed_lengths) layout.buckets = lengths;
  return lengths;
}

// Fixes the input sizes that change with neither the batch nor the length, so that calls need not infer them.
void fix_shapes(const Trials& trials, std::int64_t first, std::int64_t last, SequenceLayout& layout) {
  const std::int64_t batch = layout.batch.value_or(2);
  const auto types = [&](std::int64_t n, std::int64_t length) {
    return batch_types(trials.network(length), layout, n, length);
  };
  const Types one = types(batch, first), other_batch = types(batch + (layout.batch ? 0 : 1), first),
              other_length = types(batch, last);
  for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
    SequenceInput& input = layout.inputs[i];
    const Shape& shape = one[i].shape;
    if (shape.rank() != other_batch[i].shape.rank() || shape.rank() != other_length[i].shape.rank()) continue;
    if (input.shape.rank() == 0) input.shape = Shape(std::vector<std::int64_t>(shape.rank(), -1));
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (d == input.axes.batch || d == input.axes.time) continue;
      if (shape[d] == other_batch[i].shape[d] && shape[d] == other_length[i].shape[d])
        input.shape[d] = shape[d];
    }
  }
}

}  // namespace

std::vector<ops::TensorType> batch_types(const SequenceNetwork& network, const SequenceLayout& layout,
                                         std::int64_t batch, std::int64_t length) {
  ops::PartialShapes shapes;
  std::vector<DType> dtypes;
  for (const SequenceInput& input : layout.inputs) {
    dtypes.push_back(input.dtype);
    shapes.push_back(shape_for(input, batch, length));
  }
  const bool all = std::all_of(shapes.begin(), shapes.end(), ops::is_known);
  if (!all) shapes = passes::complete_inputs(*network.graph, std::move(shapes), dtypes);
  std::vector<ops::TensorType> types;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!ops::is_known(shapes[i])) {
      fail(ErrorCode::invalid_argument, "the shape of input '", printable(layout.inputs[i].name), "' of ",
           network.name, " does not follow from the others; give it in LoadOptions::inputs (--describe)");
    }
    types.push_back({dtypes[i], *shapes[i]});
    ops::require_possible(types.back());
  }
  return types;
}

SequenceLayout sequence_layout(const std::vector<SequenceNetwork>& networks, const SequenceOptions& options) {
  check_buckets(options.buckets, "SequenceOptions::buckets");
  SequenceLayout layout;
  find_roles(networks.back(), options, layout);
  layout.buckets = options.buckets;
  const SequenceInput& sequence = layout.inputs[layout.sequence];
  const std::int64_t stated_batch = sequence.shape[*sequence.axes.batch];
  if (stated_batch > 0) layout.batch = stated_batch;

  // If shapes cannot be inferred for one length, they cannot for any.
  const std::int64_t any_length = networks.back().length > 0 ? networks.back().length : kUsual[0];
  (void)batch_types(networks.back(), layout, layout.batch.value_or(1), any_length);
  const Trials trials(networks, layout);
  const std::vector<std::int64_t> lengths = find_lengths(networks, trials, layout);
  for (const DataDesc& output : networks.back().outputs)
    layout.outputs.push_back({output.name, output.dtype, {}});
  const auto heads = [&](std::int64_t batch, std::int64_t length) { return trials.try_heads(batch, length); };
  find_output_axes(heads, lengths, networks.back().outputs, follow_from_inputs(*networks.back().graph),
                   layout);
  layout.known_length = lengths.back();
  pair_states(networks.back(), options, layout);
  fix_shapes(trials, lengths.front(), lengths.back(), layout);
  return layout;
}

}  // namespace mxinfer::api
