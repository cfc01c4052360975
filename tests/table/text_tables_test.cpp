// Tables of texts: results are those of a TextClassifier, row by row.
#include <gtest/gtest.h>
#include <mxinfer/table/table_predictor.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run_table.h"
#include "support/expect_error.h"
#include "support/files/arrow_table.h"
#include "support/networks/bag_network.h"

namespace mxinfer {
namespace {

using test::ArrowResult;
using test::ArrowTable;
using test::run;
using Cells = std::vector<std::optional<std::string>>;

TextClassifier bag_classifier(bool segments = false) {
  test::BagNetwork network;
  network.segments = segments;
  network.labels = {"bad", "neutral", "good"};
  TextOptions options;
  options.tokenizer = Tokenizer::whitespace(Vocabulary(test::bag_words()));
  return TextClassifier(test::bag_network(network), options);
}

void expect_row(const ArrowResult& result, std::int64_t row, const Classification& best) {
  EXPECT_EQ(result.text(0, row), best.label);
  EXPECT_FLOAT_EQ(ArrowResult::number<float>(result.column(1), row), best.score);
  EXPECT_EQ(ArrowResult::number<std::int32_t>(result.column(2), row), best.index);
  EXPECT_TRUE(result.is_null(3, row));
}

TEST(TextTables, GiveTheBestClassAndWhatIsWrongWithARow) {
  const TextClassifier classifier = bag_classifier();
  ArrowTable table;
  table.add("id", test::arrow_numbers<std::int64_t>("l", {1, 2, 3, 4, 5}));
  table.add("review",
            test::arrow_bytes("u", Cells{"the film was good", std::nullopt, "bad", "the dull film", ""}));
  for (const int batch_rows : {0, 1, 2}) {
    TableOptions options;
    options.batch_rows = batch_rows;
    ArrowResult result;
    run(TablePredictor(classifier, options), table, result);
    EXPECT_EQ(result.names(), (std::vector<std::string>{"label:u", "score:f", "index:i", "error:u"}));
    expect_row(result, 0, classifier.classify("the film was good", 1)[0]);
    expect_row(result, 2, classifier.classify("bad", 1)[0]);
    for (const int row : {1, 3, 4}) EXPECT_TRUE(result.is_null(0, row)) << row;
    EXPECT_EQ(result.text(3, 1), "the cell is null");
    EXPECT_NE(result.text(3, 3).find("dull"), std::string::npos) << result.text(3, 3);
    EXPECT_NE(result.text(3, 4).find("no token"), std::string::npos) << result.text(3, 4);
  }
}

TEST(TextTables, PairsAreTwoColumns) {
  const TextClassifier classifier = bag_classifier(true);
  ArrowTable table;
  table.add("question", test::arrow_bytes("u", Cells{"the film", "bad"}));
  table.add("answer", test::arrow_bytes("u", Cells{"was good", "good"}));
  TableOptions options;
  options.columns = {{"", {"question", "answer"}}};
  ArrowResult result;
  run(TablePredictor(classifier, options), table, result);
  expect_row(result, 0, classifier.classify_pair("the film", "was good", 1)[0]);
  expect_row(result, 1, classifier.classify_pair("bad", "good", 1)[0]);
}

TEST(TextTables, ColumnsThatAreNone) {
  const TextClassifier classifier = bag_classifier();
  ArrowTable numbers, table;
  ArrowResult result;
  numbers.add("id", test::arrow_numbers<std::int64_t>("l", {1}));
  EXPECT_MXINFER_ERROR(TablePredictor(classifier).result_schema(numbers.schema(), &result.schema),
                       ErrorCode::invalid_argument, {"'text'", "'id'"});
  table.add("id", test::arrow_numbers<std::int64_t>("l", {1}));
  table.add("a", test::arrow_bytes("u", Cells{"good"}));
  table.add("b", test::arrow_bytes("u", Cells{"good"}));
  EXPECT_MXINFER_ERROR(TablePredictor(classifier).result_schema(table.schema(), &result.schema),
                       ErrorCode::invalid_argument, {"2 columns of strings"});
  TableOptions options;
  options.columns = {{"", {"id"}}};
  EXPECT_MXINFER_ERROR(TablePredictor(classifier, options).result_schema(table.schema(), &result.schema),
                       ErrorCode::invalid_argument, {"'id'", "strings"});
  options.columns = {{"", {"a", "b", "id"}}};
  EXPECT_MXINFER_ERROR(TablePredictor(classifier, options).result_schema(table.schema(), &result.schema),
                       ErrorCode::invalid_argument, {"3 columns", "pairs"});
}

}  // namespace
}  // namespace mxinfer
