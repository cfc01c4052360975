// Cases of kernels: sizes with a name and a meaning, described once for tests and benches.
//
//   for (const cases::Softmax& c : cases::kSoftmax) ...
//
// tests/kernels compares every implementation with the reference on them, and bench/ measures the same ones.
// Each header here describes one family as plain data: it uses the structs of arguments in kernels/, but
// neither GoogleTest nor Google Benchmark, and includes nothing of the library above kernels/. The headers
// are under tests/ because every build checks them there; bench/ has tests/ on its include path.
//
// Besides the sizes of known networks each family has odd ones, which end inside a vector of every target. A
// large case takes long with the reference: only the benches run it.
#pragma once

namespace mxinfer::cases {

inline constexpr bool kLarge = true;

/// The first members of every case.
struct Case {
  const char* name;   ///< lower_snake_case, part of a bench's name
  const char* about;  ///< what it represents
  bool large = false;
};

}  // namespace mxinfer::cases
