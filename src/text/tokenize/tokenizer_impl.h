// The implementation of Tokenizer: the normalization of a text, and the split into tokens.
#pragma once

#include <mxinfer/sequence/tokenizer.h>

#include <string>
#include <string_view>
#include <variant>

#include "text/tokenize/tokenize.h"

namespace mxinfer {
inline namespace MXINFER_ABI {

struct __attribute__((visibility("hidden"))) Tokenizer::Impl {
  bool basic = false;  ///< BERT's basic tokenizer goes first
  bool lower = false;  ///< of the basic tokenizer, or in its place
  std::variant<text::TokenIds, text::WordPiece, text::SentencePiece> cut;

  [[nodiscard]] std::string prepare(std::string_view text) const;
  [[nodiscard]] const Vocabulary& vocabulary() const noexcept;
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
