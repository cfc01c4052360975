// OpDef: the definition of an operator: its names, attributes with defaults, inputs and outputs, the
// inference of shapes and dtypes from those of its inputs, and the lowering to a kernel once they are known.
//
// One .cpp file in this folder holds one operator, or one family of near-identical ones, as a function that
// returns a list of OpDef; op_list.inc names the function. docs/design/adding-an-operator.md walks through an
// example.
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"  // of what nearly every operator uses
#include "base/fail.h"
#include "graph/graph.h"
#include "kernels/common/precision.h"
#include "kernels/common/target.h"
#include "ops/implementation.h"
#include "ops/step.h"
#include "ops/tensor_type.h"
#include "ops/traits.h"
#include "ops/unify.h"

namespace mxinfer::ops {

using graph::Attrs;
using graph::AttrSpec;
using graph::choice_attr;
using graph::dtype_attr;
using graph::flag_attr;
using graph::integer_attr;
using graph::number_attr;
using graph::number_tuple_attr;
using graph::text_attr;
using graph::tuple_attr;

/// The context of infer(). Functions that end the inference throw Error with the reason; the caller adds the
/// node.
struct InferContext {
  const Attrs& attrs;
  const std::vector<TensorType>& inputs;
  /// The types of a subgraph's outputs, by its index, from those of its inputs.
  std::function<std::vector<TensorType>(std::size_t subgraph, const std::vector<TensorType>& inputs)>
      infer_subgraph{};

  const Shape& shape(std::size_t i) const { return inputs[i].shape; }
  DType dtype(std::size_t i) const { return inputs[i].dtype; }
  std::size_t count() const { return inputs.size(); }
};

/// The problem of an implementation: a node, with the types of its inputs and outputs.
class OpProblem {
 public:
  virtual ~OpProblem() = default;

  virtual const graph::Node& node() const = 0;
  const Attrs& attrs() const { return node().attrs; }
  const graph::PostOps& post_ops() const { return node().post_ops; }

  virtual std::size_t num_inputs() const = 0;
  virtual const TensorType& input(std::size_t i) const = 0;
  virtual std::size_t num_outputs() const = 0;
  virtual const TensorType& output(std::size_t i) const = 0;
  /// Whether input i is a parameter.
  virtual bool is_constant(std::size_t i) const = 0;
  /// The target to choose kernels for.
  virtual kernels::Target target() const = 0;
  virtual int threads() const = 0;
  /// The precision of products in a device's kernels; the CPU's kernels follow the types of their inputs.
  virtual kernels::Precision precision() const { return kernels::Precision::float32; }
};

struct CopyJob;  // ops/common/copy_step.h

/// The context of lower(), and its requests to the plan.
class LowerContext : public OpProblem {
 public:
  /// Whether the step runs on a device, with its operands there, instead of on the CPU.
  virtual bool is_on_device() const { return false; }
  /// The value of input i if it is a parameter, nullptr if it is computed. Lives as long as the plan; for
  /// what is packed, is_constant() is enough.
  virtual const Tensor* constant(std::size_t i) const = 0;

  /// A packed form of the parameter at input i, made once for the model and shared by every plan that asks
  /// for the same `packing` (a name that identifies layout and block sizes). `pack` fills `bytes` bytes when
  /// a plan first runs, on any thread, so it must capture by value. The memory lives as long as the plan. The
  /// parameter itself is not among the step's inputs.
  using Pack = std::function<void(const TensorView& parameter, std::byte* dst)>;
  virtual const std::byte* packed(std::size_t i, const std::string& packing, std::size_t bytes,
                                  const Pack& pack) = 0;

  /// Subgraph k of the node, planned for inputs of these types.
  virtual std::shared_ptr<const Subplan> subplan(std::size_t k, const std::vector<TensorType>& inputs);

  /// Output o is input i from `offset` bytes on, under another shape: they share memory, and no step writes
  /// the output.
  virtual void alias(std::size_t o, std::size_t i, std::size_t offset) = 0;
  /// The same of a strided output: its first row begins `offset` bytes from the input's start, the next ones
  /// `row_stride` elements further each. Returns false if a reader of the output does not accept strides;
  /// then the step must copy it.
  virtual bool alias_strided(std::size_t /*o*/, std::size_t /*i*/, std::size_t /*offset*/,
                             std::int64_t /*row_stride*/) {
    return false;
  }
  /// Allows input i to be written directly into output o, `offset` bytes from its start. The step then finds
  /// it there and does not copy it.
  virtual void may_place(std::size_t o, std::size_t i, std::size_t offset) = 0;
  /// Allows output o to overwrite input i, element by element, if no other step needs the input any more.
  virtual void may_overwrite(std::size_t o, std::size_t i) = 0;
  /// Whether the caller only asks what is moved where: copy_step() then makes no step.
  virtual bool takes_moves(const std::vector<CopyJob>& /*jobs*/) { return false; }
  /// Asks for memory of a step on a device that is zero when it begins, and that it leaves zero, for
  /// counters: RunContext::zeroed.
  virtual void take_zeroed(std::size_t /*bytes*/) {}

  /// As packed(), where the device of the step has a kernel for it, too: `on_device` enqueues it for the
  /// parameter as it is stored, in the device's memory. It writes the bits of `pack`, and captures by value.
  using DevicePack =
      std::function<void(device::Stream& stream, DType dtype, const std::byte* stored, std::byte* packed)>;
  virtual const std::byte* packed_on_device(std::size_t i, const std::string& packing, std::size_t bytes,
                                            const Pack& pack, const DevicePack& /*on_device*/) {
    return packed(i, packing, bytes, pack);
  }
};

using InferFn = std::function<std::vector<TensorType>(const InferContext&)>;
/// The CPU's implementations for a node, best first, the reference last.
using ImplementationsFn = std::function<Implementations(const OpProblem&)>;

/// Names of inputs or outputs for given attributes. For operators with a variable number of inputs (Concat),
/// `fixed` is false and any count of at least names.size() is accepted, or the count in the attribute
/// `count_attr`. For many outputs, `count` states their number; unnamed ones are numbered.
struct PortNames {
  std::vector<std::string> names;
  bool fixed = true;
  std::string count_attr{};
  std::size_t count = 0;
};
using PortsFn = std::function<PortNames(const Attrs&)>;

/// The same names under all attributes; as many ports as an integer attribute says; any number of them.
PortsFn named_ports(std::vector<std::string> names);
PortsFn counted_ports(std::string count_attr);
PortsFn any_ports();

enum class OpClass : std::uint8_t {
  regular,
  identity,     ///< output 0 is input 0 at inference (Dropout, BlockGrad, _copy): removed by a pass
  loss_output,  ///< a training output: output 0 follows from input 0, the label inputs are not needed
};

struct OpDef {
  std::string name;  ///< MXNet's name
  std::vector<std::string> aliases{};
  std::string summary{};  ///< one sentence with the formula; docs/reference/operators.md prints it
  std::vector<AttrSpec> attrs{};
  PortsFn inputs = nullptr;   ///< default: one input, "data"
  PortsFn outputs = nullptr;  ///< default: one output, "output"
  /// Names of the inputs (from `inputs`) that are auxiliary states, such as moving_mean.
  std::vector<std::string> auxiliary{};
  /// Names of the inputs that only training needs (labels): pruned, infer and lower never see them.
  std::vector<std::string> training_inputs{};
  OpClass op_class = OpClass::regular;
  /// The traits that passes and the planner use.
  Traits traits{};
  /// An operator that passes or the plan insert into a graph, under conditions that only they guarantee:
  /// files and lists of transforms must not contain it.
  bool made_by_passes = false;
  /// Whether lower() honours the activation of Node::post_ops, and its residual.
  bool fuses_activation = false;
  bool fuses_residual = false;
  InferFn infer = nullptr;
  /// How the CPU computes it: by one implementation, which chooses its kernel only by the target, or by
  /// several, of which the plan uses the cheapest. Other devices have theirs in a backend (ops/backend.h). An
  /// operator that always becomes another one has neither.
  LowerFn lower = nullptr;
  ImplementationsFn implementations = nullptr;
  /// For an operator that is equivalent to another one under some attributes: turns the node into that one,
  /// with the same inputs and outputs. Plans use the result.
  void (*canonicalise)(graph::Node& node) = nullptr;
  /// If the sizes of the outputs depend on the values of the inputs: the operator that gives the same
  /// elements in outputs of the largest possible sizes and, as a last output, the sizes
  /// (ops/common/open_sizes.h).
  const char* bounded_form = nullptr;
  /// How many subgraphs a node has; and by subgraph, for each of its inputs, which input of the node it is in
  /// every run, -1 where it differs from run to run.
  std::size_t subgraphs = 0;
  std::vector<std::int64_t> (*fixed_inputs)(const Attrs& attrs, std::size_t subgraph) = nullptr;
  /// Propagates sizes between inputs and outputs (ops/unify.h); for operators around which models leave sizes
  /// free.
  UnifyFn unify = nullptr;
  UnifySubgraphsFn unify_subgraphs = nullptr;
  /// For an operator that creates a tensor: whether its attributes leave sizes free, and the attributes once
  /// the shape is known.
  bool (*leaves_open)(const Attrs& attrs) = nullptr;
  void (*complete)(Attrs& attrs, const Shape& shape) = nullptr;
};

/// Step::kernel: "lrn_rows_f32 [avx2]"; "histogram_ref_float32 [ref]" of a reference kernel.
std::string labelled(std::string_view name, kernels::Target target);
std::string ref_kernel(std::string_view function, DType dtype);

/// The input names of an operator under given attributes; the names of a variadic one are arg0, arg1, ...
/// Creates all names; for a single name or the number of names, use the functions below.
PortNames input_ports(const OpDef& op, const Attrs& attrs);
PortNames output_ports(const OpDef& op, const Attrs& attrs);
std::size_t output_count(const OpDef& op, const Attrs& attrs);

/// Whether the CPU computes it.
bool has_implementation(const OpDef& op);

/// Traits::follows_bfloat16 of a node with an operator.
bool follows_bfloat16(const graph::Node& node);

/// The name MXNet gives a value, operators with named outputs included: "bn0_mean". Other values may have it
/// too.
std::string mxnet_output_name(const graph::Graph& graph, graph::Value value);

/// The unique name of a value in its network: MXNet's, with an index if several values have it
/// ("conv0_output#1", ops/value_names.h).
std::string output_name(const graph::Graph& graph, graph::Value value);

}  // namespace mxinfer::ops
