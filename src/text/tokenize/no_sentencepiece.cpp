// Replaces sentencepiece.cpp in a build without its library.
#include "base/fail.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer::text {

struct SentencePiece::Impl {
  Vocabulary vocabulary;
};

// The only way to create an object.
SentencePiece::SentencePiece(ByteSpan) {
  fail(ErrorCode::unsupported,
       "a model of SentencePiece: this mxinfer was built without its library (MXINFER_SENTENCEPIECE=OFF)");
}

void SentencePiece::append_ids(std::string_view, std::vector<std::int32_t>&) const {}

std::vector<std::string> SentencePiece::tokens(std::string_view) const {
  return {};
}

std::string SentencePiece::text(Span<const std::int32_t>) const {
  return {};
}

const Vocabulary& SentencePiece::vocabulary() const noexcept {
  return impl_->vocabulary;
}

ByteSpan SentencePiece::model() const noexcept {
  return {};
}

}  // namespace mxinfer::text
