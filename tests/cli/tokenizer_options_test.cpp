// --vocabulary, --tokenizer, --lower and --unknown of classify-text and generate: BERT's files, options that
// SentencePiece does not support, vocabularies at addresses.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "support/networks/bag_network.h"
#include "support/servers/environment_variable.h"
#include "support/servers/http_server.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string kSentences = std::string(MXINFER_SOURCE_DIR) + "/models/sentences";

/// A vocabulary of one word per line, as for BERT. The first is the unknown token.
std::string words_file(const std::string& unknown) {
  return unknown + "\n[PAD]\n[CLS]\n[SEP]\nthe\neats\nold\nbird\nmouse\nlittle\ncat\n";
}

Words generate_words(const std::string& vocabulary, const Words& more) {
  Words words = {"generate", kSentences, "--begin-id", "2", "--max-length", "1", "--vocabulary", vocabulary};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json prompt_ids(const std::string& vocabulary, const Words& more) {
  return json_of(generate_words(vocabulary, more)).at("prompts").at(0).at("ids");
}

TEST(CliTokenizerOptions, GenerateTakesBertsVocabulary) {
  const TempDir dir;
  const std::string file = dir.write("vocab.txt", words_file("[UNK]"));
  EXPECT_EQ(prompt_ids(file, {"--tokenizer", "wordpiece", "--lower", "--prompt", "The zebra cat"}),
            (Json{4, 0, 10}));
}

TEST(CliTokenizerOptions, GenerateTakesTheUnknownWord) {
  const TempDir dir;
  const std::string file = dir.write("words.txt", words_file("<unk>"));
  expect_failure(1, generate_words(file, {"--prompt", "the zebra"}), {"zebra", "--unknown"});
  EXPECT_EQ(prompt_ids(file, {"--unknown", "<unk>", "--prompt", "the zebra"}), (Json{4, 0}));
  expect_failure(1, generate_words(file, {"--unknown", "nothing", "--prompt", "the"}),
                 {"words.txt", "unknown token \"nothing\""});
}

TEST(CliTokenizerOptions, SomeDoNotGoTogether) {
  for (const std::string command : {"generate", "classify-text"}) {
    for (const Words& more : {Words{"--lower"}, Words{"--unknown", "x"}}) {
      Words words = {command, kSentences, "--vocabulary", "a.model", "--tokenizer", "sentencepiece"};
      words.insert(words.end(), more.begin(), more.end());
      if (command == "classify-text") words.emplace_back("a text");
      expect_failure(2, words, {more[0], "sentencepiece"});
    }
  }
  expect_failure(2, {"generate", kSentences, "--unknown", "x"}, {"--unknown requires --vocabulary"});
  expect_failure(2, {"generate", kSentences, "--lower"}, {"--lower requires --vocabulary"});
  expect_failure(2, generate_words("words.txt", {"--buckets", "8,4"}), {"--buckets", "ascending", "8,4"});
}

/// A server that requires a key.
class CliTokenizerAddresses : public testing::Test {
 protected:
  CliTokenizerAddresses() {
    std::string words;
    for (const std::string& word : bag_words()) words += word + '\n';
    server.files = {{"/vocab.txt", words_file("[UNK]")}, {"/words.txt", words}};
    server.answers = [](const std::string& request) -> std::optional<HttpServer::Answer> {
      if (request.find("X-Key: 1") != std::string::npos) return std::nullopt;
      return HttpServer::Answer{403};
    };
  }

  HttpServer server;
  TempDir dir;
  EnvironmentVariable cache{"MXINFER_CACHE_DIR", dir / "copies"};
};

TEST_F(CliTokenizerAddresses, GenerateFetchesAVocabularyAsTheOptionsSay) {
  const Words wordpiece = {"--tokenizer", "wordpiece", "--prompt", "the zebra", "--header", "X-Key: 1"};
  Words without_copy = wordpiece;
  without_copy.insert(without_copy.end(), {"--cache", "none"});
  EXPECT_EQ(prompt_ids(server.address("/vocab.txt"), without_copy), (Json{4, 0}));
  EXPECT_FALSE(std::filesystem::exists(dir / "copies"));
  EXPECT_EQ(prompt_ids(server.address("/vocab.txt"), wordpiece), (Json{4, 0}));
  Words offline = wordpiece;
  offline.insert(offline.end(), {"--cache", "offline"});
  server.forget_requests();
  EXPECT_EQ(prompt_ids(server.address("/vocab.txt"), offline), (Json{4, 0}));
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(CliTokenizerAddresses, ClassifyTextFetchesAVocabularyAsTheOptionsSay) {
  write_bag_network(dir / "net", BagNetwork{});
  const Words words = {"classify-text", dir / "net", "good",     "--vocabulary", server.address("/words.txt"),
                       "--unknown",     "<unk>",     "--header", "X-Key: 1",     "--cache",
                       "none"};
  EXPECT_EQ(json_of(words).at("texts").size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(dir / "copies"));
}

}  // namespace
}  // namespace mxinfer::test
