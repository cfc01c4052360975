// Linear algebra on matrices of 512 x 512, on one thread: time of a call.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/gemm/gemm.h"
#include "kernels/linalg/lapack.h"

namespace mxinfer::bench {
namespace {

constexpr std::int64_t kSize = 512;

template <typename T>
struct LinalgOperands {
  LinalgOperands() {
    for (std::int64_t i = 0; i < kSize * kSize; ++i) {
      random[static_cast<std::size_t>(i)] = static_cast<T>(std::sin(static_cast<double>(i * (i % 7 + 1))));
    }
    // Symmetric and diagonally dominant, so positive definite.
    for (std::int64_t i = 0; i < kSize; ++i) {
      for (std::int64_t j = 0; j < i; ++j)
        at(i, j) = at(j, i) = random[static_cast<std::size_t>(i * kSize + j)];
      at(i, i) = 2 * kSize;
    }
  }
  T& at(std::int64_t i, std::int64_t j) { return definite[static_cast<std::size_t>(i * kSize + j)]; }

  std::vector<T> random = std::vector<T>(kSize * kSize), definite = random, a = random, b = random;
  std::vector<T> work = std::vector<T>(static_cast<std::size_t>(kernels::eigen_work(kSize)));
  std::vector<int> integers = std::vector<int>(static_cast<std::size_t>(kernels::eigen_integers(kSize)));
};

/// The functions work in place: each call gets a fresh matrix, whose copying is not timed.
template <typename T, typename Call>
void register_linalg(const std::string& name, Call call) {
  const std::string full = "linalg/" + name + (sizeof(T) == sizeof(float) ? "/float32" : "/float64");
  benchmark::RegisterBenchmark(full.c_str(), [call](benchmark::State& state) {
    LinalgOperands<T> m;
    for (auto _ : state) {
      state.PauseTiming();
      m.a = m.definite;
      m.b = m.random;
      state.ResumeTiming();
      call(m);
      benchmark::ClobberMemory();
    }
  })->Unit(benchmark::kMillisecond);
}

template <typename T>
void register_lapack() {
  using Operands = LinalgOperands<T>;
  kernels::TriangularArgs args;
  args.rows = args.columns = kSize;
  register_linalg<T>("potrf", [](Operands& m) { kernels::cholesky(true, kSize, m.a.data()); });
  register_linalg<T>("potri", [](Operands& m) { kernels::cholesky_inverse(true, kSize, m.a.data()); });
  register_linalg<T>("trsm",
                     [args](Operands& m) { kernels::triangular_solve(args, m.a.data(), m.b.data()); });
  register_linalg<T>("trmm",
                     [args](Operands& m) { kernels::triangular_multiply(args, m.a.data(), m.b.data()); });
  register_linalg<T>("gelqf",
                     [](Operands& m) { kernels::lq(kSize, kSize, m.b.data(), m.a.data(), m.work.data()); });
  register_linalg<T>("syevd", [](Operands& m) {
    kernels::symmetric_eigen(kSize, m.a.data(), m.b.data(), m.work.data(), m.integers.data());
  });
  register_linalg<T>(
      "inverse", [](Operands& m) { kernels::inverse(kSize, m.b.data(), m.integers.data(), m.work.data()); });
  register_linalg<T>("det", [](Operands& m) {
    benchmark::DoNotOptimize(kernels::determinant(kSize, m.b.data(), m.integers.data()));
  });
}

const bool registered_linalg = [] {
  register_lapack<float>();
  register_lapack<double>();
  register_linalg<double>("gemm", [](LinalgOperands<double>& m) {
    kernels::GemmNtArgs<double> args;
    args.rows = args.columns = args.depth = kSize;
    args.a = m.random.data();
    args.b = m.definite.data();
    args.dst = m.a.data();
    const kernels::GemmNtKernel<double>& kernel = kernels::gemm_nt_f64();
    kernel.run(args, 0, kernel.tasks(args));
  });
  return true;
}();

}  // namespace
}  // namespace mxinfer::bench
