// Generators through the C interface: models/sentences, and networks whose tokens are known, beside C++.
#include <mxinfer/sequence/generator.h>

#include <string>
#include <vector>

#include "c_api/c_api_support.h"
#include "support/networks/generator_models.h"

namespace mxinfer_c_tests {
namespace {

const std::string kSentences = MXINFER_SOURCE_DIR "/models/sentences";

void expect_same_sequence(const mxinfer_generated_sequence& found, const mxinfer::Generated& expected) {
  EXPECT_EQ(std::vector<std::int32_t>(found.ids, found.ids + found.id_count), expected.ids);
  EXPECT_EQ(found.text, expected.text);
  EXPECT_EQ(found.score, expected.score);
  EXPECT_EQ(found.log_probability, expected.log_probability);
  EXPECT_EQ(found.end_id, expected.end_id.value_or(-1));
  const char* const names[] = {"end", "length", "stopped"};
  EXPECT_STREQ(found.finish, names[static_cast<int>(expected.finish)]);
}

void expect_same_sequences(const Generated& found, std::size_t prompt,
                           const std::vector<mxinfer::Generated>& expected) {
  ASSERT_EQ(mxinfer_generated_count(found.get(), prompt), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    auto sequence = sized<mxinfer_generated_sequence>();
    ASSERT_C_OK(mxinfer_generated_get(found.get(), prompt, i, &sequence));
    expect_same_sequence(sequence, expected[i]);
  }
}

class CSentences : public testing::Test {
 protected:
  CSentences() {
    EXPECT_C_OK(mxinfer_vocabulary_load((kSentences + "/vocab.json").c_str(), nullptr, Out(vocabulary_)));
    auto about = sized<mxinfer_generator_options>();
    about.vocabulary = vocabulary_.get();
    EXPECT_C_OK(mxinfer_sequence_generator_open(kSentences.c_str(), &about, nullptr, Out(generator_)));
  }
  static mxinfer::GeneratorOptions same_options() {
    mxinfer::GeneratorOptions options;
    options.vocabulary = mxinfer::Vocabulary::load(kSentences + "/vocab.json");
    return options;
  }

  mxinfer::SequenceGenerator beside_{kSentences, same_options()};
  Vocabulary vocabulary_;
  Generator generator_;
};

TEST_F(CSentences, AreThoseOfCpp) {
  Generated found;
  ASSERT_C_OK(mxinfer_sequence_generator_generate_text(generator_.get(), "the cat", nullptr, Out(found)));
  EXPECT_EQ(mxinfer_generated_prompts(found.get()), 1U);
  expect_same_sequences(found, 0, beside_.generate_text("the cat"));

  auto beam = sized<mxinfer_generate_options>();
  const float alpha = 0.5F, length_k = 3;
  beam.search = "beam";
  beam.beam = 3;
  beam.num_sequences = 2;
  beam.max_length = 12;
  beam.alpha = &alpha;
  beam.length_k = &length_k;
  mxinfer::GenerateOptions same_beam;
  same_beam.search = mxinfer::Search::beam;
  same_beam.beam = 3;
  same_beam.num_sequences = 2;
  same_beam.max_length = 12;
  same_beam.alpha = alpha;
  same_beam.length_k = length_k;
  const std::vector<std::int32_t> prompt = {4, 10};
  ASSERT_C_OK(mxinfer_sequence_generator_generate_ids(generator_.get(), prompt.data(), prompt.size(), &beam,
                                                      Out(found)));
  expect_same_sequences(found, 0, beside_.generate(mxinfer::Span<const std::int32_t>(prompt), same_beam));

  auto sample = sized<mxinfer_generate_options>();
  sample.search = "sample";
  sample.num_sequences = 3;
  sample.temperature = 0.7F;
  sample.top_k = 8;
  sample.top_p = 0.9F;
  sample.seed = 11;
  sample.repetition_penalty = 1.2F;
  mxinfer::GenerateOptions same_sample;
  same_sample.search = mxinfer::Search::sample;
  same_sample.num_sequences = 3;
  same_sample.temperature = 0.7F;
  same_sample.top_k = 8;
  same_sample.top_p = 0.9F;
  same_sample.seed = 11;
  same_sample.repetition_penalty = 1.2F;
  const char* const prompts[] = {"the old dog", "a bird"};
  ASSERT_C_OK(mxinfer_sequence_generator_generate_texts(generator_.get(), prompts, 2, &sample, Out(found)));
  const std::vector<std::string> texts = {"the old dog", "a bird"};
  const auto expected = beside_.generate_texts(texts, same_sample);
  ASSERT_EQ(mxinfer_generated_prompts(found.get()), 2U);
  for (std::size_t i = 0; i < 2; ++i) expect_same_sequences(found, i, expected[i]);

  mxinfer_id_list lists[] = {sized<mxinfer_id_list>(), sized<mxinfer_id_list>()};
  lists[0].ids = lists[1].ids = prompt.data();
  lists[0].count = 2;
  lists[1].count = 1;
  ASSERT_C_OK(mxinfer_sequence_generator_generate_ids_list(generator_.get(), lists, 2, nullptr, Out(found)));
  expect_same_sequences(found, 0, beside_.generate(mxinfer::Span<const std::int32_t>(prompt)));
  expect_same_sequences(found, 1, beside_.generate(mxinfer::Span<const std::int32_t>(prompt.data(), 1)));
}

TEST_F(CSentences, ComeTokenByToken) {
  const mxinfer::Generated expected = beside_.generate_text("the cat").at(0);
  const std::vector<std::int32_t> prompt = beside_.ids("the cat");
  for (const bool of_text : {true, false}) {
    Generation generation;
    if (of_text) {
      ASSERT_C_OK(
          mxinfer_sequence_generator_start_text(generator_.get(), "the cat", nullptr, Out(generation)));
    } else {
      ASSERT_C_OK(mxinfer_sequence_generator_start_ids(generator_.get(), prompt.data(), prompt.size(),
                                                       nullptr, Out(generation)));
    }
    std::vector<std::int32_t> ids;
    std::string text;
    std::int32_t id = 0;
    while (mxinfer_generation_next(generation.get(), &id) == MXINFER_OK && id >= 0) {
      ids.push_back(id);
      text += mxinfer_generation_piece(generation.get());
    }
    EXPECT_EQ(id, -1);
    EXPECT_EQ(ids, expected.ids);
    mxinfer::Generation same = beside_.start_text("the cat");
    std::string same_text;
    while (same.next()) same_text += same.piece();
    EXPECT_EQ(text, same_text);
    auto result = sized<mxinfer_generated_sequence>();
    ASSERT_C_OK(mxinfer_generation_result(generation.get(), &result));
    expect_same_sequence(result, same.result());
  }
  auto beam = sized<mxinfer_generate_options>();
  beam.search = "beam";
  Generation none;
  EXPECT_C_ERROR(mxinfer_sequence_generator_start_text(generator_.get(), "the cat", &beam, Out(none)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  EXPECT_STREQ(mxinfer_generation_piece(nullptr), "");
}

TEST_F(CSentences, AreStoppedByIdsAndByTheProgram) {
  auto options = sized<mxinfer_generate_options>();
  int calls = 0;
  options.user = &calls;
  options.stop = [](void* user, const std::int32_t* ids, size_t count) -> std::int32_t {
    ++*static_cast<int*>(user);
    return count >= 2 && ids[0] >= 0 ? 1 : 0;
  };
  Generated found;
  ASSERT_C_OK(mxinfer_sequence_generator_generate_text(generator_.get(), "the", &options, Out(found)));
  auto sequence = sized<mxinfer_generated_sequence>();
  ASSERT_C_OK(mxinfer_generated_get(found.get(), 0, 0, &sequence));
  EXPECT_STREQ(sequence.finish, "stopped");
  EXPECT_EQ(sequence.id_count, 2U);
  EXPECT_EQ(calls, 2);

  options = sized<mxinfer_generate_options>();
  const std::int32_t stop_id = beside_.generate_text("the").at(0).ids.at(1);
  options.stop_ids = &stop_id;
  options.stop_id_count = 1;
  ASSERT_C_OK(mxinfer_sequence_generator_generate_text(generator_.get(), "the", &options, Out(found)));
  ASSERT_C_OK(mxinfer_generated_get(found.get(), 0, 0, &sequence));
  EXPECT_STREQ(sequence.finish, "end");
  EXPECT_EQ(sequence.end_id, stop_id);
}

TEST_F(CSentences, GiveIdsTextsAndWhatWasFound) {
  Ids ids;
  ASSERT_C_OK(mxinfer_sequence_generator_ids(generator_.get(), "the cat", Out(ids)));
  EXPECT_EQ(ids_of(ids), beside_.ids("the cat"));
  Text text;
  ASSERT_C_OK(mxinfer_sequence_generator_text(generator_.get(), mxinfer_ids_data(ids.get()),
                                              mxinfer_ids_count(ids.get()), Out(text)));
  EXPECT_STREQ(text.get(), "the cat");
  vocabulary_.reset();  // the generator has its own handle
  EXPECT_EQ(mxinfer_vocabulary_size(mxinfer_sequence_generator_vocabulary(generator_.get())), 25U);
  EXPECT_NE(mxinfer_sequence_generator_predictor(generator_.get()), nullptr);

  auto found = sized<mxinfer_generator_options>();
  ASSERT_C_OK(mxinfer_sequence_generator_found(generator_.get(), &found));
  const mxinfer::GeneratorOptions& same = beside_.found();
  EXPECT_EQ(found.token_input, same.token_input);
  EXPECT_EQ(found.token_layout, same.token_layout);
  EXPECT_STREQ(found.step, "one_token");
  EXPECT_EQ(found.score_output, same.score_output);
  EXPECT_STREQ(found.scores, "logits");
  ASSERT_EQ(found.state_count, same.states.size());
  for (std::size_t i = 0; i < found.state_count; ++i) {
    EXPECT_EQ(found.state_inputs[i], same.states[i].input);
    EXPECT_EQ(found.state_outputs[i], same.states[i].output);
  }
  EXPECT_EQ(*found.begin_id, same.begin_id.value_or(-1));
  EXPECT_EQ(*found.end_id, same.end_id.value_or(-1));
  EXPECT_EQ(mxinfer_vocabulary_size(found.vocabulary), 25U);
  EXPECT_EQ(found.tokenizer, nullptr);

  // What was found makes the same generator.
  Model model;
  ASSERT_C_OK(mxinfer_model_load(kSentences.c_str(), nullptr, Out(model)));
  Generator again;
  ASSERT_C_OK(mxinfer_sequence_generator_create(model.get(), &found, nullptr, Out(again)));
  Generated generated;
  ASSERT_C_OK(mxinfer_sequence_generator_generate_text(again.get(), "the cat", nullptr, Out(generated)));
  expect_same_sequences(generated, 0, beside_.generate_text("the cat"));
}

TEST_F(CSentences, TellWhatIsWrong) {
  Generated found;
  auto options = sized<mxinfer_generate_options>();
  options.search = "best";
  EXPECT_C_ERROR(mxinfer_sequence_generator_generate_text(generator_.get(), "the", &options, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "best", "sample");
  options = sized<mxinfer_generate_options>();
  options.max_length = -3;
  EXPECT_C_ERROR(mxinfer_sequence_generator_generate_text(generator_.get(), "the", &options, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "max_length");
  options = sized<mxinfer_generate_options>();
  options.stop_id_count = 1;
  EXPECT_C_ERROR(mxinfer_sequence_generator_generate_text(generator_.get(), "the", &options, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "options.stop_ids");
  const std::int32_t beyond = 99;
  EXPECT_C_ERROR(mxinfer_sequence_generator_generate_ids(generator_.get(), &beyond, 1, nullptr, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "99");
  EXPECT_C_ERROR(mxinfer_sequence_generator_generate_texts(generator_.get(), nullptr, 1, nullptr, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "prompts");
  EXPECT_EQ(found, nullptr);
  auto sequence = sized<mxinfer_generated_sequence>();
  EXPECT_C_ERROR(mxinfer_generated_get(nullptr, 0, 0, &sequence), MXINFER_INVALID_ARGUMENT, "generated");
  ASSERT_C_OK(mxinfer_sequence_generator_generate_text(generator_.get(), "the", nullptr, Out(found)));
  EXPECT_C_ERROR(mxinfer_generated_get(found.get(), 0, 1, &sequence), MXINFER_INVALID_ARGUMENT, "sequence 1");
  EXPECT_C_ERROR(mxinfer_generated_get(found.get(), 1, 0, &sequence), MXINFER_INVALID_ARGUMENT, "prompt 1");

  Generator none;
  auto about = sized<mxinfer_generator_options>();
  about.step = "two_tokens";
  EXPECT_C_ERROR(mxinfer_sequence_generator_open(kSentences.c_str(), &about, nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "two_tokens", "whole_prefix");
  about = sized<mxinfer_generator_options>();
  about.token_input = "nothing";
  EXPECT_C_ERROR(mxinfer_sequence_generator_open(kSentences.c_str(), &about, nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "nothing");
  about = sized<mxinfer_generator_options>();
  about.bucket_count = 2;
  EXPECT_C_ERROR(mxinfer_sequence_generator_open(kSentences.c_str(), &about, nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT, "mxinfer_generator_options.buckets");
  EXPECT_EQ(none, nullptr);
}

TEST(CGenerator, TakesTokenizersIdsAndStates) {
  // The next token is the sum of all before, and of the state that is given.
  const Model model = model_of(mxinfer::test::sum_json());
  const char* const states[] = {"total"};
  const char* const next[] = {"next_output"};
  const std::int32_t none = -1, begin = 1;
  auto about = sized<mxinfer_generator_options>();
  about.token_input = "token";
  about.scores = "logits";
  about.state_inputs = states;
  about.state_outputs = next;
  about.state_count = 1;
  about.begin_id = &begin;
  about.end_id = &none;
  Tokenizer tokenizer;
  Vocabulary vocabulary;
  const char* const words[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  ASSERT_C_OK(mxinfer_vocabulary_create(words, 10, nullptr, Out(vocabulary)));
  ASSERT_C_OK(mxinfer_tokenizer_create("characters", vocabulary.get(), nullptr, Out(tokenizer)));
  about.tokenizer = tokenizer.get();
  Generator generator;
  ASSERT_C_OK(mxinfer_sequence_generator_create(model.get(), &about, nullptr, Out(generator)));
  auto found = sized<mxinfer_generator_options>();
  ASSERT_C_OK(mxinfer_sequence_generator_found(generator.get(), &found));
  EXPECT_NE(found.tokenizer, nullptr);
  EXPECT_EQ(*found.begin_id, 1);
  EXPECT_EQ(*found.end_id, -1);

  auto options = sized<mxinfer_generate_options>();
  options.max_length = 3;
  Generated generated;
  ASSERT_C_OK(mxinfer_sequence_generator_generate_ids(generator.get(), nullptr, 0, &options, Out(generated)));
  auto sequence = sized<mxinfer_generated_sequence>();
  ASSERT_C_OK(mxinfer_generated_get(generated.get(), 0, 0, &sequence));
  EXPECT_EQ(std::vector<std::int32_t>(sequence.ids, sequence.ids + sequence.id_count),
            (std::vector<std::int32_t>{1, 2, 4}));
  EXPECT_STREQ(sequence.finish, "length");
  EXPECT_STREQ(sequence.text, "24");  // without the begin token

  const std::vector<float> total = {2};
  const std::vector<std::int64_t> shape = {1, 1};
  const mxinfer_tensor given = tensor_of(total.data(), shape, "total");
  options.inputs = &given;
  options.input_count = 1;
  options.max_length = 2;
  ASSERT_C_OK(mxinfer_sequence_generator_generate_ids(generator.get(), nullptr, 0, &options, Out(generated)));
  ASSERT_C_OK(mxinfer_generated_get(generated.get(), 0, 0, &sequence));
  EXPECT_EQ(sequence.ids[0], 3);
  const mxinfer_tensor unnamed = tensor_of(total.data(), shape);
  options.inputs = &unnamed;
  EXPECT_C_ERROR(
      mxinfer_sequence_generator_generate_ids(generator.get(), nullptr, 0, &options, Out(generated)),
      MXINFER_INVALID_ARGUMENT, "options.inputs", "name");
}

}  // namespace
}  // namespace mxinfer_c_tests
