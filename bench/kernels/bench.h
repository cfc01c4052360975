// Shared by the benches of kernels: they run the cases of tests/cases on every target of the machine.
//
//   const Family softmax([] {
//     for (const cases::Softmax& c : cases::kSoftmax) {
//       measure("softmax", c.label, [&c](benchmark::State& state, Target target) {
//         Array<float> src(n), dst(n);
//         for (auto _ : state) kernel(src.data(), dst.data());
//         report(state, {.items = n});
//       });
//     }
//   });
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "base/files/aligned_memory.h"
#include "cases/case.h"
#include "kernels/common/target.h"

namespace mxinfer::bench {

using kernels::Target;

/// Benches of one family; main() registers them after it has parsed its options.
class Family {
 public:
  using Register = void (*)();
  explicit Family(Register add);
};

/// quick: only the small cases on the machine's best target, to see that all of them run.
void register_families(bool quick);

/// Registers family/case/target for every target of the machine; for large cases not the reference, which
/// takes too long.
void measure(const std::string& family, const cases::Case& label,
             const std::function<void(benchmark::State&, Target)>& body);

/// The same for plain code without targets.
void measure_plain(const std::string& family, const cases::Case& label,
                   const std::function<void(benchmark::State&)>& body);

/// The work of one iteration.
struct Rates {
  double items = 0;  ///< results
  double bytes = 0;  ///< read and written
  double flops = 0;  ///< additions and multiplications
};
/// Call after the loop: reports each figure that is not 0, per second.
void report(benchmark::State& state, const Rates& rates);

/// Aligned, and filled with values that are neither 0 nor denormal. At least one element.
template <typename T>
class Array {
 public:
  explicit Array(std::int64_t count) : memory_(static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(T)) {
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_integral_v<T>) {
        data()[i] = static_cast<T>(i % 101);
      } else {
        data()[i] = T(static_cast<float>(i % 17) * 0.1f + 0.1f);
      }
    }
  }
  T* data() { return reinterpret_cast<T*>(memory_.data()); }

 private:
  AlignedBuffer memory_;
};

}  // namespace mxinfer::bench
