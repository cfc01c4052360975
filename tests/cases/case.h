// Cases of kernels: sizes with a name and what they stand for, described once.
//
//   for (const cases::Softmax& c : cases::kSoftmax) ...
//
// tests/kernels holds every implementation to the reference on them, and bench/ measures the same ones, so
// that what is fast is also what is known to be right. Each header here describes one family as plain data:
// it knows the structs of arguments in kernels/, but neither GoogleTest nor Google Benchmark, and includes
// nothing of the library above kernels/. The headers lie under tests/ because every build checks them there;
// bench/ has tests/ on its include path.
//
// Besides the sizes of known networks each family has odd ones, which end inside a vector of every target. A
// large case takes long with the reference: only the benches run it.
#pragma once

namespace mxinfer::cases {

inline constexpr bool kLarge = true;

/// What every case begins with.
struct Case {
  const char* name;   ///< lower_snake_case, part of a bench's name
  const char* about;  ///< what it stands for
  bool large = false;
};

}  // namespace mxinfer::cases
