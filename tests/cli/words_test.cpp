// mxinfer words: lookups in vocabularies and word vectors.
#include <gtest/gtest.h>

#include <string>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

std::string example(const std::string& name) {
  return std::string(MXINFER_SOURCE_DIR) + "/examples/words/" + name;
}

const std::string kVocabulary = example("vocab.json"), kVectors = example("vectors.txt");

TEST(CliWords, SaysWhatTheFileIs) {
  EXPECT_EQ(output_of({"words", kVocabulary}),
            "words    26\nunknown  <unk>, id 0\npadding  <pad>, id 1\nbegin    <bos>, id 2\nend      <eos>, "
            "id 3\n");
  EXPECT_EQ(output_of({"words", kVectors}), "words       23\ndimensions  10\n");
  EXPECT_EQ(json_of({"words", kVectors, "--unknown", "<unk>"}),
            Json::parse(R"({"size": 23, "dimensions": 10, "unknown": {"word": "<unk>", "id": 0}})"));
}

TEST(CliWords, LooksUpWordsAndIds) {
  EXPECT_EQ(output_of({"words", kVocabulary, "king", "xyz", "--id", "25", "--id", "4"}),
            "6   king\n0   <unk> for xyz\n25  night\n4   man\n");
  expect_facts(output_of({"words", kVectors, "--id", "3"}), {"3  king  1.", " ..."});
  const Json words = json_of({"words", kVectors, "king", "--id", "0"}).at("words");
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0].at("asked"), "king");
  EXPECT_EQ(words[0].at("id"), 3);
  EXPECT_EQ(words[0].at("vector").size(), 10u);
  EXPECT_EQ(words[1].at("asked"), 0);
  EXPECT_EQ(words[1].at("word"), "<unk>");
}

TEST(CliWords, ReportsWhatIsNotThereAndPrintsTheRest) {
  const Outcome outcome = mxinfer({"words", kVectors, "xyz", "king", "--id", "700"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out.substr(0, 7), "3  king");
  expect_facts(outcome.err, {"\"xyz\" is not one of the 23 words", "--unknown", "no word with the id 700"});
  const Outcome json = mxinfer({"words", kVectors, "xyz", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  expect_facts(Json::parse(json.out).at("words")[0].at("error"), {"\"xyz\""});
}

TEST(CliWords, PrintsTheNearest) {
  const std::string text = output_of({"words", kVectors, "--nearest", "king", "-k", "3"});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_EQ(text.substr(0, 2), "0.");
  EXPECT_NE(text.find("  prince\n"), std::string::npos);
  const Json words =
      json_of({"words", kVectors, "--nearest", "king", "--min-score", "0.5", "--first", "5"}).at("words");
  ASSERT_FALSE(words.empty());
  for (const Json& word : words) {
    EXPECT_GE(word.at("score").get<float>(), 0.5f);
    EXPECT_LT(word.at("id").get<int>(), 5);
    EXPECT_NE(word.at("word"), "king");
  }
}

TEST(CliWords, PrintsAnalogiesAndSimilarities) {
  expect_facts(output_of({"words", kVectors, "--analogy", "man", "king", "woman", "-k", "1"}), {"  queen\n"});
  expect_facts(output_of({"words", kVectors, "--similarity", "king", "king"}), {"1.0000\n"});
  EXPECT_NEAR(json_of({"words", kVectors, "--similarity", "cat", "dog"}).at("cosine").get<double>(), 0.98,
              0.01);
}

TEST(CliWords, TakesAMatrixAndItsVocabulary) {
  const TempDir dir;
  Tensor matrix(DType::float32, {2, 2});
  matrix.data<float>()[0] = matrix.data<float>()[3] = 1;
  save_npy(dir / "e.npy", matrix);
  dir.write("words.txt", "yes\nno\n");
  EXPECT_EQ(output_of({"words", dir / "e.npy", "no", "--vocabulary", dir / "words.txt"}),
            "1  no  0.0000 1.0000\n");
  EXPECT_EQ(
      output_of({"words", dir / "e.npy", "maybe", "--vocabulary", dir / "words.txt", "--unknown", "yes"}),
      "0  yes for maybe  1.0000 0.0000\n");
  expect_user_error({"words", dir / "e.npy"}, {"e.npy", "give them as --vocabulary"});
  expect_user_error(
      {"words", digits() + "/digits-0000.params", "--vocabulary", dir / "words.txt", "--array", "none"},
      {"there is no array 'none'"});
}

TEST(CliWords, WordsInBracketsAreWords) {
  const TempDir dir;
  const std::string file = dir.write("v.txt", "[CLS] 1 0\n[a,b] 0.5 0.5\n[SEP] 0 1\n- 0 2\n");
  EXPECT_EQ(output_of({"words", file, "[CLS]", "[a,b]"}),
            "0  [CLS]  1.0000 0.0000\n1  [a,b]  0.5000 0.5000\n");
  EXPECT_EQ(output_of({"words", file, "--similarity", "[CLS]", "[SEP]"}), "0.0000\n");
  EXPECT_EQ(output_of({"words", file, "--nearest", "[SEP]", "-k", "1"}), "1.0000  -\n");
  expect_facts(output_of({"words", file, "--analogy", "[CLS]", "[a,b]", "[SEP]", "-k", "1"}), {"  -\n"});
  EXPECT_EQ(output_of({"words", file, "-"}), "3  -  0.0000 2.0000\n");
}

TEST(CliWords, TheFormatCanBeSaid) {
  const TempDir dir;
  const std::string file = dir.write("words.txt", "1 2\n3 4\n");
  EXPECT_EQ(output_of({"words", file, "3"}), "4  3\n");
  EXPECT_EQ(output_of({"words", file, "3 4", "--format", "words"}), "1  3 4\n");
  EXPECT_EQ(output_of({"words", dir.write("v.txt", "a 2\nb 4\n"), "b", "--format", "text"}),
            "1  b  4.0000\n");
  expect_usage_error({"words", file, "--nearest", "3", "--format", "words"},
                     {"--format words is for vocabularies"});
}

TEST(CliWords, SaysWhatIsWrong) {
  const TempDir dir;
  expect_user_error({"words", "nowhere.txt"}, {"nowhere.txt"});
  expect_user_error({"words", kVocabulary, "--nearest", "king"}, {"vocab.json", "has no vectors"});
  expect_user_error({"words", kVectors, "--nearest", "kign"}, {"did you mean 'king'?"});
  expect_user_error({"words", dir.write("bad.txt", "a 1 2\nb 1.5 2.5\nc 1.5\n")}, {"bad.txt", "line 3"});
  expect_user_error({"words", dir.write("empty.txt", "")}, {"empty.txt", "no word"});
  expect_user_error({"words", dir.write("tab.txt", "a\tb\n")}, {"tab.txt", "select it with --format"});
  expect_usage_error({"words"}, {"words requires FILE"});
  expect_usage_error({"words", kVectors, "--nearest", "a", "--similarity", "a", "b"}, {"pass only one"});
  expect_usage_error({"words", kVectors, "king", "--nearest", "a"},
                     {"WORD and --id cannot be used together with --nearest"});
  expect_usage_error({"words", kVectors, "--analogy", "man", "king"},
                     {"wrong number of values for --analogy: got 2, expected 3, as in --analogy A B C"});
  expect_usage_error({"words", kVectors, "--id", "-1"}, {"invalid value '-1' for --id: expected "});
}

}  // namespace
}  // namespace mxinfer::test
