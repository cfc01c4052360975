// Linear algebra from many threads at once: OpenBLAS shares its memory among them, and must not mix it up.
// And it runs on the thread that calls alone.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "thread_count.h"

namespace mxinfer {
namespace {

using test::kThreads;
constexpr int kLinalgCalls = 25;

// Matrices far from singular, one after another in a stack.
Tensor matrices(std::int64_t count, std::int64_t n, DType dtype) {
  const Tensor random = test::random_tensor({count, n, n}, 3);
  Tensor out(dtype, {count, n, n});
  for (std::int64_t i = 0; i < count * n * n; ++i) {
    const float x = random.data<float>()[i] + (i % (n * n) % (n + 1) == 0 ? 2 * static_cast<float>(n) : 0.0f);
    if (dtype == DType::float64) {
      out.data<double>()[i] = x;
    } else {
      out.data<float>()[i] = x;
    }
  }
  return out;
}

std::vector<Tensor> run_all(const Tensor& a, int threads) {
  test::RunOpOptions options;
  options.threads = threads;
  std::vector<Tensor> results;
  const auto run = [&](const char* op, const std::vector<const Tensor*>& inputs) {
    for (Tensor& output : test::run_op(op, {}, inputs, options)) results.push_back(std::move(output));
  };
  for (const char* op : {"_linalg_inverse", "_linalg_det", "_linalg_gelqf", "_linalg_syevd", "_linalg_potrf"})
    run(op, {&a});
  for (const char* op : {"_linalg_trsm", "_linalg_trmm", "_linalg_gemm2", "batch_dot"}) run(op, {&a, &a});
  return results;
}

bool same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].bytes() != b[i].bytes() || std::memcmp(a[i].raw(), b[i].raw(), a[i].bytes()) != 0) return false;
  }
  return a.size() == b.size();
}

TEST(LinalgThreads, ManyThreadsGetTheNumbersOfOne) {
  for (const DType dtype : {DType::float32, DType::float64}) {
    const Tensor a = matrices(3, 24, dtype);
    const std::vector<Tensor> expected = run_all(a, 1);
    std::vector<int> wrong(kThreads, -1);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        int count = 0;
        for (int call = 0; call < kLinalgCalls; ++call) count += !same(run_all(a, 1), expected);
        wrong[static_cast<std::size_t>(t)] = count;
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
  }
}

TEST(LinalgThreads, SameBitsAtAnyNumberOfThreads) {
  for (const DType dtype : {DType::float32, DType::float64}) {
    const Tensor a = matrices(16, 70, dtype);
    const std::vector<Tensor> expected = run_all(a, 1);
    EXPECT_TRUE(same(run_all(a, 4), expected));
  }
}

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

// Large enough that OpenBLAS would share the work among threads.
TEST(LinalgThreads, NoThreadIsStarted) {
  const auto before = threads_of_this_process();
  const Tensor a = matrices(1, 400, DType::float64);
  run_all(a, 1);
  // Threads of the tests before may end meanwhile: one that is joined is there for another moment.
  EXPECT_LE(threads_of_this_process(), before);
}

}  // namespace
}  // namespace mxinfer
