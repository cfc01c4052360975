// JSON from strangers: what is refused, and that reading takes time in proportion to the text.
#include "base/text/strict_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/expect_error.h"
#include "support/networks/many.h"

namespace mxinfer {
namespace {

using nlohmann::json;

// "[v,v,...]"
std::string list_of(const std::string& value, std::size_t count) {
  std::string text = "[" + value;
  for (std::size_t i = 1; i < count; ++i) text += "," + value;
  return text + "]";
}

TEST(StrictJson, ReadsWhatThePlainParserReads) {
  const std::string texts[] = {
      "null",
      "true",
      "-7",
      "18446744073709551615",
      "-9223372036854775808",
      "1.5e3",
      "\"\"",
      R"("a\u00e4\ud83d\ude00\n")",
      "[]",
      "{}",
      R"([[], {}, [{}], {"a": []}])",
      R"({"z": 1, "a": {"z": [1, {"b": null}, "c"], "y": false}, "m": [[1, 2], [3]], "": 0})",
  };
  for (const std::string& text : texts) EXPECT_EQ(parse_strict_json(text), json::parse(text)) << text;
}

TEST(StrictJson, RefusesWhatIsNoJson) {
  const auto parse = [](const std::string& text) { return parse_strict_json(text); };
  EXPECT_MXINFER_ERROR(parse(""), ErrorCode::malformed, {"not JSON at line 1, column 1", "syntax error"});
  EXPECT_MXINFER_ERROR(parse("[1,\n 2,]"), ErrorCode::malformed, {"not JSON at line 2, column 4"});
  EXPECT_MXINFER_ERROR(parse("[1] 2"), ErrorCode::malformed, {"not JSON at line 1, column 5"});
  EXPECT_MXINFER_ERROR(parse("\"\xff\""), ErrorCode::malformed, {"not JSON at line 1"});
  EXPECT_MXINFER_ERROR(parse("[1e999]"), ErrorCode::malformed, {"not JSON that can be read", "1e999"});
}

TEST(StrictJson, RefusesAKeyThatIsThereTwice) {
  const auto parse = [](const std::string& text) { return parse_strict_json(text); };
  EXPECT_MXINFER_ERROR(parse(R"({"a": 1, "b": {"a": 1}, "a": 2})"), ErrorCode::malformed,
                       {R"(key "a" appears twice in one JSON object)"});
  EXPECT_MXINFER_ERROR(parse(R"([{"b": {"c": 1, "c": 1}}])"), ErrorCode::malformed,
                       {R"(key "c" appears twice)"});
  EXPECT_EQ(parse(R"([{"a": 1}, {"a": {"a": 2}}])").size(), 2u);
}

TEST(StrictJson, LimitsDepthAndValues) {
  EXPECT_MXINFER_ERROR(parse_strict_json("[[[]]]", {.depth = 2}), ErrorCode::malformed,
                       {"nested more than 2 levels"});
  EXPECT_MXINFER_ERROR(parse_strict_json(R"({"a":{"b":{}}})", {.depth = 2}), ErrorCode::malformed,
                       {"nested more than 2 levels"});
  EXPECT_EQ(parse_strict_json("[[], [[]]]", {.depth = 3}).size(), 2u);
  EXPECT_MXINFER_ERROR(parse_strict_json("[1, 2, 3]", {.values = 3}), ErrorCode::malformed,
                       {"more than 3 values"});
  EXPECT_EQ(parse_strict_json("[1, 2, 3]", {.values = 4}).size(), 3u);
}

// If each element costs a walk through those before it, these take hours.
TEST(StrictJson, LongListsAndObjectsTakeTimeInProportion) {
  constexpr std::size_t kMany = test::many(200'000);
  EXPECT_EQ(parse_strict_json(list_of("{}", kMany)).size(), kMany);
  EXPECT_EQ(parse_strict_json(list_of("[0,0]", kMany)).size(), kMany);
  std::string object = "{\"first\":[]";
  for (std::size_t i = 1; i < kMany; ++i) object += ",\"" + std::to_string(i) + "\":[]";
  EXPECT_EQ(parse_strict_json(object + "}").size(), kMany);
}

}  // namespace
}  // namespace mxinfer
