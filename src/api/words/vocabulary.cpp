#include <mxinfer/sequence/vocabulary.h>

#include <string_view>

#include "base/fail.h"
#include "base/text/trim.h"
#include "base/utf8.h"
#include "formats/foreign_file.h"
#include "formats/json/vocabulary_json.h"
#include "sources/opener.h"
#include "text/words/vocabulary_impl.h"
#include "text/words/vocabulary_lines.h"

namespace mxinfer {
namespace {

constexpr std::int64_t kMostVocabularyBytes = std::int64_t{1} << 30;

/// An object with a key: no list of words, one per line, begins like that.
bool looks_like_json(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('{') || !text.ends_with('}')) return false;
  text.remove_prefix(1);
  return trimmed(text).starts_with('"') || trimmed(text) == "}";
}

text::VocabularyParts parts_of(std::string_view text, VocabularyFormat format) {
  switch (format) {
    case VocabularyFormat::gluonnlp_json:
      return formats::read_vocabulary_json(text);
    case VocabularyFormat::word_index:
      return text::read_index_lines(text);
    case VocabularyFormat::words:
      return text::read_word_lines(text);
    case VocabularyFormat::automatic:
      break;
  }
  const std::string foreign = formats::recognize_foreign(text.substr(0, 4096));
  if (!foreign.empty()) fail(ErrorCode::malformed, "this is not a vocabulary but ", foreign);
  return looks_like_json(text) ? formats::read_vocabulary_json(text) : text::read_any_lines(text);
}

text::VocabularyParts read_vocabulary(std::string_view text, VocabularyFormat format) {
  text::VocabularyParts parts = parts_of(without_byte_order_mark(text), format);
  if (parts.words.empty()) {
    fail(ErrorCode::malformed,
         "it has no words; expected GluonNLP's JSON, lines \"word id\", or one word a line");
  }
  return parts;
}

}  // namespace

Vocabulary Vocabulary::parse(ByteSpan bytes, const VocabularyOptions& options) try {
  const std::string_view text(bytes.as<char>().data(), bytes.size());
  Vocabulary vocabulary;
  vocabulary.impl_ =
      std::make_shared<Impl>(read_vocabulary(text, options.format), options, ErrorCode::malformed);
  return vocabulary;
} catch (...) {
  throw_as_error();
}

Vocabulary Vocabulary::load(const std::string& uri, const VocabularyOptions& options) try {
  const auto source = sources::Opener().open_existing(uri);
  const std::string text = sources::read_text(*source, kMostVocabularyBytes);
  return in_context([&] { return printable(source->name()); }, [&] { return parse(text, options); });
} catch (...) {
  throw_as_error();
}

std::string Vocabulary::to_json() const try { return formats::write_vocabulary_json(*impl_); } catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
