// mxinfer generate: greedy search, beams, samples, ids, JSON, and options that exclude each other.
#include <gtest/gtest.h>

#include "cli/run_command.h"
#include "support/files/temp_dir.h"
#include "tensor/npy.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string kTree = std::string(MXINFER_SOURCE_DIR) + "/";
const std::string kModel = kTree + "models/sentences", kSentencesVocabulary = kModel + "/vocab.json";
const std::string kRecorded = kTree + "tests/golden/generation/";

Words generate(const Words& more) {
  Words words = {"generate", kModel, "--vocabulary", kSentencesVocabulary};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CliGenerate, PrintsWhatTheDocumentationShows) {
  const std::string page = read_file(kTree + "docs/how-to/generation.md");
  for (const Words& more :
       {Words{"--prompt", "the cat"}, Words{"--prompt", "the old", "--beam", "4", "--num", "4"},
        Words{"--sample", "--seed", "7", "--num", "3"}}) {
    const std::string text = output_of(generate(more));
    EXPECT_NE(page.find("```\n" + text + "```\n"), std::string::npos) << text;
  }
}

TEST(CliGenerate, TakesSeveralPromptsAndIds) {
  EXPECT_EQ(output_of(generate({"--prompt", "the cat", "-p", "the old dog"})),
            "the cat eats fish on the roof\nthe old dog eats bones in the garden\n");
  EXPECT_EQ(output_of({"generate", kModel, "--ids", "2,4,10", "--end-id", "3"}), "2,4,10,5,23,18,4,19\n");
  EXPECT_EQ(
      output_of({"generate", kModel, "--ids", "4,10", "--begin-id", "2", "--end-id", "3", "--stop-id", "18"}),
      "4,10,5,23\n");
  EXPECT_EQ(output_of({"generate", kModel, "--ids", "2,4,10", "--max-length", "1"}), "2,4,10,5\n");
}

TEST(CliGenerate, JsonHasScoresAndEnds) {
  const Json report = json_of(generate({"--prompt", "the cat", "--beam", "3", "--num", "2", "--alpha", "0"}));
  const Json& prompt = report.at("prompts").at(0);
  EXPECT_EQ(prompt.at("prompt"), "the cat");
  EXPECT_EQ(prompt.at("ids").size(), 2u);
  ASSERT_EQ(prompt.at("sequences").size(), 2u);
  const Json& best = prompt["sequences"][0];
  EXPECT_EQ(best.at("finish"), "end");
  EXPECT_EQ(best.at("end_id"), 3);
  EXPECT_EQ(best.at("score"), best.at("log_probability"));
  EXPECT_GE(best.at("score").get<double>(), prompt["sequences"][1].at("score").get<double>());
  const Json cut =
      json_of(generate({"--prompt", "the cat", "--max-length", "2"}))["prompts"][0]["sequences"][0];
  EXPECT_EQ(cut.at("finish"), "length");
  EXPECT_EQ(cut.at("text"), "eats fish");
  EXPECT_EQ(cut.count("end_id"), 0u);
}

TEST(CliGenerate, SamplesFollowFromTheSeed) {
  const std::string first = output_of(generate({"--sample", "--num", "4", "--seed", "1"}));
  EXPECT_EQ(output_of(generate({"--sample", "--num", "4", "--seed", "1", "--threads", "1"})), first);
  EXPECT_NE(output_of(generate({"--sample", "--num", "4", "--seed", "2"})), first);
  EXPECT_EQ(output_of(generate({"--sample", "--top-k", "1", "--prompt", "the cat"})),
            output_of(generate({"--prompt", "the cat"})));
  EXPECT_EQ(
      output_of(generate({"--sample", "--top-p", "0.01", "--temperature", "0.7", "--prompt", "the cat"})),
      output_of(generate({"--prompt", "the cat"})));
}

TEST(CliGenerate, GivesANetworkItsStatesAndOtherInputs) {
  const TempDir dir;
  save_npy(dir / "memory.npy", Tensor(DType::float32, {1, 5, 8}));
  Tensor mask(DType::float32, {1, 5});
  mask.data<float>()[0] = 1;
  save_npy(dir / "mask.npy", mask);
  save_npy(dir / "embeddings.npy", Tensor(DType::float32, {1, 1, 8}));
  const Words words = {"generate",     kRecorded + "transformer",
                       "--ids",        "1",
                       "--max-length", "3",
                       "--state",      "embeddings=concat0_output",
                       "--input",      "memory=" + (dir / "memory.npy"),
                       "--input",      "memory_mask=" + (dir / "mask.npy")};
  Words all = words;
  all.insert(all.end(), {"--input", "embeddings=" + (dir / "embeddings.npy")});
  EXPECT_EQ(json_of(all)["prompts"][0]["sequences"][0].at("ids").size(), 3u);
  expect_failure(1, words, {"'embeddings'", "--input does not give"});
}

TEST(CliGenerate, RejectsWhatDoesNotGoTogether) {
  expect_failure(2, generate({"--temperature", "2"}), {"--temperature", "--sample"});
  expect_failure(2, generate({"--sample", "--temperature", "0"}), {"--temperature", "0"});
  expect_failure(2, generate({"--sample", "--top-p", "1.5"}), {"--top-p", "1.5"});
  expect_failure(2, generate({"--sample", "--beam", "2"}), {"--beam", "--sample"});
  expect_failure(2, generate({"--num", "2"}), {"--num 2", "--sample", "--beam"});
  expect_failure(2, generate({"--beam", "2", "--num", "3"}), {"--num 3"});
  expect_failure(2, generate({"--max-length", "0"}), {"--max-length", "0"});
  expect_failure(2, generate({"--ids", "3,x"}), {"'3,x' for --ids: expected ids"});
  expect_failure(2, generate({"--ids", "3,-1"}), {"'3,-1' for --ids: expected ids"});
  expect_failure(2, generate({"--ids", "3", "--prompt", "the"}), {"--ids", "--prompt"});
  expect_failure(2, generate({"--state", "x"}), {"--state"});
  expect_failure(2, generate({"--buckets", "4,x"}), {"for --buckets: expected ascending lengths"});
  expect_failure(2, {"generate", kModel, "--tokenizer", "basic"}, {"--tokenizer", "--vocabulary"});
  expect_failure(2, {"generate"}, {"MODEL"});
}

TEST(CliGenerate, SaysWhatDoesNotFitTheModel) {
  expect_failure(1, {"generate", kModel, "--prompt", "the"}, {"--vocabulary"});
  expect_failure(1, {"generate", kModel}, {"prompt is empty", "--begin-id"});
  expect_failure(1, {"generate", kModel, "--ids", "25"}, {"token 25", "0 to 24"});
  expect_failure(1, generate({"--beam", "26"}), {"--beam is 26", "25"});
  expect_failure(1, generate({"--token-input", "tokan"}), {"--token-input", "did you mean 'token'"});
  expect_failure(1, generate({"--buckets", "4,8"}), {"--buckets", "one token"});
  expect_failure(1, generate({"--input", "x=nowhere.npy"}), {"nowhere.npy"});
  expect_failure(1, {"generate", kModel, "--vocabulary", "nowhere.json", "--prompt", "a"}, {"nowhere.json"});
}

}  // namespace
}  // namespace mxinfer::test
