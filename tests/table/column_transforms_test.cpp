// Tables for models that are made of columns: texts that are looked up, nulls that are filled.
#include <gtest/gtest.h>
#include <mxinfer/table/table_predictor.h>
#include <mxinfer/tools/model_builder.h>

#include <optional>
#include <string>
#include <vector>

#include "run_table.h"
#include "support/expect_error.h"
#include "support/files/arrow_table.h"
#include "support/networks/text_network.h"

namespace mxinfer {
namespace {

namespace t = mxinfer::transforms;
using test::ArrowResult;
using test::ArrowTable;
using test::run;

/// data (N, 4) -> 10 * data.
Model of_columns(const Transform& lookup) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 4)"}, "inputs": []},
    {"op": "_mul_scalar", "name": "tens", "attrs": {"scalar": "10"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  builder.columns("data", {t::column("age", {t::fill_null(40), t::normalize({40}, {10})}),
                           t::text_column("job", {lookup, t::one_hot(3)})});
  return builder.build();
}

ArrowTable people() {
  ArrowTable table;
  table.add("id", test::arrow_numbers<std::int64_t>("l", {1, 2, 3, 4, 5}));
  table.add("age", test::arrow_numbers<double>("g", {50, 0, 30, 40, 60}, {true, false, true, true, true}));
  table.add("job", test::arrow_bytes("u", {"nurse", "clerk", "a job with a name longer than any other",
                                           std::nullopt, "krankenpfl\xc3\xa4ger"}));
  return table;
}

std::vector<float> row_of(const ArrowResult& result, std::int64_t row) {
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < 4; ++i)
    numbers.push_back(ArrowResult::number<float>(*result.column(0).children[0], 4 * row + i));
  return numbers;
}

TEST(ColumnTransforms, TextsAreLookedUpAndNullsFilled) {
  ArrowTable table = people();
  ArrowResult result;
  run(TablePredictor(Predictor(of_columns(t::lookup({"clerk", "nurse", "krankenpfl\xc3\xa4ger"}, -1)))),
      table, result);
  EXPECT_EQ(row_of(result, 0), (std::vector<float>{10, 0, 10, 0}));
  EXPECT_EQ(row_of(result, 1), (std::vector<float>{0, 10, 0, 0}));
  EXPECT_EQ(row_of(result, 2), (std::vector<float>{-10, 0, 0, 0}));
  EXPECT_EQ(row_of(result, 3), (std::vector<float>{0, 0, 0, 0}));
  EXPECT_EQ(row_of(result, 4), (std::vector<float>{20, 0, 0, 10}));
  for (std::int64_t row = 0; row < 5; ++row) EXPECT_TRUE(result.is_null(1, row)) << result.text(1, row);
}

TEST(ColumnTransforms, ATextThatIsNotThereCostsTheOthersNothing) {
  ArrowTable table = people();
  ArrowResult result;
  run(TablePredictor(Predictor(of_columns(t::lookup({"clerk", "nurse"})))), table, result);
  EXPECT_EQ(row_of(result, 0), (std::vector<float>{10, 0, 10, 0}));
  EXPECT_EQ(row_of(result, 1), (std::vector<float>{0, 10, 0, 0}));
  EXPECT_NE(result.text(1, 2).find("a job with a name"), std::string::npos) << result.text(1, 2);
  EXPECT_EQ(result.text(1, 3), "column 'job': the cell is null");
  EXPECT_FALSE(result.is_null(1, 4));
}

TEST(ColumnTransforms, TextsBecomeIds) {
  const std::string json = test::text_network_json();
  const auto params = test::text_network_params();
  TextTransform text;
  VocabularyOptions options;
  options.unknown = "?";
  text.steps = {t::token_ids(Vocabulary({"-", "?", "nurse", "clerk"}, options))};
  text.inputs = {"job"};
  text.max_length = 6;
  text.ids = "data0";
  text.segments = "data1";
  text.length = "data2";
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), Span<const std::byte>(params));
  ArrowTable table;
  table.add("job", test::arrow_bytes("u", {"nurse", "a clerk", "nurse \xff"}));
  ArrowResult result;
  run(TablePredictor(Predictor(builder.texts(text).build())), table, result);
  EXPECT_EQ(row_of(result, 0), (std::vector<float>{2, 20, 0, 1}));
  EXPECT_EQ(row_of(result, 1), (std::vector<float>{4, 40, 0, 2}));
  EXPECT_NE(result.text(1, 2).find("UTF-8"), std::string::npos) << result.text(1, 2);
}

TEST(ColumnTransforms, TextsComeFromColumnsOfStringsAlone) {
  ArrowTable table;
  table.add("age", test::arrow_numbers<float>("f", {1})).add("job", test::arrow_numbers<float>("f", {1}));
  ArrowSchema schema;
  const Predictor predictor(of_columns(t::lookup({"clerk"}, 0)));
  EXPECT_MXINFER_ERROR(TablePredictor(predictor).result_schema(table.schema(), &schema),
                       ErrorCode::invalid_argument, {"'job'", "float", "a column of strings"});
}

}  // namespace
}  // namespace mxinfer
