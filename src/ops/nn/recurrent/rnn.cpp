// RNN: layers of lstm, gru or plain cells over a whole sequence, in one or both directions.
#include "base/checked.h"
#include "base/fail.h"
#include "ops/common/openblas.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/recurrent/rnn_clip.h"
#include "ops/nn/recurrent/rnn_layout.h"
#include "ops/nn/recurrent/rnn_packed.h"
#include "ops/nn/recurrent/rnn_stored.h"
#include "ops/op_def.h"

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

// The size of a step that a packed array of so many parameters is for; unknown if none fits. The first layer's
// rows alone depend on it, so that the length is linear in it.
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

template <typename T>
RnnSizes<T> rnn_sizes(LowerContext& context) {
  const Shape& data = context.input(0).shape;
  RnnSizes<T> sizes;
  sizes.layout = rnn_layout(context.attrs(), data[2]);
  sizes.steps = data[0];
  sizes.batch = data[1];
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
  Step step;
  step.scratch_bytes = plan.total;
  step.run = [plan = std::move(plan)](const RunContext& run) { run_layers(plan, run); };
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
  return graph::number_attr(std::move(name)).optional_none();
}

}  // namespace

std::vector<OpDef> rnn_ops() {
  OpDef op;
  op.name = "RNN";
  op.aliases = {"_npx_rnn"};
  op.summary =
      "Layers of recurrent cells over data (steps, batch, size). lstm: c' = s(f) c + s(i) tanh(g), h' = s(o) "
      "tanh(c'); gru: h' = (1 - z) n + z h; rnn_relu and rnn_tanh: h' = act(W x + R h + biases). Beyond its "
      "sequence_length, a sample keeps its state and gives 0.";
  op.attrs = {graph::integer_attr("state_size").at_least(1),
              graph::integer_attr("num_layers").at_least(1),
              graph::flag_attr("bidirectional", false),
              graph::choice_attr("mode", {"gru", "lstm", "rnn_relu", "rnn_tanh"}),
              graph::number_attr("p", 0).without_effect(),
              graph::flag_attr("state_outputs", false),
              graph::integer_attr("projection_size").at_least(1).optional_none(),
              optional_number("lstm_state_clip_min"),
              optional_number("lstm_state_clip_max"),
              graph::flag_attr("lstm_state_clip_nan", false),
              graph::flag_attr("use_sequence_length", false)};
  op.inputs = inputs;
  op.outputs = outputs;
  op.traits.float16_on_gpus = true;
  op.infer = infer_rnn;
  op.unify = unify_rnn;
  op.lower = lower_rnn;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
