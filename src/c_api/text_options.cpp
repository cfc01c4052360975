#include "c_api/text_options.h"

#include <string>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/structs.h"

namespace mxinfer::c_api {
namespace {

enum class TokenizerKind { whitespace, characters, basic, wordpiece, sentencepiece };

std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : text;
}

Vocabulary vocabulary_of(const mxinfer_text_options& options) {
  VocabularyOptions vocabulary;
  if (options.unknown != nullptr) vocabulary.unknown = options.unknown;
  return Vocabulary::load(options.vocabulary, vocabulary);
}

Tokenizer sentencepiece_of(const mxinfer_text_options& options) {
  if (options.lower != 0 || options.unknown != nullptr) {
    reject(
        "mxinfer_text_options.lower and unknown are not for the tokenizer \"sentencepiece\", whose model "
        "says "
        "both; leave them 0");
  }
  return Tokenizer::sentencepiece(std::string(options.vocabulary));
}

Tokenizer tokenizer_of(const mxinfer_text_options& options) {
  const auto kind =
      static_cast<TokenizerKind>(choice("mxinfer_text_options.tokenizer", options.tokenizer,
                                        {"whitespace", "characters", "basic", "wordpiece", "sentencepiece"}));
  need(options.vocabulary, "mxinfer_text_options.vocabulary");
  if (options.lower < -1 || options.lower > 1) {
    reject("mxinfer_text_options.lower is " + std::to_string(options.lower) +
           "; it can be 1 (yes), -1 (no) or 0 (as the tokenizer does)");
  }
  const bool lower = options.lower == 1, lower_unless_told = options.lower != -1;
  switch (kind) {
    case TokenizerKind::sentencepiece:
      return sentencepiece_of(options);
    case TokenizerKind::whitespace:
      return Tokenizer::whitespace(vocabulary_of(options), lower);
    case TokenizerKind::characters:
      return Tokenizer::characters(vocabulary_of(options), lower);
    case TokenizerKind::basic: {
      BasicOptions basic;
      basic.lower = lower_unless_told;
      return Tokenizer::basic(vocabulary_of(options), basic);
    }
    case TokenizerKind::wordpiece:
      break;
  }
  WordPieceOptions wordpiece;
  wordpiece.lower = lower_unless_told;
  return Tokenizer::wordpiece(vocabulary_of(options), wordpiece);
}

/// Members of the tokenizer mean nothing without one.
void check_no_tokenizer(const mxinfer_text_options& options) {
  if (options.vocabulary == nullptr && options.unknown == nullptr && options.lower == 0) return;
  reject(
      "mxinfer_text_options.vocabulary, unknown and lower are those of a tokenizer, and there is none; set "
      "mxinfer_text_options.tokenizer");
}

std::optional<Side> side_of(const char* member, const char* text) {
  if (text == nullptr) return std::nullopt;
  return choice(member, text, {"left", "right"}) == 0 ? Side::left : Side::right;
}

void set_sequence(SequenceOptions& sequence, const mxinfer_text_options& options) {
  if (options.bucket_count > 0) {
    need(options.buckets, "mxinfer_text_options.buckets");
    sequence.buckets.assign(options.buckets, options.buckets + options.bucket_count);
  }
  sequence.pad_side = side_of("mxinfer_text_options.pad_side", options.pad_side);
  sequence.truncate_side = side_of("mxinfer_text_options.truncate_side", options.truncate_side);
  if (options.pad_value != nullptr) sequence.pad_value = *options.pad_value;
  if (options.too_long != nullptr) {
    sequence.too_long = choice("mxinfer_text_options.too_long", options.too_long, {"truncate", "error"}) == 0
                            ? TooLong::truncate
                            : TooLong::error;
  }
  sequence.sequence_input = text_or_empty(options.sequence_input);
  sequence.length_input = text_or_empty(options.length_input);
  if (options.max_batch != 0) sequence.max_batch = options.max_batch;
}

}  // namespace

TextOptions text_options_of(const mxinfer_text_options* options, const Settings& settings) {
  const ClassifierOptions scores = settings.classifier_options();
  TextOptions result;
  result.activation = scores.activation;
  result.min_score = scores.min_score;
  result.sequence.options = scores.options;
  if (options == nullptr) return result;
  const mxinfer_text_options given = read_struct(*options);
  if (given.tokenizer != nullptr) {
    result.tokenizer = tokenizer_of(given);
  } else {
    check_no_tokenizer(given);
  }
  result.begin = text_or_empty(given.begin);
  result.end = text_or_empty(given.end);
  result.segment_input = text_or_empty(given.segment_input);
  set_sequence(result.sequence, given);
  return result;
}

}  // namespace mxinfer::c_api
