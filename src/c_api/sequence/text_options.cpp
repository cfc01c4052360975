#include "c_api/sequence/text_options.h"

#include <string>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/sequence/make_tokenizer.h"
#include "c_api/sequence/sequence_members.h"
#include "c_api/structs.h"

namespace mxinfer::c_api {
namespace {

Vocabulary vocabulary_of(const mxinfer_text_options& options) {
  VocabularyOptions vocabulary;
  if (options.unknown != nullptr) vocabulary.unknown = options.unknown;
  return Vocabulary::load(options.vocabulary, vocabulary);
}

Tokenizer sentencepiece_of(const mxinfer_text_options& options) {
  if (options.lower != 0 || options.unknown != nullptr) {
    reject(
        "mxinfer_text_options.lower and unknown are not for the tokenizer \"sentencepiece\", whose model "
        "defines both; leave them 0");
  }
  return Tokenizer::sentencepiece(std::string(options.vocabulary));
}

Tokenizer tokenizer_of(const mxinfer_text_options& options) {
  const auto kind =
      static_cast<TokenizerKind>(choice("mxinfer_text_options.tokenizer", options.tokenizer,
                                        {"whitespace", "characters", "basic", "wordpiece", "sentencepiece"}));
  need(options.vocabulary, "mxinfer_text_options.vocabulary");
  if (kind == TokenizerKind::sentencepiece) return sentencepiece_of(options);
  return make_tokenizer(kind, vocabulary_of(options), options.lower, "mxinfer_text_options.lower");
}

/// Members of the tokenizer mean nothing without one.
void check_no_tokenizer(const mxinfer_text_options& options) {
  if (options.vocabulary == nullptr && options.unknown == nullptr && options.lower == 0) return;
  reject(
      "mxinfer_text_options.vocabulary, unknown and lower need a tokenizer, but none is given; set "
      "mxinfer_text_options.tokenizer");
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
  set_sequence_members(result.sequence, given, "mxinfer_text_options");
  return result;
}

}  // namespace mxinfer::c_api
