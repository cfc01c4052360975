// Lists of transforms as JSON.
#include "compose/transforms_json.h"

#include <gtest/gtest.h>
#include <mxinfer/tools/model_builder.h>

#include "support/expect_error.h"
#include "support/temp_dir.h"

namespace mxinfer {
namespace {

TransformLists parse(const std::string& text) {
  return parse_transforms(Span<const char>(text));
}

TEST(TransformsJson, AListIsForEveryInput) {
  const TransformLists lists = parse(R"([
    {"op": "resize", "size": [224, 224], "keep_ratio": false, "interp": 1},
    {"op": "normalize", "mean": [0.485], "std": 0.25},
    "to_tensor", {"op": "pad", "value": null}])");
  ASSERT_EQ(lists.all.size(), 4u);
  EXPECT_TRUE(lists.named.empty());
  EXPECT_EQ(lists.all[0].op, "resize");
  EXPECT_EQ(lists.all[0].attrs, (std::map<std::string, std::string>{
                                    {"size", "(224, 224)"}, {"keep_ratio", "False"}, {"interp", "1"}}));
  EXPECT_EQ(lists.all[1].attrs, (std::map<std::string, std::string>{{"mean", "(0.485,)"}, {"std", "0.25"}}));
  EXPECT_EQ(lists.all[2].op, "to_tensor");
  EXPECT_EQ(lists.all[3].attrs.at("value"), "None");
}

TEST(TransformsJson, AnObjectNamesInputs) {
  const TransformLists lists = parse(R"({"left": [{"op": "to_tensor"}], "right": []})");
  EXPECT_TRUE(lists.all.empty());
  EXPECT_EQ(lists.named.at("left").at(0).op, "to_tensor");
  EXPECT_TRUE(lists.named.at("right").empty());
}

TEST(TransformsJson, ComesBackAsItWas) {
  const std::vector<Transform> steps = {transforms::resize(20, 30),
                                        transforms::normalize({0.5f}, {0.1f, 0.2f, 0.3f}),
                                        transforms::convert_color("rgb2bgr"), transforms::resize(7, true)};
  const TransformLists back = parse(api::to_json(steps));
  ASSERT_EQ(back.all.size(), steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(back.all[i].op, steps[i].op);
    EXPECT_EQ(back.all[i].attrs, steps[i].attrs);
  }
}

TEST(TransformsJson, SaysWhatIsWrong) {
  EXPECT_MXINFER_ERROR(parse("[{"), ErrorCode::malformed, {"transforms", "not JSON", "line 1"});
  EXPECT_MXINFER_ERROR(parse("3"), ErrorCode::malformed, {"number 3", "list of steps"});
  EXPECT_MXINFER_ERROR(parse(R"([{"op": "to_tensor"}, 7])"), ErrorCode::malformed,
                       {"step 2", "number 7", "\"op\""});
  EXPECT_MXINFER_ERROR(parse(R"([{"size": 3}])"), ErrorCode::malformed, {"step 1", "\"op\"", "missing"});
  EXPECT_MXINFER_ERROR(parse(R"([{"op": 3}])"), ErrorCode::malformed, {"\"op\" is number 3"});
  EXPECT_MXINFER_ERROR(parse(R"([{"op": "resize", "size": {"w": 3}}])"), ErrorCode::malformed,
                       {"step 1", "\"size\"", "object"});
  EXPECT_MXINFER_ERROR(parse(R"([{"op": "resize", "size": 1, "size": 2}])"), ErrorCode::malformed,
                       {"\"size\"", "twice"});
  EXPECT_MXINFER_ERROR(parse(R"({"data": {"op": "to_tensor"}})"), ErrorCode::malformed, {"'data'", "list"});
  EXPECT_MXINFER_ERROR(read_transforms("/nowhere.json"), ErrorCode::not_found, {"/nowhere.json"});
  const test::TempDir dir;
  EXPECT_MXINFER_ERROR(read_transforms(dir.write("bad.json", "{")), ErrorCode::malformed, {"bad.json"});
}

}  // namespace
}  // namespace mxinfer
