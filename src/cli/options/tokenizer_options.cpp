#include "cli/options/tokenizer_options.h"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <vector>

#include "cli/options/value_checks.h"
#include "cli/output/output.h"
#include "cli/output/usage_error.h"
#include "sources/opener.h"

namespace mxinfer::cli {
namespace {

constexpr const char* kBertUnknown = "[UNK]";
/// The limit of Vocabulary::load().
constexpr std::int64_t kMostTokenizerBytes = std::int64_t{1} << 30;

/// BERT's vocabulary files cannot name their unknown token; by convention it is [UNK].
Vocabulary parse_vocabulary(const TokenizerOptions& options, ByteSpan bytes) {
  VocabularyOptions asked;
  if (!options.unknown.empty()) asked.unknown = options.unknown;
  Vocabulary vocabulary = Vocabulary::parse(bytes, asked);
  const bool is_open = options.tokenizer == "wordpiece" && !vocabulary.unknown_id();
  if (!is_open || !vocabulary.find(kBertUnknown)) return vocabulary;
  asked.unknown = kBertUnknown;
  return Vocabulary::parse(bytes, asked);
}

Tokenizer parse_tokenizer(const TokenizerOptions& options, ByteSpan bytes) {
  if (options.tokenizer == "sentencepiece") return Tokenizer::sentencepiece(bytes);
  const Vocabulary vocabulary = parse_vocabulary(options, bytes);
  if (options.tokenizer == "characters") return Tokenizer::characters(vocabulary, options.lower);
  if (options.tokenizer == "basic") return Tokenizer::basic(vocabulary, BasicOptions{options.lower});
  if (options.tokenizer != "wordpiece") return Tokenizer::whitespace(vocabulary, options.lower);
  WordPieceOptions pieces;
  pieces.lower = options.lower;
  return Tokenizer::wordpiece(vocabulary, pieces);
}

/// Without --vocabulary the tokenizer is that of the model's file, to which these options do not apply.
void require_vocabulary(const TokenizerOptions& options) {
  const char* given = !options.tokenizer.empty() ? "--tokenizer"
                      : options.lower            ? "--lower"
                      : !options.unknown.empty() ? "--unknown"
                                                 : nullptr;
  if (given != nullptr) throw UsageError(std::string(given) + " requires --vocabulary FILE");
}

void check_sentencepiece(const TokenizerOptions& options) {
  if (options.tokenizer != "sentencepiece" || (!options.lower && options.unknown.empty())) return;
  throw UsageError(
      std::string(options.lower ? "--lower" : "--unknown") +
      " cannot be used with --tokenizer sentencepiece, whose .model file determines it: leave it out");
}

}  // namespace

void add_tokenizer_options(CLI::App& command, TokenizerOptions& options) {
  const auto add = [&](const char* name, std::string& to, const char* text, const char* value) {
    return command.add_option(name, to, text)->type_name(value)->group(kTextGroup);
  };
  add("--vocabulary", options.vocabulary,
      "Read the network's vocabulary from a file or address: GluonNLP JSON, lines \"word index\", or one "
      "word per line; with --tokenizer sentencepiece, the .model file",
      "FILE");
  one_of(
      add("--tokenizer", options.tokenizer,
          "How to split texts into tokens: whitespace (default), characters, basic or wordpiece (both as in "
          "BERT), or sentencepiece",
          "NAME"),
      {"whitespace", "characters", "basic", "wordpiece", "sentencepiece"});
  command
      .add_flag("--lower", options.lower,
                "Convert texts to lower case; basic and wordpiece also remove accents")
      ->group(kTextGroup);
  add("--unknown", options.unknown,
      "Token that stands for unknown words (default: the one that FILE names; [UNK] for wordpiece)", "WORD");
}

std::optional<Tokenizer> tokenizer_of(const TokenizerOptions& options, const LoadOptions& load) {
  if (options.vocabulary.empty()) {
    require_vocabulary(options);
    return std::nullopt;
  }
  check_sentencepiece(options);
  const sources::Opener opener(load);
  const auto source = opener.open_existing(options.vocabulary);
  const std::vector<std::byte> bytes = sources::read_bytes(*source, kMostTokenizerBytes);
  try {
    return parse_tokenizer(options, ByteSpan(bytes));
  } catch (const Error& error) {
    throw Error(error.code(), clean(source->name()) + " \u203a " + error.what());
  }
}

}  // namespace mxinfer::cli
