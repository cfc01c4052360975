// The only file that uses SentencePiece's library.
#include <sentencepiece_processor.h>

#include <mutex>
#include <utility>

#include "base/fail.h"
#include "text/tokenize/sentencepiece_check.h"
#include "text/tokenize/tokenize.h"
#include "text/unicode/unicode.h"

// The library's log level. Depending on its version it has one of the two functions, and its header may
// declare neither.
namespace sentencepiece {
[[gnu::weak]] void SetMinLogLevel(int level);
namespace logging {
[[gnu::weak]] void SetMinLogLevel(int level);
}  // namespace logging
}  // namespace sentencepiece

namespace mxinfer::text {
namespace {

using sentencepiece::SentencePieceProcessor;
using sentencepiece::util::Status;

// It logs to stderr, such as which normalization it uses. All problems with a model are in its Status too.
void keep_quiet() {
  constexpr int kFatal = 3;
  static std::once_flag done;
  std::call_once(done, [] {
    if (&sentencepiece::logging::SetMinLogLevel != nullptr) sentencepiece::logging::SetMinLogLevel(kFatal);
    if (&sentencepiece::SetMinLogLevel != nullptr) sentencepiece::SetMinLogLevel(kFatal);
  });
}

void require_ok(const Status& status, ErrorCode code, const char* what) {
  if (!status.ok()) fail(code, what, ": ", printable(status.message()));
}

std::vector<std::string> pieces_of(const SentencePieceProcessor& processor) {
  const int count = processor.GetPieceSize();
  std::vector<std::string> pieces;
  pieces.reserve(static_cast<std::size_t>(count));
  for (int id = 0; id < count; ++id) pieces.push_back(processor.IdToPiece(id));
  return pieces;
}

Vocabulary vocabulary_of(const SentencePieceProcessor& processor) {
  const auto piece = [&](int id) {
    return id < 0 ? std::nullopt : std::optional<std::string>(processor.IdToPiece(id));
  };
  VocabularyOptions options;
  options.unknown = piece(processor.unk_id());
  options.padding = piece(processor.pad_id());
  options.begin = piece(processor.bos_id());
  options.end = piece(processor.eos_id());
  try {
    return Vocabulary(pieces_of(processor), options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    fail(ErrorCode::malformed, error.what());
  }
}

}  // namespace

struct SentencePiece::Impl {
  std::string model;
  SentencePieceProcessor processor;
  Vocabulary vocabulary;
  std::size_t most_text_bytes = 0;

  explicit Impl(ByteSpan bytes) : model(bytes.as<char>().data(), bytes.size()) { load(); }
  void load();
  void require_size(std::size_t bytes) const;
  void require_text(std::string_view text) const;
};

void SentencePiece::Impl::load() {
  most_text_bytes = check_sentencepiece_model(model);
  keep_quiet();
  try {
    require_ok(processor.LoadFromSerializedProto(model), ErrorCode::malformed, "it is not loaded");
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& thrown) {
    fail(ErrorCode::malformed, "it is not loaded: ", printable(thrown.what()));
  }
  vocabulary = vocabulary_of(processor);
}

void SentencePiece::Impl::require_size(std::size_t bytes) const {
  if (bytes > most_text_bytes) {
    fail(ErrorCode::invalid_argument, "the text has ", bytes, " bytes; this model takes ", most_text_bytes,
         " at most");
  }
}

void SentencePiece::Impl::require_text(std::string_view text) const {
  require_utf8(text);
  require_size(text.size());
}

SentencePiece::SentencePiece(ByteSpan model)
    : impl_(in_context([] { return "the model of SentencePiece"; },
                       [&] { return std::make_shared<const Impl>(model); })) {}

void SentencePiece::append_ids(std::string_view text, std::vector<std::int32_t>& ids) const {
  impl_->require_text(text);
  std::vector<int> found;
  require_ok(impl_->processor.Encode(text, &found), ErrorCode::invalid_argument,
             "SentencePiece does not cut the text into pieces");
  ids.insert(ids.end(), found.begin(), found.end());
}

std::vector<std::string> SentencePiece::tokens(std::string_view text) const {
  impl_->require_text(text);
  std::vector<std::string> tokens;
  require_ok(impl_->processor.Encode(text, &tokens), ErrorCode::invalid_argument,
             "SentencePiece does not cut the text into pieces");
  return tokens;
}

std::string SentencePiece::text(Span<const std::int32_t> ids) const {
  std::size_t bytes = 0;
  for (const std::int32_t id : ids) bytes += impl_->vocabulary.word(id).size();
  impl_->require_size(bytes);
  std::string text;
  require_ok(impl_->processor.Decode(std::vector<int>(ids.begin(), ids.end()), &text),
             ErrorCode::invalid_argument, "SentencePiece makes no text of the ids");
  return text;
}

const Vocabulary& SentencePiece::vocabulary() const noexcept {
  return impl_->vocabulary;
}

ByteSpan SentencePiece::model() const noexcept {
  return impl_->model;
}

}  // namespace mxinfer::text
