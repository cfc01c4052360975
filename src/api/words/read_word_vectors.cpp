#include "api/words/read_word_vectors.h"

#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/files/mapped_file.h"
#include "base/log.h"
#include "formats/files/word_vector_files.h"
#include "sources/opener.h"

namespace mxinfer::api {
namespace {

constexpr std::int64_t kMostVectorBytes = std::int64_t{64} << 30;

/// The words of the rows: the caller's, or the file's.
Vocabulary vocabulary_of(formats::WordVectorsFile& file, const WordVectorsOptions& options) {
  if (file.words && options.vocabulary) {
    fail(ErrorCode::invalid_argument,
         "a vocabulary is given, but the file has its own words; leave WordVectorsOptions::vocabulary out");
  }
  VocabularyOptions tokens;
  tokens.unknown = options.unknown ? options.unknown : file.unknown;
  if (file.words) return Vocabulary(std::move(*file.words), tokens);
  if (!options.vocabulary) {
    fail(ErrorCode::invalid_argument, "the file has a matrix of ", file.matrix.rows(), " x ",
         file.matrix.columns(), " but no words; give them as WordVectorsOptions::vocabulary");
  }
  if (options.unknown) {
    fail(
        ErrorCode::invalid_argument,
        "WordVectorsOptions::unknown is only for files with words; the vocabulary that is given has its own ",
        "unknown token: VocabularyOptions::unknown");
  }
  return *options.vocabulary;
}

/// The file's words, or those of a vocabulary for files that have none.
Vocabulary vocabulary_with(formats::WordVectorsFile& file, const Vocabulary& for_others) {
  WordVectorsOptions options;
  if (!file.words && for_others.empty()) {
    fail(ErrorCode::invalid_argument, "the file has a matrix of ", file.matrix.rows(), " x ",
         file.matrix.columns(),
         " but no words; give a vocabulary to the step that makes ids: its ids are the rows");
  }
  if (!file.words) options.vocabulary = for_others;
  return vocabulary_of(file, options);
}

/// Nothing to do: the file was removed or replaced meanwhile, but the source still has it.
std::shared_ptr<const MappedFile> map_file(const sources::Source& source) {
  const std::string path = source.path();
  if (path.empty()) return nullptr;
  try {
    auto file = std::make_shared<const MappedFile>(path, printable(source.name()));
    return static_cast<std::int64_t>(file->bytes().size()) == source.size() ? file : nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

/// All bytes of a file: mapped if it is local, otherwise read.
formats::FileBytes file_bytes_of(const sources::Source& source) {
  if (const auto file = map_file(source)) return {file->bytes(), file};
  auto bytes = std::make_shared<const std::vector<std::byte>>(sources::read_bytes(source, kMostVectorBytes));
  return {*bytes, bytes};
}

/// `for_others`: null, or words for files that have none, instead of the options'.
WordVectorParts read_parts(const formats::FileBytes& bytes, const WordVectorsOptions& options,
                           const Vocabulary* for_others) {
  auto arena = word_vector_arena(options.threads);
  formats::WordVectorsFile file;
  arena->execute([&] { file = formats::read_word_vectors(bytes, options.format, options.array); });
  if (file.skipped > 0) {
    log_message(LogLevel::warning, "word vectors: ", file.skipped,
                " words were repeated or not UTF-8, and were left out");
  }
  const Vocabulary vocabulary =
      for_others == nullptr ? vocabulary_of(file, options) : vocabulary_with(file, *for_others);
  return {vocabulary, std::move(file.matrix), std::move(arena), file.skipped};
}

}  // namespace

WordVectorParts::WordVectorParts(const Vocabulary& words, text::WordMatrix numbers,
                                 std::shared_ptr<ThreadArena> threads, std::size_t left_out)
    : vocabulary(words), matrix(std::move(numbers)), arena(std::move(threads)), skipped(left_out) {
  if (vocabulary.size() <= static_cast<std::size_t>(matrix.rows())) return;
  fail(ErrorCode::invalid_argument, "the vocabulary has ", vocabulary.size(), " words, the matrix ",
       matrix.rows(), " rows; each word needs one");
}

std::shared_ptr<ThreadArena> word_vector_arena(int threads) {
  if (threads < 0) fail(ErrorCode::invalid_argument, "threads is ", threads, "; expected 0 or more");
  return std::make_shared<ThreadArena>(threads);
}

WordVectorParts parse_word_vectors(ByteSpan bytes, const WordVectorsOptions& options) {
  return read_parts({bytes.as<std::byte>(), nullptr}, options, nullptr);
}

WordVectorParts load_word_vectors(const std::string& uri, const WordVectorsOptions& options,
                                  const Vocabulary* for_others) {
  const auto source = sources::Opener().open_existing(uri);
  return in_context(
      [&] { return printable(source->name()); },
      [&] {
        const formats::FileBytes bytes = file_bytes_of(*source);
        const formats::FileBytes shown{bytes.bytes, options.read_at_once ? nullptr : bytes.owner};
        return read_parts(shown, options, for_others);
      });
}

}  // namespace mxinfer::api
