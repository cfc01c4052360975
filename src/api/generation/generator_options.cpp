#include "api/generation/generator_options.h"

#include <cmath>

#include "base/fail.h"

namespace mxinfer::api {
namespace {

// Each is a row of the batch with its own tokens.
constexpr int kMostSequences = 65536;

template <typename T>
void require(bool is_right, const char* option, T given, const char* expected) {
  if (is_right) return;
  fail(ErrorCode::invalid_argument, "GenerateOptions::", option, " is ", given, "; expected ", expected);
}

void check_sequences(const GenerateOptions& options) {
  const int count = options.num_sequences;
  require(count >= 1 && count <= kMostSequences, "num_sequences", count, "1 to 65536");
  if (options.search == Search::greedy)
    require(count == 1, "num_sequences", count, "1, because a greedy search finds one sequence");
  if (options.search == Search::beam && count > options.beam) {
    fail(ErrorCode::invalid_argument, "GenerateOptions::num_sequences is ", count,
         "; expected at most GenerateOptions::beam, ", options.beam);
  }
}

}  // namespace

void check_generate_options(const GenerateOptions& options) {
  require(options.max_length >= 1, "max_length", options.max_length, "1 or more");
  require(options.beam >= 1, "beam", options.beam, "1 to the size of the vocabulary");
  require(std::isfinite(options.alpha), "alpha", options.alpha, "a number");
  require(std::isfinite(options.length_k) && options.length_k >= 0, "length_k", options.length_k,
          "a number of 0 or more");
  require(std::isfinite(options.temperature) && options.temperature > 0, "temperature", options.temperature,
          "a number above 0");
  require(options.top_k >= 0, "top_k", options.top_k, "0, for all, or more");
  require(options.top_p > 0 && options.top_p <= 1, "top_p", options.top_p, "a number above 0 and at most 1");
  require(std::isfinite(options.repetition_penalty) && options.repetition_penalty > 0, "repetition_penalty",
          options.repetition_penalty, "a number above 0");
  check_sequences(options);
}

void check_words(const Vocabulary& vocabulary, std::size_t scores) {
  if (vocabulary.size() <= scores) return;
  fail(ErrorCode::invalid_argument, "the vocabulary has ", vocabulary.size(),
       " words, but the network gives scores of ", scores,
       " tokens; expected a vocabulary with at most as many words (GeneratorOptions::vocabulary)");
}

GeneratorOptions with_vocabulary(GeneratorOptions options) {
  if (options.vocabulary.empty() && options.tokenizer) options.vocabulary = options.tokenizer->vocabulary();
  if (!options.begin_id) options.begin_id = options.vocabulary.begin_id();
  if (!options.end_id) options.end_id = options.vocabulary.end_id();
  const auto check = [&](const std::optional<std::int32_t>& id, const char* name) {
    if (!id || *id < 0 || options.vocabulary.empty()) return;
    if (static_cast<std::size_t>(*id) < options.vocabulary.size()) return;
    fail(ErrorCode::invalid_argument, "GeneratorOptions::", name, " is ", *id,
         "; the vocabulary has the ids 0 to ", static_cast<std::int64_t>(options.vocabulary.size()) - 1);
  };
  check(options.begin_id, "begin_id");
  check(options.end_id, "end_id");
  return options;
}

}  // namespace mxinfer::api
