#include "cli/inputs/word_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "cli/options/value_checks.h"
#include "cli/output/usage_error.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

const std::map<std::string, VocabularyFormat>& vocabulary_formats() {
  static const auto& formats =
      *new std::map<std::string, VocabularyFormat>{{"gluonnlp", VocabularyFormat::gluonnlp_json},
                                                   {"word-index", VocabularyFormat::word_index},
                                                   {"words", VocabularyFormat::words}};
  return formats;
}

const std::map<std::string, WordVectorsFormat>& vectors_formats() {
  static const auto& formats =
      *new std::map<std::string, WordVectorsFormat>{{"text", WordVectorsFormat::text},
                                                    {"word2vec", WordVectorsFormat::word2vec},
                                                    {"npz", WordVectorsFormat::npz},
                                                    {"npy", WordVectorsFormat::npy},
                                                    {"params", WordVectorsFormat::params}};
  return formats;
}

std::string beginning_of_file(const std::string& place) {
  const auto source = sources::Opener().open_existing(place);
  constexpr std::int64_t kBytes = 65'536;
  std::string text(static_cast<std::size_t>(std::min(kBytes, source->size())), '\0');
  source->read(0, text.data(), text.size());
  return text;
}

std::optional<std::string> given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

/// has_vectors(), unless the options decide.
bool are_vectors(const WordFileOptions& options) {
  if (!options.format.empty()) return vectors_formats().count(options.format) > 0;
  if (!options.vocabulary.empty() || !options.array.empty()) return true;
  return has_vectors(beginning_of_file(options.file));
}

WordVectors read_word_vectors_file(const WordFileOptions& options) {
  WordVectorsOptions how;
  if (!options.format.empty()) how.format = vectors_formats().at(options.format);
  VocabularyOptions words;
  words.unknown = given(options.unknown);
  if (!options.vocabulary.empty()) {
    how.vocabulary = Vocabulary::load(options.vocabulary, words);
  } else {
    how.unknown = words.unknown;
  }
  how.array = options.array;
  how.threads = options.threads;
  return WordVectors::load(options.file, how);
}

Vocabulary read_vocabulary_file(const WordFileOptions& options) {
  VocabularyOptions how;
  if (!options.format.empty()) how.format = vocabulary_formats().at(options.format);
  how.unknown = given(options.unknown);
  return Vocabulary::load(options.file, how);
}

std::vector<std::string> fields_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> fields;
  for (std::string field; stream >> field;) fields.push_back(field);
  return fields;
}

bool is_number(const std::string& text) {
  std::istringstream stream(text);
  double value = 0;
  return stream >> value && stream.eof();
}

}  // namespace

void add_word_file_options(CLI::App& command, WordFileOptions& options) {
  std::vector<std::string> formats;
  for (const auto& [name, format] : vocabulary_formats()) formats.push_back(name);
  for (const auto& [name, format] : vectors_formats()) formats.push_back(name);
  one_of(command.add_option(
             "--format", options.format,
             "Format of FILE: gluonnlp, word-index or words for vocabularies; text, word2vec, npz, npy or "
             "params for word vectors (default: detected from its contents)"),
         formats)
      ->type_name("NAME");
  command
      .add_option("--vocabulary", options.vocabulary,
                  "Read the words from this file, for a matrix without words (.npy, .params)")
      ->type_name("FILE");
  command
      .add_option("--array", options.array, "Read this array of a .params file, such as embedding0_weight")
      ->type_name("NAME");
  command.add_option("--unknown", options.unknown, "Token that stands for unknown words")->type_name("WORD");
  whole_number(
      command.add_option("-t,--threads", options.threads, "Number of threads (default 0: all cores)"), 0)
      ->type_name("N");
}

bool has_vectors(std::string_view beginning) {
  const bool binary = std::any_of(beginning.begin(), beginning.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
  if (binary) return true;
  std::istringstream lines{std::string(beginning)};
  // The first line may hold the number of words and of dimensions.
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  const std::vector<std::string> fields = fields_of(second.empty() ? first : second);
  if (fields.size() < 2 || !std::all_of(fields.begin() + 1, fields.end(), is_number)) return false;
  return fields.size() > 2 || fields[1].find_first_not_of("-0123456789") != std::string::npos;
}

WordFile read_word_file(const WordFileOptions& options, bool vectors) {
  const bool vectors_said = vectors_formats().count(options.format) > 0;
  if (vectors && !options.format.empty() && !vectors_said) {
    throw UsageError("--format " + options.format +
                     " is for vocabularies, which have no vectors to compare: pass word vectors");
  }
  if (!vectors && !are_vectors(options)) return {read_vocabulary_file(options), std::nullopt};
  WordVectors read = read_word_vectors_file(options);
  return {read.vocabulary(), read};
}

}  // namespace mxinfer::cli
