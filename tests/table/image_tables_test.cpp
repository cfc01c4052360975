// Tables of images: results are those of the classes, row by row.
#include <gtest/gtest.h>
#include <mxinfer/table/table_predictor.h>
#include <mxinfer/vision/image.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "run_table.h"
#include "support/expect_error.h"
#include "support/files/arrow_table.h"

namespace mxinfer {
namespace {

using test::ArrowResult;
using test::ArrowTable;
using test::run;

const std::string kImages = std::string(MXINFER_SOURCE_DIR) + "/examples/images/";

std::string path_of(const std::string& name) {
  return kImages + name;
}

std::string file(const std::string& name) {
  std::ifstream in(path_of(name), std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

const ImageClassifier& digits() {
  static const ImageClassifier& classifier =
      *new ImageClassifier(std::string(MXINFER_SOURCE_DIR) + "/models/digits.mxz");
  return classifier;
}

ArrowTable photos(const std::string& format = "z") {
  ArrowTable table;
  table.add("id", test::arrow_numbers<std::int64_t>("l", {10, 11, 12, 13, 14}));
  table.add("photo", test::arrow_bytes(format, {file("seven.jpg"), std::nullopt, file("zero.png"),
                                                std::string("no image at all"), file("nine.jpg")}));
  return table;
}

TEST(ImageTables, GiveTheBestClassAndWhatIsWrongWithARow) {
  for (const char* format : {"z", "Z"}) {
    ArrowTable table = photos(format);
    for (const int batch_rows : {0, 1, 2}) {
      TableOptions options;
      options.batch_rows = batch_rows;
      ArrowResult result;
      run(TablePredictor(digits(), options), table, result);
      EXPECT_EQ(result.names(), (std::vector<std::string>{"label:u", "score:f", "index:i", "error:u"}));
      const std::pair<int, const char*> right[] = {{0, "seven.jpg"}, {2, "zero.png"}, {4, "nine.jpg"}};
      for (const auto& [row, name] : right) {
        const Classification best = digits().classify_file(path_of(name), 1)[0];
        EXPECT_EQ(result.text(0, row), best.label);
        EXPECT_EQ(ArrowResult::number<float>(result.column(1), row), best.score);
        EXPECT_EQ(ArrowResult::number<std::int32_t>(result.column(2), row), best.index);
        EXPECT_TRUE(result.is_null(3, row));
      }
      for (const int row : {1, 3}) {
        for (const int column : {0, 1, 2}) EXPECT_TRUE(result.is_null(column, row)) << row << ' ' << column;
        EXPECT_FALSE(result.is_null(3, row));
      }
      EXPECT_EQ(result.text(3, 1), "the cell is null");
      EXPECT_NE(result.text(3, 3).find("JPEG"), std::string::npos) << result.text(3, 3);
      EXPECT_EQ(result.text(3, 3).find("image "), std::string::npos) << result.text(3, 3);
      EXPECT_EQ(result.column(0).null_count, 2);
      EXPECT_EQ(result.column(3).null_count, 3);
    }
  }
}

TEST(ImageTables, GiveAListOfClasses) {
  ArrowTable table = photos();
  TableOptions options;
  options.top_k = 3;
  ArrowResult result;
  run(TablePredictor(digits(), options), table, result);
  EXPECT_EQ(result.names(), (std::vector<std::string>{"classes:+l", "error:u"}));
  const ArrowArray& lists = result.column(0);
  const auto* const offsets = static_cast<const std::int32_t*>(lists.buffers[1]);
  EXPECT_EQ(std::vector<std::int32_t>(offsets, offsets + 6), (std::vector<std::int32_t>{0, 3, 3, 6, 6, 9}));
  const ArrowArray& items = *lists.children[0];
  const auto expected = digits().classify_file(path_of("nine.jpg"), 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = static_cast<std::int64_t>(6 + i);
    EXPECT_EQ(ArrowResult::text(*items.children[0], at), expected[i].label);
    EXPECT_NEAR(ArrowResult::number<float>(*items.children[1], at), expected[i].score, 1e-5);
    EXPECT_EQ(ArrowResult::number<std::int32_t>(*items.children[2], at), expected[i].index);
  }
  options.top_k = 0;
  ArrowResult all;
  run(TablePredictor(digits(), options), table, all);
  EXPECT_EQ(all.column(0).children[0]->length, 30);
}

TEST(ImageTables, ReadPathsAndAddresses) {
  ArrowTable table;
  table.add("path", test::arrow_bytes(
                        "u", {path_of("seven.jpg"), "file://" + path_of("zero.png"), path_of("none.jpg")}));
  ArrowResult result;
  run(TablePredictor(digits()), table, result);
  EXPECT_EQ(result.text(0, 0), "seven");
  EXPECT_EQ(result.text(0, 1), "zero");
  EXPECT_NE(result.text(3, 2).find("none.jpg"), std::string::npos);
}

TEST(ImageTables, ReadDictionaries) {
  test::ArrowColumn paths = test::arrow_numbers<std::int8_t>("c", {1, 0, 1, 0}, {true, true, true, false});
  paths.dictionary = std::make_shared<test::ArrowColumn>(
      test::arrow_bytes("u", {path_of("seven.jpg"), path_of("zero.png")}));
  ArrowTable table;
  table.add("path", std::move(paths));
  ArrowResult result;
  run(TablePredictor(digits()), table, result);
  EXPECT_EQ(result.text(0, 0) + result.text(0, 1) + result.text(0, 2), "zerosevenzero");
  EXPECT_TRUE(result.is_null(0, 3));
}

test::ArrowColumn spark_images(const Image& image, std::int32_t mode) {
  std::string bgr;
  for (std::size_t i = 0; i < image.pixels().size(); i += 3) {
    for (const std::size_t c : {2, 1, 0}) bgr += static_cast<char>(image.pixels()[i + c]);
    if (mode == 24) bgr += '\x7f';
  }
  const std::int32_t channels = mode == 24 ? 4 : 3;
  return test::arrow_struct(
      {{"origin", test::arrow_bytes("u", {"a", "b"})},
       {"height", test::arrow_numbers<std::int32_t>("i", {image.height(), image.height()})},
       {"width", test::arrow_numbers<std::int32_t>("i", {image.width(), 7})},
       {"nChannels", test::arrow_numbers<std::int32_t>("i", {channels, channels})},
       {"mode", test::arrow_numbers<std::int32_t>("i", {mode, mode})},
       {"data", test::arrow_bytes("z", {bgr, bgr})}});
}

TEST(ImageTables, ReadSparksImages) {
  const Image image = read_image(path_of("seven.jpg"));
  ASSERT_EQ(image.channels(), 3);
  for (const std::int32_t mode : {16, 24}) {
    ArrowTable table;
    table.add("image", spark_images(image, mode));
    ArrowResult result;
    run(TablePredictor(digits()), table, result);
    EXPECT_EQ(result.text(0, 0), "seven");
    EXPECT_NEAR(ArrowResult::number<float>(result.column(1), 0),
                digits().classify_file(path_of("seven.jpg"), 1)[0].score, 1e-3);
    EXPECT_EQ(ArrowResult::number<float>(result.column(1), 0), digits().classify(image, 1)[0].score);
    EXPECT_NE(result.text(3, 1).find("is said to be 7 x"), std::string::npos) << result.text(3, 1);
  }
  ArrowTable odd;
  odd.add("image", spark_images(image, 21));
  ArrowResult result;
  run(TablePredictor(digits()), odd, result);
  EXPECT_NE(result.text(3, 0).find("mode 21"), std::string::npos) << result.text(3, 0);
}

TEST(ImageTables, RowsOfASliceAreTheirOwn) {
  ArrowTable table = photos();
  table.slice(2, 3);
  ArrowResult result;
  run(TablePredictor(digits()), table, result);
  EXPECT_EQ(result.text(0, 0), "zero");
  EXPECT_EQ(result.text(0, 2), "nine");
  EXPECT_TRUE(result.is_null(0, 1));
}

TEST(ImageTables, NoRowsGiveNoRows) {
  ArrowTable table;
  table.add("photo", test::arrow_bytes("z", {}));
  ArrowResult result;
  run(TablePredictor(digits()), table, result);
  EXPECT_EQ(result.array.length, 0);
  EXPECT_EQ(result.column(0).length, 0);
}

TEST(ImageTables, TheFirstWrongRowFailsTheCallWhereThatIsAskedFor) {
  ArrowTable table = photos();
  TableOptions options;
  options.errors = RowErrors::fail;
  ArrowResult result;
  const TablePredictor predictor(digits(), options);
  predictor.result_schema(table.schema(), &result.schema);
  EXPECT_EQ(result.names(), (std::vector<std::string>{"label:u", "score:f", "index:i"}));
  EXPECT_MXINFER_ERROR(predictor.predict(table.schema(), table.array(), &result.array),
                       ErrorCode::invalid_argument, {"row 1", "null"});
}

TEST(ImageTables, SchemasThatDoNotFitAreErrorsBeforeARowIsRead) {
  ArrowTable numbers, two, named;
  numbers.add("id", test::arrow_numbers<std::int64_t>("l", {1}));
  two.add("a", test::arrow_bytes("z", {""})).add("b", test::arrow_bytes("z", {""}));
  ArrowSchema schema;
  const TablePredictor predictor(digits());
  EXPECT_MXINFER_ERROR(predictor.result_schema(numbers.schema(), &schema), ErrorCode::invalid_argument,
                       {"no column", "'id' (int64)", "binary"});
  EXPECT_MXINFER_ERROR(predictor.result_schema(two.schema(), &schema), ErrorCode::invalid_argument,
                       {"several columns", "'a' (binary)", "'b' (binary)"});
  TableOptions options;
  options.columns = {{"", {"id"}}};
  EXPECT_MXINFER_ERROR(TablePredictor(digits(), options).result_schema(numbers.schema(), &schema),
                       ErrorCode::invalid_argument, {"'id'", "int64", "JPEG"});
  options.columns = {{"", {"picture"}}};
  EXPECT_MXINFER_ERROR(TablePredictor(digits(), options).result_schema(two.schema(), &schema),
                       ErrorCode::invalid_argument, {"no column 'picture'", "'a' (binary)"});
  options.columns = {{"", {"b"}}};
  ArrowResult result;
  run(TablePredictor(digits(), options), two, result);
  EXPECT_TRUE(result.is_null(0, 0));
  options.batch_rows = -1;
  EXPECT_MXINFER_ERROR(TablePredictor(digits(), options), ErrorCode::invalid_argument, {"batch_rows", "-1"});
}

TEST(ImageTables, ArraysThatAreNotOfTheirSchemaAreErrors) {
  ArrowTable table = photos(), short_table;
  test::ArrowColumn column = test::arrow_bytes("z", {"a", "b"});
  column.length = 1;
  short_table.add("photo", std::move(column)).slice(0, 2);
  ArrowArray result;
  const TablePredictor predictor(digits());
  EXPECT_MXINFER_ERROR(predictor.predict(short_table.schema(), short_table.array(), &result),
                       ErrorCode::invalid_argument, {"'photo'", "1 rows"});
  EXPECT_MXINFER_ERROR(predictor.predict(table.schema(), short_table.array(), &result),
                       ErrorCode::invalid_argument, {"1 columns", "2"});
  ArrowArray released = table.array();
  released.release = nullptr;
  EXPECT_MXINFER_ERROR(predictor.predict(table.schema(), released, &result), ErrorCode::invalid_argument,
                       {"released"});
}

TEST(ImageTables, AnyNumberOfThreadsUseOne) {
  const TablePredictor predictor(digits());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      ArrowTable table = photos();
      ArrowResult result;
      run(predictor, table, result);
      EXPECT_EQ(result.text(0, 0), "seven");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ImageTables, APredictorGivesTheOutputsOfItsModel) {
  const Predictor predictor(digits());
  ArrowTable table = photos();
  ArrowResult result;
  run(TablePredictor(predictor), table, result);
  EXPECT_EQ(result.array.n_children,
            static_cast<std::int64_t>(predictor.model().signature().outputs.size()) + 1);
  DecodeOptions grey;
  grey.color = false;
  const Image image = read_image(path_of("seven.jpg"), grey);
  const auto outputs = predictor.predict_list({image.view()});
  const ArrowArray& first = result.column(0);
  const ArrowArray& numbers = first.n_children > 0 ? *first.children[0] : first;
  for (std::int64_t i = 0; i < outputs[0].elements(); ++i)
    EXPECT_NEAR(ArrowResult::number<float>(numbers, i), outputs[0].data<float>()[i], 1e-5) << i;
  EXPECT_TRUE(result.is_null(0, 1));
  EXPECT_FALSE(result.is_null(result.array.n_children - 1, 3));
}

}  // namespace
}  // namespace mxinfer
