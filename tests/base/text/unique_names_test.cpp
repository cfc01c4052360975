#include "base/text/unique_names.h"

#include <gtest/gtest.h>

namespace mxinfer {
namespace {

using Names = std::vector<std::string>;

TEST(UniqueNames, NumberThoseThatAreThereTwice) {
  EXPECT_EQ(unique_names({}), Names{});
  EXPECT_EQ(unique_names({"a", "b"}), (Names{"a", "b"}));
  EXPECT_EQ(unique_names({"a", "b", "a", "a"}), (Names{"a#0", "b", "a#1", "a#2"}));
}

TEST(UniqueNames, PassOverNamesThatAreThereAlready) {
  EXPECT_EQ(unique_names({"a", "a#0", "a"}), (Names{"a#1", "a#0", "a#2"}));
  EXPECT_EQ(unique_names({"a#0", "a", "a", "a#0"}), (Names{"a#0#0", "a#0", "a#1", "a#0#1"}));
}

}  // namespace
}  // namespace mxinfer
