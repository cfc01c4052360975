// The run of an RNN with weights as they are stored: of any type, on any target, computed ones too.
// ops/nn/recurrent/rnn_packed.h is the faster one for float32 weights that are parameters.
#pragma once

#include <algorithm>
#include <cstring>

#include "base/threads/thread_arena.h"
#include "kernels/gemm/gemm.h"
#include "kernels/rnn/rnn_cell.h"
#include "ops/common/indices.h"
#include "ops/common/scratch_layout.h"
#include "ops/nn/recurrent/rnn_layout.h"
#include "ops/step.h"

namespace mxinfer::ops {

/// Below this much arithmetic in one GEMM, handing pieces to other threads costs more than it saves.
inline constexpr double kWorthSharing = 4e5;

/// What both runs need to know.
template <typename T>
struct RnnSizes {
  RnnLayout layout;
  std::int64_t steps = 0, batch = 0;
  kernels::CellClip<T> clip;
  bool state_outputs = false;
  IndexInput lengths;  ///< reads into the start of the scratch memory
  bool has_lengths = false;
};

/// Kernels, and where things are in the scratch memory.
template <typename T>
struct RnnPlan : RnnSizes<T> {
  const kernels::GemmNtKernel<T>* gemm = nullptr;
  kernels::LstmCellFn<T> lstm = nullptr;
  kernels::GruCellFn<T> gru = nullptr;

  // Bytes from the start of the scratch memory; the lengths come first.
  std::size_t sequences[2] = {};  ///< what a layer gives, in turn, if there is another behind it
  std::size_t direction = 0;      ///< memory of the first direction
  std::size_t direction_bytes = 0;
  // Within the memory of a direction:
  std::size_t projected = 0, gates = 0, hidden = 0, state = 0, cell = 0, fresh = 0;
  std::size_t total = 0;
};

template <typename T>
void place_scratch(RnnPlan<T>& plan) {
  const RnnLayout& layout = plan.layout;
  const std::int64_t rows = plan.steps * plan.batch;
  ScratchLayout whole(plan.has_lengths ? plan.lengths.scratch_bytes() : 0);
  const std::int64_t between = layout.layers > 1 ? rows * layout.output() * layout.directions : 0;
  plan.sequences[0] = whole.take<T>(between);
  plan.sequences[1] = whole.take<T>(layout.layers > 2 ? between : 0);
  plan.direction = whole.take<T>(0);

  ScratchLayout own;
  plan.projected = own.take<T>(rows * layout.gates * layout.hidden);
  plan.gates = own.take<T>(plan.batch * layout.gates * layout.hidden);
  plan.hidden = own.take<T>(plan.batch * layout.hidden);
  plan.state = own.take<T>(plan.batch * layout.output());
  plan.cell = own.take<T>(plan.batch * layout.hidden);
  plan.fresh = own.take<T>(plan.batch * layout.output());
  plan.direction_bytes = own.bytes();
  plan.total = plan.direction + static_cast<std::size_t>(layout.directions) * plan.direction_bytes;
}

/// One layer in one direction.
template <typename T>
class Cell {
 public:
  Cell(const RnnPlan<T>& plan, const RunContext& run, const std::int64_t* lengths, std::int64_t layer,
       std::int64_t direction)
      : plan_(plan),
        run_(run),
        offsets_(plan.layout.cells[static_cast<std::size_t>(layer * plan.layout.directions + direction)]),
        index_(layer * plan.layout.directions + direction),
        direction_(direction),
        lengths_(lengths),
        memory_(run.scratch + plan.direction + static_cast<std::size_t>(direction) * plan.direction_bytes) {}

  /// src is (steps, batch, offsets.input), dst (steps, batch, directions * output).
  void run(const T* src, T* dst) {
    load_states();
    const RnnLayout& layout = plan_.layout;
    const std::int64_t width = layout.gates * layout.hidden;
    product(src, plan_.steps * plan_.batch, offsets_.input, offsets_.w, width, offsets_.w_bias, nullptr,
            memory(plan_.projected));
    for (std::int64_t i = 0; i < plan_.steps; ++i) {
      const std::int64_t step = direction_ == 0 ? i : plan_.steps - 1 - i;
      step_ = step;
      advance(memory(plan_.projected) + step * plan_.batch * width);
      take_rows(dst + step * plan_.batch * layout.directions * layout.output());
    }
    store_states();
  }

 private:
  T* memory(std::size_t offset) const { return reinterpret_cast<T*>(memory_ + offset); }
  std::int64_t state_elements() const { return plan_.batch * plan_.layout.output(); }
  std::int64_t cell_elements() const { return plan_.batch * plan_.layout.hidden; }
  bool is_lstm() const { return plan_.layout.mode == RnnMode::lstm; }

  void load_states() {
    std::copy_n(run_.input<T>(2) + index_ * state_elements(), state_elements(), memory(plan_.state));
    if (is_lstm())
      std::copy_n(run_.input<T>(3) + index_ * cell_elements(), cell_elements(), memory(plan_.cell));
  }

  void store_states() {
    if (!plan_.state_outputs) return;
    std::copy_n(memory(plan_.state), state_elements(), run_.output<T>(1) + index_ * state_elements());
    if (is_lstm())
      std::copy_n(memory(plan_.cell), cell_elements(), run_.output<T>(2) + index_ * cell_elements());
  }

  // dst = act(residual + bias + a . weights^T), weights and bias at offsets into the parameters; bias -1:
  // none.
  void product(const T* a, std::int64_t rows, std::int64_t depth, std::int64_t weights, std::int64_t columns,
               std::int64_t bias, const T* residual, T* dst,
               kernels::Activation activation = kernels::Activation::none) {
    const T* parameters = run_.input<T>(1);
    kernels::GemmNtArgs<T> args;
    args.rows = rows;
    args.columns = columns;
    args.depth = depth;
    args.post_ops.activation = activation;
    args.a = a;
    args.b = parameters + weights;
    args.bias = bias < 0 ? nullptr : parameters + bias;
    args.residual = residual;
    args.dst = dst;
    const std::int64_t tasks = plan_.gemm->tasks(args);
    const double work =
        2.0 * static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(depth);
    parallel_for(tasks, work < kWorthSharing ? std::max<std::int64_t>(tasks, 1) : 1,
                 [&](std::int64_t begin, std::int64_t end) { plan_.gemm->run(args, begin, end); });
  }

  // The next output of all samples, in `fresh`; c' in `cell` of those samples that are not over.
  void advance(const T* projected) {
    const RnnLayout& layout = plan_.layout;
    const std::int64_t width = layout.gates * layout.hidden;
    T* out = memory(layout.projection > 0 ? plan_.hidden : plan_.fresh);
    const T* state = memory(plan_.state);
    switch (layout.mode) {
      case RnnMode::relu:
      case RnnMode::tanh:
        product(state, plan_.batch, layout.output(), offsets_.r, width, offsets_.r_bias, projected, out,
                layout.mode == RnnMode::relu ? kernels::Activation::relu : kernels::Activation::tanh);
        break;
      case RnnMode::lstm:
        product(state, plan_.batch, layout.output(), offsets_.r, width, offsets_.r_bias, projected,
                memory(plan_.gates));
        lstm_cells(out);
        break;
      case RnnMode::gru:
        product(state, plan_.batch, layout.output(), offsets_.r, width, offsets_.r_bias, nullptr,
                memory(plan_.gates));
        std::copy_n(state, state_elements(), out);
        gru_cells(projected, out);
        break;
    }
    if (layout.projection > 0) {
      product(memory(plan_.hidden), plan_.batch, layout.hidden, offsets_.p, layout.projection, -1, nullptr,
              memory(plan_.fresh));
    }
  }

  void lstm_cells(T* out) {
    kernels::LstmCellArgs<T> args;
    args.hidden = plan_.layout.hidden;
    args.clip = plan_.clip;
    args.gates = memory(plan_.gates);
    args.cell = memory(plan_.cell);
    args.out = out;
    for_rows([&](std::int64_t begin, std::int64_t end) { plan_.lstm(args, begin, end); });
  }

  void gru_cells(const T* projected, T* state) {
    kernels::GruCellArgs<T> args;
    args.hidden = plan_.layout.hidden;
    args.from_input = projected;
    args.from_state = memory(plan_.gates);
    args.state = state;
    args.out = state;
    for_rows([&](std::int64_t begin, std::int64_t end) { plan_.gru(args, begin, end); });
  }

  // The samples that are not over at `step_`, a piece at a time.
  template <typename Body>
  void for_rows(const Body& body) {
    if (lengths_ == nullptr) return body(0, plan_.batch);
    for (std::int64_t row = 0; row < plan_.batch; ++row) {
      if (step_ < lengths_[row]) body(row, row + 1);
    }
  }

  // What the step gave: the new state, and a row of dst. A sample that is over keeps its state and gives 0.
  void take_rows(T* dst) {
    const std::int64_t size = plan_.layout.output();
    const std::int64_t stride = plan_.layout.directions * size;
    for (std::int64_t row = 0; row < plan_.batch; ++row) {
      T* to = dst + row * stride + direction_ * size;
      if (lengths_ != nullptr && step_ >= lengths_[row]) {
        std::fill_n(to, size, T(0));
        continue;
      }
      const T* from = memory(plan_.fresh) + row * size;
      std::copy_n(from, size, to);
      std::copy_n(from, size, memory(plan_.state) + row * size);
    }
  }

  const RnnPlan<T>& plan_;
  const RunContext& run_;
  const RnnCellOffsets& offsets_;
  std::int64_t index_;
  std::int64_t direction_;
  const std::int64_t* lengths_;
  std::byte* memory_;
  std::int64_t step_ = 0;  ///< of the sequence, as data has it
};

template <typename T>
void run_layers(const RnnPlan<T>& plan, const RunContext& run) {
  const std::int64_t* lengths = plan.has_lengths ? plan.lengths.read(run) : nullptr;
  const T* src = run.input<T>(0);
  for (std::int64_t layer = 0; layer < plan.layout.layers; ++layer) {
    const bool last = layer + 1 == plan.layout.layers;
    T* dst = last ? run.output<T>(0)
                  : reinterpret_cast<T*>(run.scratch + plan.sequences[static_cast<std::size_t>(layer % 2)]);
    parallel_for(plan.layout.directions, 1, [&](std::int64_t begin, std::int64_t end) {
      isolate([&] {
        for (std::int64_t d = begin; d < end; ++d) Cell<T>(plan, run, lengths, layer, d).run(src, dst);
      });
    });
    src = dst;
  }
}

}  // namespace mxinfer::ops
