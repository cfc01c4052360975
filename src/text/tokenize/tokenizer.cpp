#include <mxinfer/sequence/tokenizer.h>

#include <utility>

#include "base/fail.h"
#include "text/tokenize/tokenizer_impl.h"

namespace mxinfer {
namespace {

using text::Split;
using text::TokenIds;
using text::WordPiece;

bool is_left_out(const Vocabulary& vocabulary, std::int32_t id) {
  return vocabulary.padding_id() == id || vocabulary.begin_id() == id || vocabulary.end_id() == id;
}

// Calls add(word) for each but the special ones.
template <typename Add>
void each_kept_word(const Vocabulary& vocabulary, Span<const std::int32_t> ids, Add&& add) {
  for (const std::int32_t id : ids) {
    const std::string& word = vocabulary.word(id);
    if (!is_left_out(vocabulary, id)) add(std::string_view(word));
  }
}

std::string joined(const TokenIds& cut, Span<const std::int32_t> ids) {
  const char* const between = cut.split() == Split::characters ? "" : " ";
  std::string text;
  bool first = true;
  each_kept_word(cut.vocabulary(), ids, [&](std::string_view word) {
    if (!first) text += between;
    first = false;
    text += word;
  });
  return text;
}

std::string joined(const WordPiece& cut, Span<const std::int32_t> ids) {
  const std::string& prefix = cut.prefix();
  std::string text;
  each_kept_word(cut.vocabulary(), ids, [&](std::string_view word) {
    const bool goes_on = !text.empty() && word.substr(0, prefix.size()) == prefix;
    if (goes_on) {
      word.remove_prefix(prefix.size());
    } else if (!text.empty()) {
      text += ' ';
    }
    text += word;
  });
  return text;
}

std::string joined(const text::SentencePiece& cut, Span<const std::int32_t> ids) {
  return cut.text(ids);
}

}  // namespace

std::string Tokenizer::Impl::prepare(std::string_view text) const {
  if (basic) return text::basic_tokenize(text, lower);
  return lower ? text::lower(text) : std::string(text);
}

const Vocabulary& Tokenizer::Impl::vocabulary() const noexcept {
  return std::visit([](const auto& one) -> const Vocabulary& { return one.vocabulary(); }, cut);
}

Tokenizer::Tokenizer(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(const Tokenizer&) noexcept = default;
Tokenizer& Tokenizer::operator=(const Tokenizer&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::whitespace(const Vocabulary& vocabulary, bool lower) try {
  return Tokenizer(std::make_shared<const Impl>(Impl{false, lower, TokenIds(vocabulary, Split::whitespace)}));
} catch (...) {
  throw_as_error();
}

Tokenizer Tokenizer::characters(const Vocabulary& vocabulary, bool lower) try {
  return Tokenizer(std::make_shared<const Impl>(Impl{false, lower, TokenIds(vocabulary, Split::characters)}));
} catch (...) {
  throw_as_error();
}

Tokenizer Tokenizer::basic(const Vocabulary& vocabulary, const BasicOptions& options) try {
  return Tokenizer(
      std::make_shared<const Impl>(Impl{true, options.lower, TokenIds(vocabulary, Split::whitespace)}));
} catch (...) {
  throw_as_error();
}

Tokenizer Tokenizer::wordpiece(const Vocabulary& vocabulary, const WordPieceOptions& options) try {
  WordPiece cut(vocabulary, options.max_word_length, options.prefix);
  return Tokenizer(std::make_shared<const Impl>(Impl{options.basic, options.lower, std::move(cut)}));
} catch (...) {
  throw_as_error();
}

Tokenizer Tokenizer::sentencepiece(ByteSpan model) try {
  return Tokenizer(std::make_shared<const Impl>(Impl{false, false, text::SentencePiece(model)}));
} catch (...) {
  throw_as_error();
}

std::vector<std::string> Tokenizer::tokens(std::string_view text) const try {
  const std::string prepared = impl_->prepare(text);
  return std::visit([&](const auto& cut) { return cut.tokens(prepared); }, impl_->cut);
} catch (...) {
  throw_as_error();
}

std::vector<std::int32_t> Tokenizer::ids(std::string_view text) const try {
  const std::string prepared = impl_->prepare(text);
  std::vector<std::int32_t> ids;
  std::visit([&](const auto& cut) { cut.append_ids(prepared, ids); }, impl_->cut);
  return ids;
} catch (...) {
  throw_as_error();
}

std::string Tokenizer::text(Span<const std::int32_t> ids) const try {
  return std::visit([&](const auto& cut) { return joined(cut, ids); }, impl_->cut);
} catch (...) {
  throw_as_error();
}

const Vocabulary& Tokenizer::vocabulary() const noexcept {
  return impl_->vocabulary();
}

}  // namespace mxinfer
