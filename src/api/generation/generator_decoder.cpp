#include "api/generation/generator_decoder.h"

#include "base/fail.h"

namespace mxinfer {
namespace {

[[noreturn]] void reject_text() {
  fail(ErrorCode::invalid_argument,
       "to generate from texts, set GeneratorOptions::vocabulary or tokenizer; or give ids instead of texts");
}

}  // namespace

std::vector<std::int32_t> SequenceGenerator::Decoder::ids(std::string_view text) const {
  if (!has_text()) reject_text();
  if (options.tokenizer) return options.tokenizer->ids(text);
  return Tokenizer::whitespace(options.vocabulary).ids(text);
}

// Skips begin and end, which are not part of the text, and ids without a word, if the network gives more
// scores than the vocabulary has words.
std::string SequenceGenerator::Decoder::text(Span<const std::int32_t> ids) const {
  if (!has_text()) reject_text();
  std::vector<std::int32_t> known;
  for (const std::int32_t id : ids) {
    const bool has_word = id >= 0 && static_cast<std::size_t>(id) < options.vocabulary.size();
    if (has_word && id != options.begin_id && id != options.end_id) known.push_back(id);
  }
  if (options.tokenizer) return options.tokenizer->text(Span<const std::int32_t>(known));
  std::string text;
  for (const std::int32_t id : known) {
    if (!text.empty()) text += ' ';
    text += options.vocabulary.word(id);
  }
  return text;
}

std::vector<std::int32_t> SequenceGenerator::Decoder::prompt(Span<const std::int32_t> ids) const {
  std::vector<std::int32_t> prompt(ids.begin(), ids.end());
  const bool has_begin = options.begin_id && *options.begin_id >= 0;
  if (has_begin && (prompt.empty() || prompt[0] != *options.begin_id))
    prompt.insert(prompt.begin(), *options.begin_id);
  if (prompt.empty()) {
    fail(ErrorCode::invalid_argument,
         "the prompt is empty, and there is no token to begin with; give at least one token, or set "
         "GeneratorOptions::begin_id");
  }
  return prompt;
}

Generated SequenceGenerator::Decoder::generated(const api::Hypothesis& sequence) const {
  Generated result;
  result.ids = sequence.ids;
  if (has_text()) result.text = text(Span<const std::int32_t>(sequence.ids));
  result.score = sequence.score;
  result.log_probability = sequence.log_probability;
  result.finish = sequence.finish.value_or(Finish::length);
  result.end_id = sequence.end_id;
  return result;
}

}  // namespace mxinfer
