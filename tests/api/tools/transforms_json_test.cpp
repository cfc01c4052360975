// Lists of transforms as JSON.
#include "compose/transforms_json.h"

#include <gtest/gtest.h>
#include <mxinfer/tools/model_builder.h>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"

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

constexpr const char* kPeople = R"json({"left": ["to_tensor"], "data": {"columns": [
    {"name": "age", "steps": [{"op": "fill_null", "value": 40}]},
    {"name": "job", "dtype": "string", "steps": [{"op": "lookup", "values": ["a, b", "(c)"], "default": -1}]},
    {"name": "bag", "dtype": "int64", "size": 16}]}})json";

TEST(TransformsJson, AnInputMayBeMadeOfColumns) {
  const TransformLists lists = parse(kPeople);
  EXPECT_EQ(lists.named.size(), 1u);
  const auto& columns = lists.columns.at("data");
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[0].name, "age");
  EXPECT_EQ(columns[0].dtype, DType::float32);
  EXPECT_EQ(columns[0].size, 0);
  EXPECT_EQ(columns[0].steps.at(0).attrs.at("value"), "40");
  EXPECT_TRUE(columns[1].is_text);
  EXPECT_EQ(columns[1].steps.at(0).attrs.at("values"), R"json(["a, b","(c)"])json");
  EXPECT_EQ(columns[2].dtype, DType::int64);
  EXPECT_EQ(columns[2].size, 16);
  EXPECT_TRUE(columns[2].steps.empty());

  const TransformLists back = parse(api::to_json(lists.named, lists.columns));
  ASSERT_EQ(back.columns.at("data").size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.columns.at("data")[i].name, columns[i].name);
    EXPECT_EQ(back.columns.at("data")[i].dtype, columns[i].dtype);
    EXPECT_EQ(back.columns.at("data")[i].size, columns[i].size);
    EXPECT_EQ(back.columns.at("data")[i].is_text, columns[i].is_text);
    ASSERT_EQ(back.columns.at("data")[i].steps.size(), columns[i].steps.size());
  }
  EXPECT_EQ(back.columns.at("data")[1].steps[0].attrs, columns[1].steps[0].attrs);
}

TransformLists parse_columns(const std::string& columns) {
  return parse(R"({"data": {"columns": )" + columns + "}}");
}

TEST(TransformsJson, SaysWhatIsWrongWithColumns) {
  EXPECT_MXINFER_ERROR(parse(R"({"data": {"columns": [], "steps": []}})"), ErrorCode::malformed,
                       {"'data'", "expected a list of steps", "columns"});
  EXPECT_MXINFER_ERROR(parse_columns("{}"), ErrorCode::malformed, {"'data'", "columns"});
  EXPECT_MXINFER_ERROR(parse_columns("[]"), ErrorCode::malformed, {"0 columns"});
  EXPECT_MXINFER_ERROR(parse_columns("[7]"), ErrorCode::malformed, {"column 1", "number 7"});
  EXPECT_MXINFER_ERROR(parse_columns(R"([{"steps": []}])"), ErrorCode::malformed, {"column 1", "\"name\""});
  EXPECT_MXINFER_ERROR(parse_columns(R"([{"name": 3}])"), ErrorCode::malformed, {"\"name\" is number 3"});
  EXPECT_MXINFER_ERROR(parse_columns(R"([{"name": "a", "dtype": "text"}])"), ErrorCode::malformed,
                       {"column 1 'a'", "\"text\"", "\"string\""});
  EXPECT_MXINFER_ERROR(parse_columns(R"([{"name": "a", "size": 0}])"), ErrorCode::malformed,
                       {"\"size\" is number 0"});
  EXPECT_MXINFER_ERROR(parse_columns(R"([{"name": "a", "size": 1.5}])"), ErrorCode::malformed, {"\"size\""});
  EXPECT_MXINFER_ERROR(parse_columns(R"([{"name": "a", "step": []}])"), ErrorCode::malformed,
                       {"\"step\"", "\"steps\""});
  EXPECT_MXINFER_ERROR(parse_columns(R"([{"name": "a", "steps": [{"op": 7}]}])"), ErrorCode::malformed,
                       {"column 1 'a'", "step 1", "\"op\" is number 7"});
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
