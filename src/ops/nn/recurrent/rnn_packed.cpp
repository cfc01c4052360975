#include <algorithm>

#include "kernels/gemm/gemm_packed.h"
#include "ops/common/products.h"
#include "ops/nn/recurrent/rnn_run.h"

namespace mxinfer::ops {
namespace {

// Multiply-adds of a step that are worth another thread: some ten microseconds.
constexpr std::int64_t kWorthAThread = 100000;
constexpr std::int64_t kProjectionColumns = 64;  ///< of a piece of a projection
// Rows of the input that are multiplied at once, before the steps that they belong to: enough to make reading
// the weights for them cheap, few enough for the results to be in a cache still when their step comes.
constexpr std::int64_t kProjectedRows = 192;

/// Where the weights of a cell are in the packed memory, in elements.
struct PackedCell {
  std::int64_t input = 0;  ///< the size of what it reads at each step
  std::int64_t w = 0, r = 0, p = 0;
  std::int64_t input_bias = 0;  ///< added to the products with the input
  std::int64_t state_bias = 0;  ///< gru: added to those with the state, of which a part is scaled
};

struct Plan : RnnSizes<float> {
  const kernels::GemmPackedKernel* gemm = nullptr;
  kernels::LstmCellFn<float> lstm = nullptr;
  kernels::GruCellFn<float> gru = nullptr;
  std::vector<PackedCell> cells;
  std::int64_t packed_elements = 0;
  const float* packed = nullptr;
  int threads = 1;

  // In the memory of a direction.
  std::size_t projected = 0, gates = 0, hidden = 0, states[2] = {}, cell = 0;

  /// State elements whose gates lie together.
  std::int64_t block() const { return layout.gates == 1 ? 1 : gemm->lanes; }
  std::int64_t width() const { return layout.gates * round_up(layout.hidden, block()); }
  /// State elements of a piece: their gates are whole panels on every target.
  std::int64_t unit() const { return layout.gates == 4 ? 32 : 64; }
  std::int64_t units() const { return ceil_div(layout.hidden, unit()); }
  /// Steps whose inputs are multiplied at once: as even a share of all as there is.
  std::int64_t chunk() const {
    const std::int64_t most = ceil_div(kProjectedRows, std::max<std::int64_t>(1, batch));
    return ceil_div(steps, std::max<std::int64_t>(1, ceil_div(steps, most)));
  }
  std::int64_t row_of(std::int64_t column) const;
};

/// Which row of the stored weights a column of the packed ones is, -1: none.
std::int64_t Plan::row_of(std::int64_t column) const {
  const std::int64_t group = layout.gates * block();
  const std::int64_t gate = column % group / block();
  const std::int64_t element = column / group * block() + column % block();
  return element < layout.hidden ? gate * layout.hidden + element : -1;
}

void place_weights(Plan& plan) {
  const RnnLayout& layout = plan.layout;
  std::int64_t end = 0;
  const auto take = [&](std::int64_t elements) {
    const std::int64_t at = end;
    end += round_up(elements, 16);
    return at;
  };
  for (const RnnCellOffsets& stored : layout.cells) {
    PackedCell cell{.input = stored.input, .w = take(plan.gemm->panel_elements(plan.width(), stored.input))};
    cell.r = take(plan.gemm->panel_elements(plan.width(), layout.output()));
    if (layout.projection > 0) cell.p = take(plan.gemm->panel_elements(layout.projection, layout.hidden));
    cell.input_bias = take(plan.width());
    cell.state_bias = take(plan.width());
    plan.cells.push_back(cell);
  }
  plan.packed_elements = end;
}

void pack_gates(const Plan& plan, const float* weights, std::int64_t depth, float* dst) {
  std::vector<float> rows(static_cast<std::size_t>(plan.width() * depth), 0.0f);
  for (std::int64_t column = 0; column < plan.width(); ++column) {
    const std::int64_t row = plan.row_of(column);
    if (row >= 0) std::copy_n(weights + row * depth, depth, rows.data() + column * depth);
  }
  kernels::PackPanelsArgs args;
  args.columns = plan.width();
  args.depth = args.stride = depth;
  args.transposed = true;
  args.b = rows.data();
  args.dst = dst;
  plan.gemm->pack(args, 0, plan.gemm->panels(args.columns));
}

void pack_biases(const Plan& plan, const float* of_input, const float* of_state, float* input_bias,
                 float* state_bias) {
  for (std::int64_t column = 0; column < plan.width(); ++column) {
    const std::int64_t row = plan.row_of(column);
    const float x = row < 0 ? 0.0f : of_input[row], h = row < 0 ? 0.0f : of_state[row];
    const bool apart = plan.layout.mode == RnnMode::gru;
    input_bias[column] = apart ? x : x + h;
    state_bias[column] = apart ? h : 0.0f;
  }
}

void pack_all(const Plan& plan, const float* parameters, float* dst) {
  const RnnLayout& layout = plan.layout;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const RnnCellOffsets& stored = layout.cells[i];
    const PackedCell& cell = plan.cells[i];
    pack_gates(plan, parameters + stored.w, stored.input, dst + cell.w);
    pack_gates(plan, parameters + stored.r, layout.output(), dst + cell.r);
    pack_biases(plan, parameters + stored.w_bias, parameters + stored.r_bias, dst + cell.input_bias,
                dst + cell.state_bias);
    if (layout.projection == 0) continue;
    kernels::PackPanelsArgs args;
    args.columns = layout.projection;
    args.depth = args.stride = layout.hidden;
    args.transposed = true;
    args.b = parameters + stored.p;
    args.dst = dst + cell.p;
    plan.gemm->pack(args, 0, plan.gemm->panels(args.columns));
  }
}

void place_scratch(Plan& plan) {
  const RnnLayout& layout = plan.layout;
  plan.place_sequences();
  ScratchLayout own;
  plan.projected = own.take<float>(plan.chunk() * plan.batch * plan.width());
  plan.gates = own.take<float>(layout.gates > 1 ? plan.batch * plan.width() : 0);
  plan.hidden = own.take<float>(layout.projection > 0 ? plan.batch * layout.hidden : 0);
  for (std::size_t& state : plan.states)
    state = own.take<float>(plan.has_lengths ? plan.batch * layout.output() : 0);
  plan.cell = own.take<float>(plan.batch * layout.hidden);
  plan.place_directions(own.bytes());
}

/// A matrix of `batch` rows.
template <typename T>
struct Rows {
  T* data = nullptr;
  std::int64_t stride = 0;
};

/// One layer in one direction.
class PackedCellRun {
 public:
  PackedCellRun(const Plan& plan, const RunContext& run, const std::int64_t* lengths, std::int64_t layer,
                std::int64_t direction)
      : plan_(plan),
        run_(run),
        index_(layer * plan.layout.directions + direction),
        weights_(plan.cells[static_cast<std::size_t>(index_)]),
        direction_(direction),
        lengths_(lengths),
        memory_(run.scratch + plan.direction + static_cast<std::size_t>(direction) * plan.direction_bytes) {}

  /// src is (steps, batch, input), dst (steps, batch, directions * output).
  void run(const float* src, float* dst) {
    if (is_lstm()) {
      std::copy_n(run_.input<float>(3) + index_ * cell_elements(), cell_elements(), memory(plan_.cell));
    }
    const std::int64_t size = plan_.layout.output(), stride = plan_.layout.directions * size;
    state_ = {run_.input<float>(2) + index_ * plan_.batch * size, size};
    for (std::int64_t i = 0; i < plan_.steps; ++i) {
      if (i % plan_.chunk() == 0) project_input(src, i, std::min(plan_.chunk(), plan_.steps - i));
      step_ = direction_ == 0 ? i : plan_.steps - 1 - i;
      out_ = {dst + step_ * plan_.batch * stride + direction_ * size, stride};
      // Samples that are over keep a state that is not in the output.
      fresh_ = lengths_ == nullptr ? out_ : Rows<float>{memory(plan_.states[i % 2]), size};
      advance(i % 2 != 0);
      state_ = {fresh_.data, fresh_.stride};
    }
    store_states();
  }

 private:
  float* memory(std::size_t offset) const { return reinterpret_cast<float*>(memory_ + offset); }
  std::int64_t cell_elements() const { return plan_.batch * plan_.layout.hidden; }
  bool is_lstm() const { return plan_.layout.mode == RnnMode::lstm; }

  /// The GEMMs of the input of the steps that come `from`th to before the `from + count`th.
  void project_input(const float* src, std::int64_t from, std::int64_t count) {
    first_projected_ = direction_ == 0 ? from : plan_.steps - from - count;
    kernels::GemmPackedArgs args;
    args.rows = count * plan_.batch;
    args.columns = args.dst_stride = plan_.width();
    args.depth = args.a_stride = weights_.input;
    args.a = src + first_projected_ * plan_.batch * weights_.input;
    args.panels = plan_.packed + weights_.w;
    args.bias = plan_.packed + weights_.input_bias;
    args.dst = memory(plan_.projected);
    args.task_hint = std::max(args.task_hint, task_hint(plan_.threads));
    parallel_for(plan_.gemm->tasks(args), 1,
                 [&](std::int64_t begin, std::int64_t end) { plan_.gemm->run(args, begin, end); });
  }

  /// Calls piece(unit, next unit) for each of `units`, split over as many threads as so much work is worth.
  /// How it is split changes no sum. A thread's pieces pass in turn from first to last and back, so that the
  /// last ones' weights are still at hand.
  template <typename Piece>
  void for_units(std::int64_t units, std::int64_t work, bool backwards, const Piece& piece) {
    const std::int64_t threads = ceil_div(plan_.threads, plan_.layout.directions);
    const std::int64_t shares = std::clamp<std::int64_t>(work / kWorthAThread, 1, threads);
    parallel_for(units, ceil_div(units, shares), [&](std::int64_t begin, std::int64_t end) {
      const auto at = [&](std::int64_t u) { return backwards ? begin + end - 1 - u : u; };
      for (std::int64_t u = begin; u < end; ++u) piece(at(u), at(std::min(u + 1, end - 1)));
    });
  }

  void advance(bool backwards) {
    const RnnLayout& layout = plan_.layout;
    for_units(plan_.units(), plan_.batch * plan_.width() * layout.output(), backwards,
              [&](std::int64_t unit, std::int64_t next) { advance_unit(unit, next); });
    if (layout.projection == 0) return;
    for_units(ceil_div(layout.projection, kProjectionColumns),
              plan_.batch * layout.projection * layout.hidden, backwards,
              [&](std::int64_t unit, std::int64_t next) { project_unit(unit, next); });
  }

  void advance_unit(std::int64_t unit, std::int64_t next) {
    const RnnLayout& layout = plan_.layout;
    const std::int64_t first = unit * plan_.unit(), count = std::min(plan_.unit(), layout.hidden - first);
    const std::int64_t column = layout.gates * first;
    const float* projected =
        memory(plan_.projected) + (step_ - first_projected_) * plan_.batch * plan_.width() + column;
    kernels::GemmPackedArgs args;
    args.rows = plan_.batch;
    args.columns = layout.gates * round_up(count, plan_.block());
    args.depth = layout.output();
    args.a = state_.data;
    args.a_stride = state_.stride;
    args.panels = plan_.packed + weights_.r + column * args.depth;
    args.next_panels = plan_.packed + weights_.r + layout.gates * next * plan_.unit() * args.depth;
    args.dst = memory(plan_.gates) + column;
    args.dst_stride = plan_.width();
    if (layout.mode == RnnMode::gru) {
      args.bias = plan_.packed + weights_.state_bias + column;
    } else {
      args.residual = projected;
      args.residual_stride = plan_.width();
    }
    const Rows<float> to = layout.projection > 0 ? Rows<float>{memory(plan_.hidden), layout.hidden} : fresh_;
    if (layout.gates == 1) {
      args.post_ops.activation =
          layout.mode == RnnMode::relu ? kernels::Activation::relu : kernels::Activation::tanh;
      args.dst = to.data + first;
      args.dst_stride = to.stride;
    }
    plan_.gemm->run(args, 0, plan_.gemm->tasks(args));
    if (layout.mode == RnnMode::lstm) lstm_cells(first, count, args.dst, to);
    if (layout.mode == RnnMode::gru) gru_cells(first, count, projected, args.dst, to);
    if (layout.projection == 0) hand_on(first, count);
  }

  void lstm_cells(std::int64_t first, std::int64_t count, const float* gates, Rows<float> to) {
    kernels::LstmCellArgs<float> args{.hidden = count, .block = plan_.block(), .clip = plan_.clip};
    args.gates = gates;
    args.gates_stride = plan_.width();
    args.cell = memory(plan_.cell) + first;
    args.cell_stride = plan_.layout.hidden;
    args.out = to.data + first;
    args.out_stride = to.stride;
    for_rows([&](std::int64_t begin, std::int64_t end) { plan_.lstm(args, begin, end); });
  }

  void gru_cells(std::int64_t first, std::int64_t count, const float* projected, const float* gates,
                 Rows<float> to) {
    kernels::GruCellArgs<float> args{.hidden = count, .block = plan_.block(), .from_input = projected};
    args.from_state = gates;
    args.gates_stride = plan_.width();
    args.state = state_.data + first;
    args.state_stride = state_.stride;
    args.out = to.data + first;
    args.out_stride = to.stride;
    for_rows([&](std::int64_t begin, std::int64_t end) { plan_.gru(args, begin, end); });
  }

  void project_unit(std::int64_t unit, std::int64_t next) {
    const RnnLayout& layout = plan_.layout;
    const std::int64_t first = unit * kProjectionColumns;
    kernels::GemmPackedArgs args;
    args.rows = plan_.batch;
    args.columns = std::min(kProjectionColumns, layout.projection - first);
    args.depth = args.a_stride = layout.hidden;
    args.a = memory(plan_.hidden);
    args.panels = plan_.packed + weights_.p + first * args.depth;
    args.next_panels = plan_.packed + weights_.p + next * kProjectionColumns * args.depth;
    args.dst = fresh_.data + first;
    args.dst_stride = fresh_.stride;
    plan_.gemm->run(args, 0, plan_.gemm->tasks(args));
    hand_on(first, args.columns);
  }

  bool is_over(std::int64_t row) const { return lengths_ != nullptr && step_ >= lengths_[row]; }

  /// The samples that are not over, some at a time.
  template <typename Body>
  void for_rows(const Body& body) {
    if (lengths_ == nullptr) return body(0, plan_.batch);
    for (std::int64_t row = 0; row < plan_.batch; ++row) {
      if (!is_over(row)) body(row, row + 1);
    }
  }

  /// From the new state to the output, if they are not one. A sample that is over keeps its state and
  /// gives 0.
  void hand_on(std::int64_t first, std::int64_t count) {
    if (lengths_ == nullptr) return;
    for (std::int64_t row = 0; row < plan_.batch; ++row) {
      float* fresh = fresh_.data + row * fresh_.stride + first;
      float* out = out_.data + row * out_.stride + first;
      if (is_over(row)) {
        std::copy_n(state_.data + row * state_.stride + first, count, fresh);
        std::fill_n(out, count, 0.0f);
      } else {
        std::copy_n(fresh, count, out);
      }
    }
  }

  void store_states() {
    if (!plan_.state_outputs) return;
    const std::int64_t size = plan_.layout.output();
    for (std::int64_t row = 0; row < plan_.batch; ++row) {
      std::copy_n(state_.data + row * state_.stride, size,
                  run_.output<float>(1) + (index_ * plan_.batch + row) * size);
    }
    if (is_lstm()) {
      std::copy_n(memory(plan_.cell), cell_elements(), run_.output<float>(2) + index_ * cell_elements());
    }
  }

  const Plan& plan_;
  const RunContext& run_;
  std::int64_t index_;
  const PackedCell& weights_;
  std::int64_t direction_;
  const std::int64_t* lengths_;
  std::byte* memory_;
  std::int64_t step_ = 0;             ///< of the sequence, as data has it
  std::int64_t first_projected_ = 0;  ///< the step that the products with the input begin with
  Rows<const float> state_{};         ///< before the step
  Rows<float> fresh_{};               ///< after it
  Rows<float> out_{};                 ///< what it gives
};

}  // namespace

Step rnn_packed_step(LowerContext& context, const RnnSizes<float>& sizes) {
  Plan plan;
  static_cast<RnnSizes<float>&>(plan) = sizes;
  plan.gemm = &kernels::select_gemm_packed(context.target());
  plan.lstm = kernels::select_lstm_cell_f32(context.target());
  plan.gru = kernels::select_gru_cell_f32(context.target());
  plan.threads = context.threads();
  place_weights(plan);
  place_scratch(plan);
  const RnnLayout& layout = plan.layout;
  const std::string packing =
      concat("rnn ", context.attrs().choice("mode"), " ", layout.cells[0].input, " x ", layout.hidden, " x ",
             layout.projection, " x ", layout.layers, " x ", layout.directions, ", ", plan.gemm->packing);
  const auto pack = [plan](const TensorView& parameters, std::byte* dst) {
    pack_all(plan, parameters.data<float>(), reinterpret_cast<float*>(dst));
  };
  const auto bytes = static_cast<std::size_t>(plan.packed_elements) * sizeof(float);
  plan.packed = reinterpret_cast<const float*>(context.packed(1, packing, bytes, pack));
  Step step{.scratch_bytes = plan.total};
  step.run = [plan = std::move(plan)](const RunContext& run) {
    run_rnn_layers<PackedCellRun, float>(plan, run);
  };
  return step;
}

}  // namespace mxinfer::ops
