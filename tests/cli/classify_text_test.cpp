// mxinfer classify-text: texts from arguments, files and standard input; labels and scores as text and JSON.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/networks/bag_network.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// A network of three labels, its vocabulary, and files of texts.
class Files {
 public:
  explicit Files(bool segments = false) {
    BagNetwork network;
    network.segments = segments;
    write_bag_network(dir_ / "net", network);
    dir_.write("synset.txt", "bad\nneutral\ngood\n");
    std::string words;
    for (const std::string& word : bag_words()) words += word + '\n';
    words_ = dir_.write("words.txt", words);
  }
  /// A command line: the model, its vocabulary, then `more`.
  Words line(const Words& more) const {
    Words all = {"classify-text", dir_ / "net", "--vocabulary", words_, "--unknown", "<unk>"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string write(const std::string& name, const std::string& text) const { return dir_.write(name, text); }

 private:
  TempDir dir_;
  std::string words_;
};

Json texts_of(const Files& files, const Words& more) {
  return json_of(files.line(more)).at("texts");
}

/// Cuts scores to three digits: the others depend on the kernels of the machine.
std::string with_three_digits(const std::string& text) {
  return std::regex_replace(text, std::regex(R"((\d\.\d{3})\d+)"), "$1");
}

TEST(CliClassifyText, PrintsWhatTheDocumentationShows) {
  const std::string root = std::string(MXINFER_SOURCE_DIR) + "/";
  const std::string text = output_of({"classify-text", root + "models/language_id", "Wo ist der Bahnhof?",
                                      "Where is the nearest station?", "--top-k", "2"});
  const std::string page = with_three_digits(read_file(root + "docs/how-to/sequences.md"));
  EXPECT_NE(page.find("```\n" + with_three_digits(text) + "```\n"), std::string::npos) << text;
}

TEST(CliClassifyText, PrintsEachTextAndItsBestClasses) {
  const Files files;
  const std::string text = output_of(files.line({"the film was good", "bad", "-k", "2"}));
  EXPECT_EQ(text.rfind("the film was good\n  ", 0), 0u) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
  const Json texts = texts_of(files, {"the film was good", "--all"});
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].at("text"), "the film was good");
  const Json& classes = texts[0].at("classes");
  ASSERT_EQ(classes.size(), 3u);
  EXPECT_EQ(classes[0].at("label"), "bad");
  EXPECT_EQ(classes[2].at("index"), 2);
}

TEST(CliClassifyText, FilesAndStandardInputGiveWhatWordsGive) {
  const Files files;
  const Json words = texts_of(files, {"good film", "the film was bad", "good"});
  const std::string file = files.write("texts.txt", "good film\nthe film was bad\r\ngood");
  EXPECT_EQ(texts_of(files, {"--file", file}), words);
  EXPECT_EQ(texts_of(files, {"good film", "the film was bad", "--file", files.write("one.txt", "good\n")}),
            words);
  Words line = files.line({"-", "--ndjson"});
  std::string command;
  for (const std::string& word : line) command += " '" + word + "'";
  const Outcome outcome =
      run_program({"/bin/sh", "-c", "exec \"$0\"" + command + " < \"$1\"", MXINFER_COMMAND, file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::string expected;
  for (const Json& text : words) expected += text.at("text").get<std::string>() + '\n';
  std::string found;
  for (std::size_t at = 0; at < outcome.out.size();) {
    const std::size_t end = outcome.out.find('\n', at);
    found += Json::parse(outcome.out.substr(at, end - at)).at("text").get<std::string>() + '\n';
    at = end + 1;
  }
  EXPECT_EQ(found, expected);
}

TEST(CliClassifyText, AWrongLineCostsTheOthersNothing) {
  const Files files;
  std::string lines;
  for (int i = 0; i < 600; ++i) lines += i == 300 ? "\xff\n" : i == 400 ? "\n" : "good\n";
  const std::string file = files.write("texts.txt", lines);
  const Outcome outcome = mxinfer(files.line({"--file", file, "--json"}));
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"line 301 of", "line 401 of", "no token"});
  const Json texts = Json::parse(outcome.out).at("texts");
  ASSERT_EQ(texts.size(), 600u);
  EXPECT_EQ(texts[300].at("error").at("code"), "invalid_argument");
  EXPECT_EQ(texts[599].at("classes"), texts[0].at("classes"));
}

TEST(CliClassifyText, PairsOfWordsAndOfLines) {
  const Files files(true);
  const Words framed = {"--begin", "[CLS]", "--end", "[SEP]", "--pair", "--buckets", "8,16"};
  Words words = framed, lines = framed;
  words.insert(words.end(), {"the film", "was good", "bad", "good"});
  const std::string file = files.write("pairs.txt", "the film\twas good\nbad\tgood\nalone\n");
  lines.insert(lines.end(), {"--file", file, "--json"});
  const Json pairs = texts_of(files, words);
  EXPECT_EQ(pairs[0].at("second"), "was good");
  const Outcome outcome = mxinfer(files.line(lines));
  EXPECT_EQ(outcome.exit_code, 1);
  expect_facts(outcome.err, {"line 3 of", "tab"});
  const Json read = Json::parse(outcome.out).at("texts");
  EXPECT_EQ(read[0], pairs[0]);
  EXPECT_EQ(read[1], pairs[1]);
  words.emplace_back("more");
  expect_usage_error(files.line(words), {"--pair", "'more' has no second text"});
}

TEST(CliClassifyText, OptionsReachTheClassifier) {
  const Files files;
  const Json plain = texts_of(files, {"THE film"}), lower = texts_of(files, {"the film"});
  EXPECT_NE(plain[0].at("classes"), lower[0].at("classes"));
  EXPECT_EQ(texts_of(files, {"THE film", "--lower"})[0].at("classes"), lower[0].at("classes"));
  const Json soft = texts_of(files, {"the film", "--activation", "softmax"})[0].at("classes");
  EXPECT_NEAR(soft[0].at("score").get<double>() + soft[1].at("score").get<double>() +
                  soft[2].at("score").get<double>(),
              1, 1e-5);
  EXPECT_EQ(texts_of(files, {"the film was good", "--buckets", "2"})[0].at("classes"),
            lower[0].at("classes"));
  EXPECT_NE(
      texts_of(files, {"the film was good", "--buckets", "2", "--truncate-side", "left"})[0].at("classes"),
      lower[0].at("classes"));
  EXPECT_EQ(texts_of(files, {"the film", "--tokenizer", "basic"})[0].at("classes"), lower[0].at("classes"));
  const std::string labels = files.write("labels.txt", "x\ny\nz\n");
  EXPECT_EQ(texts_of(files, {"the film", "--all", "--labels", labels})[0].at("classes")[1].at("label"), "y");
}

// A text in brackets is one text, not a list of several.
TEST(CliClassifyText, TextsInBracketsComeThrough) {
  const Files files;
  const Json texts = texts_of(files, {"[good, bad]", "[]", "[[good]]"});
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_EQ(texts[0].at("text"), "[good, bad]");
  EXPECT_EQ(texts[1].at("text"), "[]");
  EXPECT_EQ(texts[2].at("text"), "[[good]]");
  EXPECT_EQ(texts_of(files, {"good", "--begin", "[CLS]"})[0].at("classes"),
            texts_of(files, {"good", "--begin=[CLS]"})[0].at("classes"));
}

TEST(CliClassifyText, InvalidCommandLines) {
  const Files files;
  expect_usage_error(files.line({}), {"requires a TEXT"});
  expect_usage_error(files.line({"a", "--buckets", "4,2"}), {"--buckets", "ascending"});
  expect_usage_error(files.line({"a", "--tokenizer", "words"}), {"--tokenizer", "whitespace"});
  expect_usage_error(files.line({"a", "--pad-side", "top"}), {"--pad-side"});
  const std::string net = files.line({})[1];
  expect_usage_error({"classify-text", net, "a", "--lower"}, {"--lower requires --vocabulary"});
  expect_user_error({"classify-text", net, "a"}, {"--vocabulary"});
  expect_user_error({"classify-text", net, "a", "--vocabulary", "nowhere.json"}, {"nowhere.json"});
  expect_user_error(files.line({"a", "--begin", "[BOS]"}), {"--begin", "[BOS]"});
  expect_user_error(files.line({"a", "--segment-input", "types"}), {"--segment-input", "'data'"});
  expect_user_error(files.line({"--file", "nowhere.txt"}), {"--file", "nowhere.txt"});
}

}  // namespace
}  // namespace mxinfer::test
