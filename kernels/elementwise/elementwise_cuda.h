// Element-wise functions on a GPU: a program of instructions, which one kernel runs for each element of the
// output. Values pass from instruction to instruction in registers; memory is read and written once.
//
//   ElementwiseArgs args;          // relu(x0 + x1), x1 a row that is repeated
//   args.rank = 2;
//   args.sizes = {rows, columns};
//   args.inputs = 2;
//   args.input[0].strides = {columns, 1};
//   args.input[1].strides = {0, 1};
//   args.instructions = 2;
//   args.program[0] = {ElementOp::add, {ElementSource::input, 0}, {ElementSource::input, 1}};
//   args.program[1] = {ElementOp::relu, {ElementSource::last}};
//   elementwise(args, stream);     // after input[i].data and dst are set
//
// All values of a program have one type, to which inputs are converted and from which the output is
// (element_type.h); functions are those of unary.h and binary.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

enum class ElementOp : std::uint8_t {
#define MXINFER_ELEMENT_OP(name, common, integer) name,
#include "kernels/elementwise/element_ops.inc"
#undef MXINFER_ELEMENT_OP
};

inline constexpr const char* kElementOpNames[] = {
#define MXINFER_ELEMENT_OP(name, common, integer) #name,
#include "kernels/elementwise/element_ops.inc"
#undef MXINFER_ELEMENT_OP
};

/// Whether the kernel of several elements a thread has it, and float64.
constexpr bool is_common(ElementOp op) {
  constexpr bool all[] = {
#define MXINFER_ELEMENT_OP(name, common, integer) common,
#include "kernels/elementwise/element_ops.inc"
#undef MXINFER_ELEMENT_OP
  };
  return all[static_cast<std::size_t>(op)];
}
/// Whether int32 and int64 have it.
constexpr bool is_of_integers(ElementOp op) {
  constexpr bool all[] = {
#define MXINFER_ELEMENT_OP(name, common, integer) integer,
#include "kernels/elementwise/element_ops.inc"
#undef MXINFER_ELEMENT_OP
  };
  return all[static_cast<std::size_t>(op)];
}

inline constexpr int kElementwiseRank = 6;
inline constexpr int kElementwiseInputs = 16;
inline constexpr int kElementwiseInstructions = 48;
/// Values that are kept for later than the next instruction, at any time.
inline constexpr int kElementwiseSlots = 6;
inline constexpr std::uint8_t kNoSlot = 0xff;

enum class ElementSource : std::uint8_t {
  last,    ///< what the instruction before gave
  number,  ///< ElementwiseInstruction::numbers, of the operand's place
  input,
  slot
};

struct ElementwiseOperand {
  ElementSource source = ElementSource::last;
  std::uint8_t index = 0;  ///< of the input, of the slot
};

/// f(a) or f(a, b); select is last != 0 ? a : b.
struct ElementwiseInstruction {
  ElementOp op = ElementOp::identity;
  ElementwiseOperand a{}, b{};
  std::uint8_t slot = kNoSlot;  ///< where the result is kept too
  /// Operands that are numbers, or the parameters of a function of one operand (UnaryParams).
  std::array<double, 2> numbers{};
  std::array<float, 2> floats{};  ///< the same, rounded
};

struct ElementwiseInput {
  const void* data = nullptr;
  ElementType type = ElementType::float32;
  bool truth = false;  ///< read as 1 where it is not 0
  std::array<std::int64_t, kElementwiseRank> strides{};
};

/// A kernel's parameters, which have less than 4 KiB.
struct ElementwiseArgs {
  int rank = 0;  ///< at least 1
  int inputs = 0;
  int instructions = 0;
  /// float32, float64, int32 or int64: the type of the values between the instructions.
  ElementType compute = ElementType::float32;
  ElementType out = ElementType::float32;
  void* dst = nullptr;  ///< dense
  std::array<std::int64_t, kElementwiseRank> sizes{};
  std::array<ElementwiseInput, kElementwiseInputs> input{};
  std::array<ElementwiseInstruction, kElementwiseInstructions> program{};

  std::int64_t elements() const {
    std::int64_t product = 1;
    for (int d = 0; d < rank; ++d) product *= sizes[static_cast<std::size_t>(d)];
    return product;
  }
};
static_assert(sizeof(ElementwiseArgs) <= 4000);

/// dst may be an input's data, if that input has its type and is read where dst is written.
Status elementwise(const ElementwiseArgs& args, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
