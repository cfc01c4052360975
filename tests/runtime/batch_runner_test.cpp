// The items of a list side by side, and what becomes of their errors.
#include "runtime/batch_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "base/fail.h"
#include "support/expect_error.h"

namespace mxinfer::runtime {
namespace {

const auto fail_at_even = [](std::size_t item) {
  if (item % 2 == 0) fail(ErrorCode::malformed, "item ", item);
};

TEST(BatchRunner, CallsTheBodyOnceForEachItem) {
  for (const int threads : {1, 3}) {
    ThreadArena arena(threads);
    std::vector<std::atomic<int>> calls(100);
    BatchRunner(arena).for_each(
        calls.size(), [&](std::size_t i) { ++calls[i]; }, nullptr);
    for (const auto& count : calls) EXPECT_EQ(count, 1);
    BatchRunner(arena).for_each(
        0, [](std::size_t) { FAIL(); }, nullptr);
  }
}

TEST(BatchRunner, ThrowsTheErrorOfTheFirstItem) {
  ThreadArena arena(2);
  std::atomic<int> calls{0};
  const auto body = [&](std::size_t i) {
    ++calls;
    if (i > 0) fail_at_even(i);
  };
  EXPECT_MXINFER_ERROR(BatchRunner(arena).for_each(9, body, nullptr), ErrorCode::malformed, {"item 2"});
  EXPECT_EQ(calls, 9);
}

TEST(BatchRunner, KeepsTheErrorOfEachItemBehindThoseThatAreThere) {
  ThreadArena arena(2);
  std::vector<ItemError> errors = {{77, Error(ErrorCode::not_found, "before")}};
  BatchRunner(arena).for_each(5, fail_at_even, &errors);
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_EQ(errors[0].item, 77u);
  for (std::size_t e = 1; e < errors.size(); ++e) {
    EXPECT_EQ(errors[e].item, 2 * (e - 1));
    EXPECT_EQ(errors[e].error.code(), ErrorCode::malformed);
  }
}

TEST(BatchRunner, OtherExceptionsAreInternalErrorsOfTheirItem) {
  ThreadArena arena(1);
  std::vector<ItemError> errors;
  BatchRunner(arena).for_each(
      1, [](std::size_t) { throw std::runtime_error("odd"); }, &errors);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].error.code(), ErrorCode::internal);
}

}  // namespace
}  // namespace mxinfer::runtime
