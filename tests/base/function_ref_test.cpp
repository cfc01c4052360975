#include "base/function_ref.h"

#include <gtest/gtest.h>

namespace mxinfer {
namespace {

TEST(FunctionRef, CallsTheCallableItself) {
  struct Counter {
    int calls = 0;
    int operator()(int& argument) {
      ++argument;
      return ++calls;
    }
  } counter;
  const FunctionRef<int(int&)> borrowed(counter);
  const FunctionRef<int(int&)> copy = borrowed;
  int argument = 7;
  EXPECT_EQ(borrowed(argument), 1);
  EXPECT_EQ(copy(argument), 2);
  EXPECT_EQ(counter.calls, 2);
  EXPECT_EQ(argument, 9);
}

}  // namespace
}  // namespace mxinfer
