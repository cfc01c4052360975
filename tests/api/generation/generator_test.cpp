#include <gtest/gtest.h>
#include <mxinfer/sequence/generator.h>

#include <cmath>
#include <thread>

#include "tests/support/expect_error.h"
#include "tests/support/networks/generator_models.h"
#include "tests/support/networks/tiny_models.h"

namespace mxinfer {
namespace {

using Ids = std::vector<std::int32_t>;
using test::generate;
using test::load_json;
using test::of_length;

const std::string kSentences = std::string(MXINFER_SOURCE_DIR) + "/models/sentences";
const std::string kRecorded = std::string(MXINFER_SOURCE_DIR) + "/tests/golden/generation/";

GeneratorOptions sum_options() {
  GeneratorOptions options;
  options.states = {{"total", "next_output"}};
  return options;
}

SequenceGenerator sums() {
  return SequenceGenerator(load_json(test::sum_json()), sum_options());
}

Ids only(const std::vector<Generated>& results) {
  EXPECT_EQ(results.size(), 1u);
  return results.at(0).ids;
}

SequenceGenerator sentences() {
  GeneratorOptions options;
  options.vocabulary = Vocabulary::load(kSentences + "/vocab.json");
  return SequenceGenerator(kSentences, options);
}

TEST(SequenceGenerator, FeedsThePromptAndKeepsItsStates) {
  EXPECT_EQ(only(generate(sums(), {1}, of_length(4))), (Ids{1, 2, 4, 8}));
  EXPECT_EQ(only(generate(sums(), {1, 2, 3}, of_length(2))), (Ids{6, 12}));
}

TEST(SequenceGenerator, TakesAFirstState) {
  Tensor total(DType::float32, {1, 1});
  total.data<float>()[0] = 4;
  GenerateOptions options = of_length(2);
  options.inputs = {{"total", total.view()}};
  EXPECT_EQ(only(generate(sums(), {1}, options)), (Ids{5, 10}));
}

TEST(SequenceGenerator, RunsPromptsOfAnyLengthsTogether) {
  const std::vector<Ids> prompts = {{1}, {1, 2, 3}, {2, 2}, {3}, {0, 0, 0, 1, 0}};
  const auto all = sums().generate_batch(Span<const Ids>(prompts), of_length(3));
  ASSERT_EQ(all.size(), prompts.size());
  EXPECT_EQ(only(all[0]), (Ids{1, 2, 4}));
  EXPECT_EQ(only(all[1]), (Ids{6, 12, 0}));  // 24 is past the vocabulary: all scores are equal
  EXPECT_EQ(only(all[2]), (Ids{4, 8, 16}));
  EXPECT_EQ(only(all[3]), (Ids{3, 6, 12}));
  EXPECT_EQ(only(all[4]), (Ids{1, 2, 4}));
}

TEST(SequenceGenerator, StatesFollowTheirBeams) {
  // In each step the next sum is the best, and 0, which changes no sum, the best of the others.
  GenerateOptions options = of_length(4);
  options.search = Search::beam;
  options.beam = options.num_sequences = 5;
  const auto results = generate(sums(), {1}, options);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0].ids, (Ids{1, 2, 4, 8}));
  for (const Generated& result : results) {
    int total = 1, misses = 0;
    for (const std::int32_t id : result.ids) {
      misses += id == total ? 0 : 1;
      total += id;
    }
    EXPECT_LE(misses, 1);
  }
}

TEST(SequenceGenerator, GivesTheNumberOfTheStep) {
  GeneratorOptions options;
  options.position_input = "step";
  options.step = StepKind::one_token;
  const SequenceGenerator generator(load_json(test::step_json()), options);
  EXPECT_EQ(only(generate(generator, {7, 7}, of_length(3))), (Ids{1, 2, 3}));
  const std::vector<Ids> prompts = {{7, 7}, {7}};
  const auto all = generator.generate_batch(Span<const Ids>(prompts), of_length(2));
  EXPECT_EQ(only(all[0]), (Ids{1, 2}));
  EXPECT_EQ(only(all[1]), (Ids{0, 1}));
}

TEST(SequenceGenerator, EndsAtTheEndIdAStopIdAndTheCallback) {
  GeneratorOptions with_end = sum_options();
  with_end.end_id = 8;
  const SequenceGenerator generator(load_json(test::sum_json()), with_end);
  const Generated ended = generate(generator, {1}).at(0);
  EXPECT_EQ(ended.ids, (Ids{1, 2, 4}));
  EXPECT_EQ(ended.finish, Finish::end);
  EXPECT_EQ(ended.end_id, 8);
  GenerateOptions options;
  options.stop_ids = {16, 4};
  const Generated stopped = generate(generator, {1}, options).at(0);
  EXPECT_EQ(stopped.ids, (Ids{1, 2}));
  EXPECT_EQ(stopped.end_id, 4);
  options.stop_ids = {};
  options.stop = [](Span<const std::int32_t> ids) { return ids[ids.size() - 1] == 2; };
  const Generated cancelled = generate(generator, {1}, options).at(0);
  EXPECT_EQ(cancelled.ids, (Ids{1, 2}));
  EXPECT_EQ(cancelled.finish, Finish::stopped);
  EXPECT_EQ(generate(generator, {1}, of_length(2)).at(0).finish, Finish::length);
}

TEST(SequenceGenerator, ScoresAreSumsOfLogProbabilities) {
  GenerateOptions options = of_length(3);
  options.alpha = 1;
  const Generated result = generate(sums(), {1}, options).at(0);
  const double each = 9 - std::log(std::exp(9.0) + 19);
  EXPECT_NEAR(result.log_probability, 3 * each, 1e-6);
  EXPECT_NEAR(result.score, 3 * each / (8.0 / 6), 1e-6);
}

TEST(SequenceGenerator, ARepetitionPenaltyLooksAtThePromptToo) {
  GeneratorOptions options;
  options.step = StepKind::one_token;
  const SequenceGenerator generator(load_json(test::next_json("1", "0.9")), options);
  EXPECT_EQ(only(generate(generator, {3, 4, 2}, of_length(1))), (Ids{3}));
  GenerateOptions penalised = of_length(1);
  penalised.repetition_penalty = 2;
  EXPECT_EQ(only(generate(generator, {3, 4, 2}, penalised)), (Ids{0}));
}

TEST(SequenceGenerator, BucketsChangeNothing) {
  GeneratorOptions options;
  const SequenceGenerator plain(kRecorded + "prefix", options);
  options.buckets = {4, 8, 16};
  const SequenceGenerator padded(kRecorded + "prefix", options);
  EXPECT_EQ(plain.found().step, StepKind::whole_prefix);
  EXPECT_EQ(plain.found().scores, ScoreKind::probabilities);
  GenerateOptions beam = of_length(10);
  beam.search = Search::beam;
  beam.num_sequences = 4;
  const auto expected = generate(plain, {1, 5}, beam);
  const auto got = generate(padded, {1, 5}, beam);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].ids, expected[i].ids);
    EXPECT_NEAR(got[i].score, expected[i].score, 1e-5);
  }
  EXPECT_LT(padded.stats().plans, plain.stats().plans);
  EXPECT_MXINFER_ERROR(generate(padded, {1, 5}, of_length(16)), ErrorCode::invalid_argument,
                       {"17 tokens", "buckets", "16"});
}

TEST(SequenceGenerator, FindsWhatTheModelTakes) {
  const SequenceGenerator generator = sentences();
  const GeneratorOptions& found = generator.found();
  EXPECT_EQ(found.token_input, "token");
  EXPECT_EQ(found.step, StepKind::one_token);
  EXPECT_EQ(found.scores, ScoreKind::logits);
  ASSERT_EQ(found.states.size(), 2u);
  EXPECT_EQ(found.states[0].input, "lstm_init_h");
  EXPECT_EQ(found.states[0].output, "lstm_t0_out_output");
  EXPECT_EQ(found.begin_id, generator.vocabulary().id("<bos>"));
  EXPECT_EQ(found.end_id, generator.vocabulary().id("<eos>"));
}

TEST(SequenceGenerator, FindsTokensBehindTime) {
  const SequenceGenerator generator(kRecorded + "layers");
  EXPECT_EQ(generator.found().token_layout, "TN");
  EXPECT_EQ(generator.found().states.size(), 2u);
}

TEST(SequenceGenerator, WritesTexts) {
  const SequenceGenerator generator = sentences();
  const Generated result = generator.generate_text("the cat").at(0);
  EXPECT_EQ(result.text, "eats fish on the roof");
  EXPECT_EQ(result.finish, Finish::end);
  EXPECT_EQ(generator.text(Span<const std::int32_t>(result.ids)), result.text);
  const std::vector<std::string> prompts = {"the dog", "the old bird sees the"};
  const auto all = generator.generate_texts(Span<const std::string>(prompts));
  EXPECT_EQ(all[0], generator.generate_text("the dog"));
  EXPECT_EQ(all[1], generator.generate_text("the old bird sees the"));
}

TEST(SequenceGenerator, SamplesAreTheSameWithAnyThreadsAndBesideAnyOthers) {
  GeneratorOptions options;
  options.vocabulary = Vocabulary::load(kSentences + "/vocab.json");
  GenerateOptions sampling;
  sampling.search = Search::sample;
  sampling.num_sequences = 8;
  sampling.seed = 3;
  options.options.threads = 1;
  const auto one = SequenceGenerator(kSentences, options).generate_text("", sampling);
  options.options.threads = 2;
  const SequenceGenerator generator(kSentences, options);
  EXPECT_EQ(generator.generate_text("", sampling), one);
  sampling.num_sequences = 2;
  const auto two = generator.generate_text("", sampling);
  EXPECT_EQ(two[0].ids, one[0].ids);
  EXPECT_EQ(two[1].ids, one[1].ids);
  sampling.seed = 4;
  EXPECT_NE(generator.generate_text("", sampling), two);
}

TEST(SequenceGenerator, TopKOfOneIsGreedy) {
  const SequenceGenerator generator = sentences();
  GenerateOptions sampling;
  sampling.search = Search::sample;
  sampling.top_k = 1;
  EXPECT_EQ(generator.generate_text("the old", sampling).at(0).ids,
            generator.generate_text("the old").at(0).ids);
}

TEST(SequenceGenerator, ManyThreadsMayUseOne) {
  const SequenceGenerator generator = sentences();
  GenerateOptions beam;
  beam.search = Search::beam;
  beam.num_sequences = 3;
  const auto expected = generator.generate_text("the", beam);
  std::vector<std::vector<Generated>> got(4);
  std::vector<std::thread> threads;
  for (auto& result : got) threads.emplace_back([&] { result = generator.generate_text("the", beam); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : got) EXPECT_EQ(result, expected);
}

TEST(SequenceGenerator, AWarmCallMakesNoPlans) {
  const SequenceGenerator generator = sentences();
  GenerateOptions beam;
  beam.search = Search::beam;
  (void)generator.generate_text("the", beam);
  const auto plans = generator.stats().plans;
  (void)generator.generate_text("the", beam);
  EXPECT_EQ(generator.stats().plans, plans);
}

TEST(Generation, GivesTokensAndPiecesOfText) {
  const SequenceGenerator generator = sentences();
  const Generated whole = generator.generate_text("the old").at(0);
  Generation generation = generator.start_text("the old");
  Ids ids;
  std::string text;
  while (const auto id = generation.next()) {
    ids.push_back(*id);
    text += generation.piece();
    EXPECT_EQ(generation.result().ids, ids);
  }
  EXPECT_EQ(ids, whole.ids);
  EXPECT_EQ(text, whole.text);
  EXPECT_EQ(generation.result(), whole);
  EXPECT_EQ(generation.next(), std::nullopt);
  EXPECT_EQ(generation.piece(), "");
}

TEST(Generation, EndsAtTheLengthWithItsLastToken) {
  Generation generation = sums().start(Span<const std::int32_t>(Ids{1}), of_length(2));
  EXPECT_EQ(generation.next(), 1);
  EXPECT_EQ(generation.next(), 2);
  EXPECT_EQ(generation.next(), std::nullopt);
  EXPECT_EQ(generation.result().finish, Finish::length);
}

TEST(Generation, KeepsWhatItWasStartedWith) {
  std::optional<Generation> generation;
  {
    Tensor total(DType::float32, {1, 1});
    total.data<float>()[0] = 4;
    GenerateOptions options = of_length(2);
    options.inputs = {{"total", total.view()}};
    const Ids prompt = {1};
    generation.emplace(sums().start(Span<const std::int32_t>(prompt), options));
    total.data<float>()[0] = 11;
  }
  EXPECT_EQ(generation->next(), 5);
  EXPECT_EQ(generation->next(), 10);
}

TEST(Generation, OneThatWasMovedFromHasEnded) {
  Generation generation = sums().start(Span<const std::int32_t>(Ids{1}), of_length(2));
  Generation other = std::move(generation);
  EXPECT_EQ(generation.next(), std::nullopt);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(generation.piece(), "");
  EXPECT_EQ(generation.result(), Generated{});
  EXPECT_EQ(other.next(), 1);
}

TEST(Generation, HasEndedAfterAnError) {
  GeneratorOptions options;
  options.step = StepKind::one_token;
  const SequenceGenerator generator(load_json(test::next_json("nan")), options);
  Generation generation = generator.start(Span<const std::int32_t>(Ids{1}));
  EXPECT_MXINFER_ERROR(generation.next(), ErrorCode::invalid_argument, {"nan", "token 2"});
  EXPECT_EQ(generation.next(), std::nullopt);
}

TEST(GeneratorErrors, OptionsOutOfTheirRanges) {
  const SequenceGenerator generator = sums();
  const auto expect = [&](const std::function<void(GenerateOptions&)>& set, const std::string& fact) {
    GenerateOptions options;
    set(options);
    EXPECT_MXINFER_ERROR(generate(generator, {1}, options), ErrorCode::invalid_argument,
                         {"GenerateOptions::" + fact});
  };
  expect([](auto& o) { o.max_length = 0; }, "max_length is 0");
  expect([](auto& o) { o.temperature = 0; }, "temperature is 0");
  expect([](auto& o) { o.temperature = std::nanf(""); }, "temperature");
  expect([](auto& o) { o.top_p = 0; }, "top_p is 0");
  expect([](auto& o) { o.top_p = 1.5f; }, "top_p is 1.5");
  expect([](auto& o) { o.top_k = -1; }, "top_k is -1");
  expect([](auto& o) { o.beam = 0; }, "beam is 0");
  expect([](auto& o) { o.alpha = std::nanf(""); }, "alpha");
  expect([](auto& o) { o.length_k = -1; }, "length_k is -1");
  expect([](auto& o) { o.repetition_penalty = 0; }, "repetition_penalty is 0");
  expect([](auto& o) { o.num_sequences = 2; }, "num_sequences is 2");
  expect([](auto& o) { o.num_sequences = 0; }, "num_sequences is 0");
  expect(
      [](auto& o) {
        o.search = Search::sample;
        o.num_sequences = 65537;
      },
      "num_sequences is 65537");
  expect(
      [](auto& o) {
        o.search = Search::beam;
        o.num_sequences = 5;
      },
      "num_sequences is 5");
  expect(
      [](auto& o) {
        o.search = Search::beam;
        o.beam = 21;
      },
      "beam is 21");
  GenerateOptions stop;
  stop.stop_ids = {20};
  EXPECT_MXINFER_ERROR(generate(generator, {1}, stop), ErrorCode::invalid_argument,
                       {"stop id 20", "0 to 19"});
}

TEST(GeneratorErrors, PromptsThatDoNotFit) {
  EXPECT_MXINFER_ERROR(generate(sums(), {}), ErrorCode::invalid_argument, {"empty", "begin_id"});
  EXPECT_MXINFER_ERROR(generate(sums(), {20}), ErrorCode::invalid_argument, {"token 20", "0 to 19"});
  EXPECT_MXINFER_ERROR(generate(sums(), {-1}), ErrorCode::invalid_argument, {"token -1"});
  const std::vector<Ids> prompts = {{1}, {}};
  EXPECT_MXINFER_ERROR(sums().generate_batch(Span<const Ids>(prompts)), ErrorCode::invalid_argument,
                       {"prompt 1"});
  EXPECT_MXINFER_ERROR(sums().generate_text("a"), ErrorCode::invalid_argument, {"vocabulary", "tokenizer"});
  EXPECT_TRUE(sums().generate_batch({}).empty());
}

TEST(GeneratorErrors, NamesThatAreNotTheModels) {
  const Model model = load_json(test::sum_json());
  const auto expect = [&](const std::function<void(GeneratorOptions&)>& set,
                          const std::vector<std::string>& facts) {
    GeneratorOptions options = sum_options();
    set(options);
    EXPECT_MXINFER_ERROR(SequenceGenerator(model, options), ErrorCode::invalid_argument, facts);
  };
  expect([](auto& o) { o.token_input = "tokan"; }, {"token_input", "'tokan'", "did you mean 'token'"});
  expect([](auto& o) { o.token_input = "total"; }, {"'total'", "two roles"});
  expect([](auto& o) { o.score_output = "x"; }, {"score_output", "'x'", "scores_output"});
  expect([](auto& o) { o.states[0].input = "x"; }, {"states", "'x'"});
  expect([](auto& o) { o.states[0].output = "x"; }, {"states", "'x'"});
  expect([](auto& o) { o.position_input = "x"; }, {"position_input", "'x'"});
  expect([](auto& o) { o.length_input = "x"; }, {"length_input", "'x'"});
  expect([](auto& o) { o.token_layout = "NTC"; }, {"token_layout", "'NTC'"});
  expect([](auto& o) { o.buckets = {4, 4}; }, {"buckets", "rise"});
  expect([](auto& o) { o.buckets = {4}; }, {"buckets", "whole prefix"});
  GenerateOptions options;
  const Tensor one(DType::float32, {1, 1});
  options.inputs = {{"totals", one.view()}};
  EXPECT_MXINFER_ERROR(generate(sums(), {1}, options), ErrorCode::invalid_argument,
                       {"'totals'", "did you mean 'total'"});
}

TEST(GeneratorErrors, StatesInputsAndScoresThatDoNotFit) {
  const SequenceGenerator wide(load_json(test::sum_json(2)), sum_options());
  (void)generate(wide, {1}, of_length(1));  // a state may grow
  GeneratorOptions flat = sum_options();
  flat.states[0].output = "flat_output";
  EXPECT_MXINFER_ERROR(generate(SequenceGenerator(load_json(test::sum_json(0)), flat), {1}),
                       ErrorCode::invalid_argument,
                       {"'flat_output'", "next state 'total'", "(1,)", "(1, 1)"});
  GenerateOptions options;
  const Tensor rows(DType::float32, {2, 1});
  options.inputs = {{"total", rows.view()}};
  EXPECT_MXINFER_ERROR(generate(sums(), {1}, options), ErrorCode::invalid_argument, {"'total'", "to be 1"});
  EXPECT_MXINFER_ERROR(SequenceGenerator(load_json(test::sum_json()), GeneratorOptions{})
                           .generate(Span<const std::int32_t>(Ids{1})),
                       ErrorCode::invalid_argument, {"total", "GenerateOptions::inputs lacks"});
  GeneratorOptions step;
  step.step = StepKind::one_token;
  const SequenceGenerator infinite(load_json(test::next_json("inf")), step);
  EXPECT_MXINFER_ERROR(generate(infinite, {1}), ErrorCode::invalid_argument, {"inf", "token 2"});
}

TEST(GeneratorErrors, AVocabularyOfAnotherSize) {
  GeneratorOptions options = sum_options();
  std::vector<std::string> words;
  for (int i = 0; i < 21; ++i) words.push_back("w" + std::to_string(i));
  options.vocabulary = Vocabulary(words);
  const Model model = load_json(test::sum_json());
  EXPECT_MXINFER_ERROR(SequenceGenerator(model, options), ErrorCode::invalid_argument,
                       {"21 words", "20 tokens"});
  words.resize(18);
  options.vocabulary = Vocabulary(words);
  EXPECT_EQ(SequenceGenerator(model, options).generate_text("w1", of_length(4)).at(0).text, "w1 w2 w4 w8");
  options.end_id = 18;
  EXPECT_MXINFER_ERROR(SequenceGenerator(model, options), ErrorCode::invalid_argument, {"end_id is 18"});
}

TEST(GeneratorErrors, ASequenceAsItComesIsOne) {
  GenerateOptions options;
  options.search = Search::beam;
  EXPECT_MXINFER_ERROR(sums().start(Span<const std::int32_t>(Ids{1}), options), ErrorCode::invalid_argument,
                       {"token by token", "beam"});
  options.search = Search::sample;
  options.num_sequences = 2;
  EXPECT_MXINFER_ERROR(sums().start(Span<const std::int32_t>(Ids{1}), options), ErrorCode::invalid_argument,
                       {"several samples"});
}

}  // namespace
}  // namespace mxinfer
