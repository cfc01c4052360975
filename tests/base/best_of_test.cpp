#include "base/best_of.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mxinfer {
namespace {

bool is_more(const int& a, const int& b) {
  return a > b;
}

TEST(BestOf, KeepsTheBestInAnyOrder) {
  std::vector<int> offered = {3, 1, 4, 2, 5};
  std::sort(offered.begin(), offered.end());
  do {
    BestOf<int, is_more> best(3);
    for (const int one : offered) {
      const bool would_take = best.would_take(one);
      EXPECT_EQ(best.offer(one), would_take);
    }
    EXPECT_FALSE(best.would_take(2));
    EXPECT_EQ(best.kept().size(), 3u);
    EXPECT_EQ(best.take(), (std::vector<int>{5, 4, 3}));
    EXPECT_TRUE(best.kept().empty());
  } while (std::next_permutation(offered.begin(), offered.end()));
}

TEST(BestOf, KeepsFewerIfThereAreFewer) {
  BestOf<int, is_more> best(3);
  EXPECT_TRUE(best.offer(1));
  EXPECT_TRUE(best.offer(2));
  EXPECT_EQ(best.take(), (std::vector<int>{2, 1}));
  EXPECT_TRUE(best.take().empty());
}

}  // namespace
}  // namespace mxinfer
