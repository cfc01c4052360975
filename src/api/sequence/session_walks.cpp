#include "api/sequence/session_walks.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "sequence/pieces.h"

namespace mxinfer::api {
namespace {

/// A batch of one without its batch.
TensorView without_batch_of(const Tensor& state, std::size_t batch_axis) {
  Shape shape = state.shape();
  shape.erase(batch_axis);
  return {state.dtype(), shape, state.raw()};
}

}  // namespace

SessionWalks::SessionWalks(const Sequences& sequences, PredictorAccess::Impl& impl, std::size_t count)
    : thrown(count), sequences_(sequences), impl_(impl), walks_(count) {}

void SessionWalks::prepare(std::size_t i, const std::vector<Tensor>& states, SequenceItem item) {
  const SequenceLayout& layout = sequences_.layout;
  for (std::size_t n = 0; n < layout.inputs.size(); ++n) {
    if (layout.inputs[n].role != SequenceRole::state || !is_given(item.inputs[n])) continue;
    fail(ErrorCode::invalid_argument, "input '", printable(layout.inputs[n].name), "' of ", sequences_.name,
         " is a state, which the session keeps; use Session::set_states, or leave it out");
  }
  check_item(layout, sequences_.name, item);
  Walk& walk = walks_[i];
  walk.lengths = layout.fixed_lengths ? pieces_of(item.length, layout.buckets, sequences_.name)
                                      : std::vector<std::int64_t>{item.length};
  walk.whole = std::move(item);
  walk.begin = &states;
}

void SessionWalks::run() {
  for (std::size_t part = 0;; ++part) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < walks_.size(); ++i) {
      if (!thrown[i] && part < walks_[i].lengths.size()) members.push_back(i);
    }
    if (members.empty()) return;
    run_part(part, members);
  }
}

std::vector<Tensor> SessionWalks::outputs_of(std::size_t i) {
  auto& parts = walks_[i].outputs;
  if (parts.size() == 1) return std::move(parts[0]);
  std::vector<Tensor> joined;
  std::size_t next = 0;
  for (std::size_t o = 0; o < sequences_.layout.outputs.size(); ++o) {
    if (is_state(o)) continue;
    const Axes& axes = sequences_.layout.outputs[o].axes;
    if (axes.time) {
      std::vector<TensorView> views;
      for (const auto& part : parts) views.push_back(part[next].view());
      joined.push_back(join_times(views, sample_time(axes)));
    } else {
      joined.push_back(std::move(parts.back()[next]));
    }
    ++next;
  }
  return joined;
}

bool SessionWalks::is_state(std::size_t output) const {
  const auto& states = sequences_.layout.states;
  return std::any_of(states.begin(), states.end(),
                     [&](const StatePair& state) { return state.output == output; });
}

void SessionWalks::run_part(std::size_t part, const std::vector<std::size_t>& members) {
  std::vector<SequenceItem> items;
  std::vector<Tensor> owned;
  for (const std::size_t i : members) items.push_back(part_of(walks_[i], part, owned));
  std::vector<std::exception_ptr> failed(members.size());
  const auto length_of = [&](std::size_t m) { return items[m].length; };
  const auto take = [&](std::size_t m, const std::vector<Tensor>& batch, std::int64_t row, std::int64_t) {
    advance(walks_[members[m]], items[m].length, batch, row);
  };
  sequences_.run_all(impl_, items, length_of, take, failed);
  for (std::size_t m = 0; m < members.size(); ++m) thrown[members[m]] = failed[m];
}

SequenceItem SessionWalks::part_of(const Walk& walk, std::size_t part, std::vector<Tensor>& owned) const {
  SequenceItem item = walk.whole;
  const SequenceLayout& layout = sequences_.layout;
  if (walk.lengths.size() > 1) {
    item.length = walk.lengths[part];
    for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
      const Axes& axes = layout.inputs[i].axes;
      if (!axes.time || !is_given(item.inputs[i])) continue;
      owned.push_back(take_row(item.inputs[i], {std::nullopt, sample_time(axes)}, 0, walk.done, item.length));
      item.inputs[i] = owned.back().view();
    }
  }
  const auto& states = part == 0 ? *walk.begin : walk.states;
  for (std::size_t s = 0; s < states.size(); ++s) {
    const std::size_t input = layout.states[s].input;
    item.inputs[input] = without_batch_of(states[s], *layout.inputs[input].axes.batch);
  }
  return item;
}

void SessionWalks::advance(Walk& walk, std::int64_t length, const std::vector<Tensor>& batch,
                           std::int64_t row) const {
  const SequenceLayout& layout = sequences_.layout;
  std::vector<Tensor> states;
  for (std::size_t s = 0; s < layout.states.size(); ++s) {
    const StatePair& pair = layout.states[s];
    states.push_back(take_row(batch[pair.output], {layout.inputs[pair.input].axes.batch, {}}, row, 0, 0));
    Shape shape = states.back().shape();
    shape.insert(*layout.inputs[pair.input].axes.batch, 1);
    states.back().reshape(shape);
  }
  std::vector<Tensor> outputs;
  for (std::size_t o = 0; o < batch.size(); ++o) {
    if (is_state(o)) continue;
    outputs.push_back(take_row(batch[o], {layout.outputs[o].axes.batch, {}}, row, 0, 0));
  }
  walk.outputs.push_back(std::move(outputs));
  walk.states = std::move(states);
  walk.done += length;
}

}  // namespace mxinfer::api
