// RNN: layers of lstm, gru or plain cells over a whole sequence, in one or both directions.
#include <algorithm>

#include "kernels/gemm/gemm.h"
#include "ops/common/products.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/recurrent/rnn_layout.h"
#include "ops/nn/recurrent/rnn_run.h"

namespace mxinfer::ops {
namespace {

bool is_lstm(const Attrs& attrs) {
  return attrs.choice("mode") == "lstm";
}

PortNames inputs(const Attrs& attrs) {
  PortNames ports{{"data", "parameters", "state"}};
  if (is_lstm(attrs)) ports.names.emplace_back("state_cell");
  if (attrs.flag("use_sequence_length")) ports.names.emplace_back("sequence_length");
  return ports;
}

PortNames outputs(const Attrs& attrs) {
  PortNames ports{{"output"}};
  if (!attrs.flag("state_outputs")) return ports;
  ports.names.emplace_back("state");
  if (is_lstm(attrs)) ports.names.emplace_back("state_cell");
  return ports;
}

std::vector<TensorType> infer_rnn(const InferContext& context) {
  const bool lengths = context.attrs.flag("use_sequence_length");
  const Shape& data = context.shape(0);
  if (data.rank() != 3) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ", (steps, batch, size) is needed");
  }
  const DType dtype = context.dtype(0);
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "data is ", to_string(dtype), "; float32 and float64 are supported");
  }
  for (std::size_t i = 1; i < context.count() - (lengths ? 1 : 0); ++i) {
    if (context.dtype(i) == dtype) continue;
    fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.dtype(i)), ", data is ",
         to_string(dtype), "; they must be the same");
  }
  const RnnLayout layout = rnn_layout(context.attrs, data[2]);
  expect_shape(context, 1, "parameters", Shape{layout.elements},
               concat("what state_size, num_layers, mode and a step of ", data[2], " elements need"));
  const std::int64_t cells = layout.layers * layout.directions;
  const Shape state{cells, data[1], layout.output()};
  const Shape state_cell{cells, data[1], layout.hidden};
  const char* why = "num_layers * directions, batch, size of the state";
  expect_shape(context, 2, "state", state, why);
  if (is_lstm(context.attrs)) expect_shape(context, 3, "state_cell", state_cell, why);
  if (lengths) expect_shape(context, context.count() - 1, "sequence_length", Shape{data[1]}, "the batch");

  std::vector<TensorType> types{{dtype, Shape{data[0], data[1], layout.output() * layout.directions}}};
  if (!context.attrs.flag("state_outputs")) return types;
  types.push_back({dtype, state});
  if (is_lstm(context.attrs)) types.push_back({dtype, state_cell});
  return types;
}

// The size of a step that a packed array of so many parameters is for; unknown if none fits. The first
// layer's rows alone depend on it, so that the length is linear in it.
std::int64_t step_size(const Attrs& attrs, std::int64_t parameters) {
  const std::int64_t without = rnn_layout(attrs, 0).elements;
  const std::int64_t per_element = rnn_layout(attrs, 1).elements - without;
  const std::int64_t of_steps = parameters - without;
  return per_element > 0 && of_steps > 0 && of_steps % per_element == 0 ? of_steps / per_element : kUnknown;
}

// The states have the batch of data, and the parameters tell the size of its steps.
void unify_rnn(const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
  const std::int64_t hidden = attrs.integer("state_size");
  const std::int64_t out = attrs.has("projection_size") ? attrs.integer("projection_size") : hidden;
  const std::int64_t directions = attrs.flag("bidirectional") ? 2 : 1;
  const std::int64_t layers = attrs.integer("num_layers");
  if (!checked_mul(layers, directions) || !checked_mul(out, directions)) return;  // infer_rnn() says so
  const std::int64_t cells = layers * directions;
  learn(inputs[0], Shape{kUnknown, kUnknown, kUnknown});
  learn(inputs[2], Shape{cells, kUnknown, out});
  if (inputs[0]->rank() != 3 || inputs[2]->rank() != 3) return;
  unify((*inputs[0])[1], (*inputs[2])[1]);
  const PartialShape& parameters = inputs[1];
  if ((*inputs[0])[2] == kUnknown && parameters && parameters->rank() == 1 && (*parameters)[0] != kUnknown)
    (*inputs[0])[2] = step_size(attrs, (*parameters)[0]);
  if (is_lstm(attrs)) learn(inputs[3], Shape{cells, (*inputs[0])[1], hidden});
  learn(outputs[0], Shape{(*inputs[0])[0], (*inputs[0])[1], out * directions});
  if (outputs.size() > 1) unify(outputs[1], inputs[2]);
  if (outputs.size() > 2) unify(outputs[2], inputs[3]);
}

/// Below this much arithmetic in one GEMM, handing pieces to other threads costs more than it saves.
constexpr double kWorthSharing = 4e5;

/// Kernels, and where things are in the memory of a direction.
template <typename T>
struct RnnPlan : RnnSizes<T> {
  const kernels::GemmNtKernel<T>* gemm = nullptr;
  kernels::LstmCellFn<T> lstm = nullptr;
  kernels::GruCellFn<T> gru = nullptr;
  std::size_t projected = 0, gates = 0, hidden = 0, state = 0, cell = 0, fresh = 0;
};

template <typename T>
void place_scratch(RnnPlan<T>& plan) {
  const RnnLayout& layout = plan.layout;
  plan.place_sequences();
  ScratchLayout own;
  plan.projected = own.take<T>(plan.steps * plan.batch * layout.gates * layout.hidden);
  plan.gates = own.take<T>(plan.batch * layout.gates * layout.hidden);
  plan.hidden = own.take<T>(plan.batch * layout.hidden);
  plan.state = own.take<T>(plan.batch * layout.output());
  plan.cell = own.take<T>(plan.batch * layout.hidden);
  plan.fresh = own.take<T>(plan.batch * layout.output());
  plan.place_directions(own.bytes());
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
    kernels::LstmCellArgs<T> args{.hidden = plan_.layout.hidden, .clip = plan_.clip};
    args.gates = memory(plan_.gates);
    args.cell = memory(plan_.cell);
    args.out = out;
    for_rows([&](std::int64_t begin, std::int64_t end) { plan_.lstm(args, begin, end); });
  }

  void gru_cells(const T* projected, T* state) {
    kernels::GruCellArgs<T> args{.hidden = plan_.layout.hidden, .from_input = projected};
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
RnnSizes<T> rnn_sizes(LowerContext& context) {
  const Shape& data = context.input(0).shape;
  RnnSizes<T> sizes{.layout = rnn_layout(context.attrs(), data[2]), .steps = data[0], .batch = data[1]};
  sizes.clip = rnn_clip<T>(context.attrs());
  sizes.state_outputs = context.attrs().flag("state_outputs");
  sizes.has_lengths = context.attrs().flag("use_sequence_length");
  if (sizes.has_lengths) sizes.lengths = IndexInput(context, context.num_inputs() - 1);
  return sizes;
}

template <typename T>
Step stored_step(LowerContext& context) {
  RnnPlan<T> plan;
  static_cast<RnnSizes<T>&>(plan) = rnn_sizes<T>(context);
  place_scratch(plan);
  if constexpr (sizeof(T) == sizeof(double)) {
    require_openblas(context);
    plan.gemm = &kernels::gemm_nt_f64();
    plan.lstm = kernels::lstm_cell_ref<double>;
    plan.gru = kernels::gru_cell_ref<double>;
  } else {
    plan.gemm = &kernels::select_gemm_nt(context.target());
    plan.lstm = kernels::select_lstm_cell_f32(context.target());
    plan.gru = kernels::select_gru_cell_f32(context.target());
  }
  Step step{.scratch_bytes = plan.total};
  step.run = [plan = std::move(plan)](const RunContext& run) { run_rnn_layers<Cell<T>, T>(plan, run); };
  return step;
}

Step lower_rnn_f32(LowerContext& context) {
  const kernels::Target target = context.target();
  const RnnSizes<float> sizes = rnn_sizes<float>(context);
  const bool packed = context.is_constant(1) && target != kernels::Target::ref;
  Step step = packed ? rnn_packed_step(context, sizes) : stored_step<float>(context);
  step.kernel = concat(packed ? "rnn_packed_f32 [" : "rnn_f32 [", kernels::to_string(target), "]");
  step.reason =
      packed ? "a GEMM multiplies the inputs of several steps at once, another the state at each step; "
               "weights are packed once, the gates of an element side by side"
             : "a GEMM multiplies the inputs of all steps at once, another the state at each step";
  step.flops = rnn_flops(sizes.layout, sizes.steps * sizes.batch);
  return step;
}

Step lower_rnn(LowerContext& context) {
  if (context.input(0).dtype != DType::float64) return lower_rnn_f32(context);
  Step step = stored_step<double>(context);
  step.kernel = "rnn_f64 [ref]";
  step.reason = "float64 has the reference kernels only";
  const RnnSizes<double> sizes = rnn_sizes<double>(context);
  step.flops = rnn_flops(sizes.layout, sizes.steps * sizes.batch);
  return step;
}

AttrSpec optional_number(std::string name) {
  return number_attr(std::move(name)).optional_none();
}

}  // namespace

std::vector<OpDef> rnn_ops() {
  return {{.name = "RNN",
           .aliases = {"_npx_rnn"},
           .summary =
               "Layers of recurrent cells over data (steps, batch, size). lstm: c' = s(f) c + s(i) "
               "tanh(g), h' = s(o) tanh(c'); gru: h' = (1 - z) n + z h; rnn_relu and rnn_tanh: h' = act(W "
               "x + R h + biases). Beyond its sequence_length, a sample keeps its state and gives 0.",
           .attrs = {integer_attr("state_size").at_least(1), integer_attr("num_layers").at_least(1),
                     flag_attr("bidirectional", false),
                     choice_attr("mode", {"gru", "lstm", "rnn_relu", "rnn_tanh"}),
                     number_attr("p", 0).without_effect(), flag_attr("state_outputs", false),
                     integer_attr("projection_size").at_least(1).optional_none(),
                     optional_number("lstm_state_clip_min"), optional_number("lstm_state_clip_max"),
                     flag_attr("lstm_state_clip_nan", false), flag_attr("use_sequence_length", false)},
           .inputs = inputs,
           .outputs = outputs,
           .traits = {.float16_on_gpus = true},
           .infer = infer_rnn,
           .lower = lower_rnn,
           .unify = unify_rnn}};
}

}  // namespace mxinfer::ops
