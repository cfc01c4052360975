#include <mxinfer_c/tokenizer.h>

#include <string>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/sequence/handles.h"
#include "c_api/sequence/make_tokenizer.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

Tokenizer c_api::make_tokenizer(TokenizerKind kind, const Vocabulary& vocabulary, std::int32_t lower,
                                const char* member, WordPieceOptions wordpiece) {
  if (lower < -1 || lower > 1) {
    reject(std::string(member) + " is " + std::to_string(lower) +
           "; it can be 1 (yes), -1 (no) or 0 (as the tokenizer does)");
  }
  const bool lowers = lower == 1, lowers_unless_told = lower != -1;
  switch (kind) {
    case TokenizerKind::whitespace:
      return Tokenizer::whitespace(vocabulary, lowers);
    case TokenizerKind::characters:
      return Tokenizer::characters(vocabulary, lowers);
    case TokenizerKind::basic: {
      BasicOptions basic;
      basic.lower = lowers_unless_told;
      return Tokenizer::basic(vocabulary, basic);
    }
    case TokenizerKind::wordpiece:
    case TokenizerKind::sentencepiece:  // the caller's business
      break;
  }
  wordpiece.lower = lowers_unless_told;
  return Tokenizer::wordpiece(vocabulary, wordpiece);
}

namespace {

WordPieceOptions wordpiece_options_of(const mxinfer_tokenizer_options& given) {
  WordPieceOptions result;
  result.basic = given.whitespace_words == 0;
  if (given.max_word_length != 0) result.max_word_length = given.max_word_length;
  if (given.prefix != nullptr) result.prefix = given.prefix;
  return result;
}

}  // namespace

mxinfer_status mxinfer_tokenizer_create(const char* kind, const mxinfer_vocabulary* vocabulary,
                                        const mxinfer_tokenizer_options* options, mxinfer_tokenizer** out) {
  return give(out, [&] {
    const auto as = static_cast<TokenizerKind>(choice("the kind of a tokenizer", need_text(kind, "kind"),
                                                      {"whitespace", "characters", "basic", "wordpiece"}));
    const mxinfer_tokenizer_options given =
        options == nullptr ? mxinfer_tokenizer_options{} : read_struct(*options);
    const bool of_wordpiece =
        given.whitespace_words != 0 || given.max_word_length != 0 || given.prefix != nullptr;
    if (of_wordpiece && as != TokenizerKind::wordpiece) {
      reject(
          "mxinfer_tokenizer_options.whitespace_words, max_word_length and prefix are for \"wordpiece\"; "
          "leave "
          "them 0");
    }
    return new mxinfer_tokenizer(
        make_tokenizer(as, vocabulary == nullptr ? Vocabulary() : vocabulary->vocabulary, given.lower,
                       "mxinfer_tokenizer_options.lower", wordpiece_options_of(given)));
  });
}

mxinfer_status mxinfer_tokenizer_sentencepiece(const char* uri, mxinfer_tokenizer** out) {
  return give(out, [&] {
    return new mxinfer_tokenizer(Tokenizer::sentencepiece(std::string(need_text(uri, "uri"))));
  });
}

mxinfer_status mxinfer_tokenizer_sentencepiece_bytes(const void* model, size_t bytes,
                                                     mxinfer_tokenizer** out) {
  return give(out, [&] {
    return new mxinfer_tokenizer(Tokenizer::sentencepiece(need_bytes(model, bytes, "model")));
  });
}

void mxinfer_tokenizer_free(mxinfer_tokenizer* tokenizer) {
  delete tokenizer;
}

mxinfer_status mxinfer_tokenizer_tokens(const mxinfer_tokenizer* tokenizer, const char* text,
                                        mxinfer_texts** out) {
  return give(out, [&] {
    const Tokenizer& self = need(tokenizer, "tokenizer").tokenizer;
    return new mxinfer_texts{self.tokens(need_text(text, "text"))};
  });
}

mxinfer_status mxinfer_tokenizer_ids(const mxinfer_tokenizer* tokenizer, const char* text,
                                     mxinfer_ids** out) {
  return give(out, [&] {
    const Tokenizer& self = need(tokenizer, "tokenizer").tokenizer;
    return new mxinfer_ids{self.ids(need_text(text, "text"))};
  });
}

mxinfer_status mxinfer_tokenizer_text(const mxinfer_tokenizer* tokenizer, const int32_t* ids, size_t count,
                                      char** out) {
  return give(out, [&] {
    return copy_text(need(tokenizer, "tokenizer").tokenizer.text(need_span(ids, count, "ids")));
  });
}

const mxinfer_vocabulary* mxinfer_tokenizer_vocabulary(const mxinfer_tokenizer* tokenizer) {
  return tokenizer == nullptr ? nullptr : &tokenizer->vocabulary;
}
