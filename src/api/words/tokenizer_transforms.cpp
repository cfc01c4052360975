// Tokenizer::transforms: a tokenizer as steps of a graph.
#include <mxinfer/sequence/tokenizer.h>

#include "base/fail.h"
#include "base/text/base64.h"
#include "text/tokenize/tokenizer_impl.h"

namespace mxinfer {
namespace {

Transform step_of(const text::TokenIds& cut) {
  if (cut.vocabulary().empty()) {
    fail(ErrorCode::invalid_argument,
         "the tokenizer has no vocabulary, so it cannot give the ids that a graph needs; create it with one");
  }
  return {"token_ids",
          {{"vocabulary", cut.vocabulary().to_json()},
           {"by", cut.split() == text::Split::characters ? "characters" : "whitespace"}}};
}

Transform step_of(const text::WordPiece& cut) {
  return {"wordpiece",
          {{"vocabulary", cut.vocabulary().to_json()},
           {"max_word_length", std::to_string(cut.max_word_length())},
           {"prefix", cut.prefix()}}};
}

Transform step_of(const text::SentencePiece& cut) {
  return {"sentencepiece", {{"model", "base64:" + to_base64(cut.model().as<std::byte>())}}};
}

}  // namespace

std::vector<Transform> Tokenizer::transforms() const try {
  std::vector<Transform> steps;
  if (impl_->basic) {
    steps.push_back({"basic_tokenize", {{"lower", impl_->lower ? "True" : "False"}}});
  } else if (impl_->lower) {
    steps.push_back({"lower"});
  }
  steps.push_back(std::visit([](const auto& cut) { return step_of(cut); }, impl_->cut));
  return steps;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
