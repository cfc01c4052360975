// What both runs of an RNN share: with weights as they are stored (rnn.cpp), of any type, on any target,
// computed ones too; and (rnn_packed.cpp) the faster one with float32 weights that are parameters: packed
// once, the gates of a vector of state elements side by side, so that a piece of a step is a GEMM of some
// columns and the cells it feeds.
#pragma once

#include "kernels/rnn/rnn_cell.h"
#include "ops/common/scratch_layout.h"
#include "ops/elementwise/indices.h"
#include "ops/nn/recurrent/rnn_layout.h"

namespace mxinfer::ops {

/// What both runs need to know. Places are bytes from the start of the scratch memory; the lengths come
/// first.
template <typename T>
struct RnnSizes {
  RnnLayout layout;
  std::int64_t steps = 0, batch = 0;
  kernels::CellClip<T> clip{};
  bool state_outputs = false;
  IndexInput lengths{};  ///< reads into the start of the scratch memory
  bool has_lengths = false;

  std::size_t sequences[2] = {};  ///< what a layer gives, in turn, if there is another behind it
  std::size_t direction = 0;      ///< memory of the first direction
  std::size_t direction_bytes = 0;
  std::size_t total = 0;

  void place_sequences() {
    ScratchLayout whole(has_lengths ? lengths.scratch_bytes() : 0);
    const std::int64_t between = layout.layers > 1 ? steps * batch * layout.output() * layout.directions : 0;
    sequences[0] = whole.take<T>(between);
    sequences[1] = whole.take<T>(layout.layers > 2 ? between : 0);
    direction = whole.take<T>(0);
  }
  void place_directions(std::size_t bytes) {
    direction_bytes = bytes;
    total = direction + static_cast<std::size_t>(layout.directions) * bytes;
  }
};

/// Runs each layer, a `Cell` for each direction.
template <typename Cell, typename T, typename Plan>
void run_rnn_layers(const Plan& plan, const RunContext& run) {
  const std::int64_t* lengths = plan.has_lengths ? plan.lengths.read(run) : nullptr;
  const T* src = run.input<T>(0);
  for (std::int64_t layer = 0; layer < plan.layout.layers; ++layer) {
    const bool last = layer + 1 == plan.layout.layers;
    T* dst = last ? run.output<T>(0)
                  : reinterpret_cast<T*>(run.scratch + plan.sequences[static_cast<std::size_t>(layer % 2)]);
    parallel_for(plan.layout.directions, 1, [&](std::int64_t begin, std::int64_t end) {
      isolate([&] {
        for (std::int64_t d = begin; d < end; ++d) Cell(plan, run, lengths, layer, d).run(src, dst);
      });
    });
    src = dst;
  }
}

/// Precondition: input 1, the parameters, is a constant.
Step rnn_packed_step(LowerContext& context, const RnnSizes<float>& sizes);

}  // namespace mxinfer::ops
