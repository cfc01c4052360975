#include "cli/text_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/usage_error.h"
#include "cli/value_checks.h"

namespace mxinfer::cli {
namespace {

constexpr const char* kTextGroup = "How a text becomes the input";
constexpr const char* kBertUnknown = "[UNK]";

std::vector<std::int64_t> parse_buckets(std::string_view text) {
  std::vector<std::int64_t> buckets;
  for (std::string_view rest = text; !text.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    std::int64_t length = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), length);
    const bool rises = length > (buckets.empty() ? 0 : buckets.back());
    if (error != std::errc() || end != word.data() + word.size() || !rises)
      throw UsageError("--buckets wants lengths that rise, such as 16,32,64, got '" + std::string(text) +
                       "'");
    buckets.push_back(length);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return buckets;
}

/// The words of a file. BERT's has no place to say which of them is for unknown words, and all call it the
/// same.
Vocabulary read_vocabulary(const TextInputOptions& options) {
  VocabularyOptions asked;
  if (!options.unknown.empty()) asked.unknown = options.unknown;
  Vocabulary vocabulary = Vocabulary::load(options.vocabulary, asked);
  const bool is_open = options.tokenizer == "wordpiece" && !vocabulary.unknown_id();
  if (!is_open || !vocabulary.find(kBertUnknown)) return vocabulary;
  asked.unknown = kBertUnknown;
  return Vocabulary::load(options.vocabulary, asked);
}

Tokenizer make_tokenizer(const TextInputOptions& options) {
  if (options.tokenizer == "sentencepiece") {
    if (options.lower || !options.unknown.empty()) {
      throw UsageError(std::string(options.lower ? "--lower" : "--unknown") +
                       " is not for --tokenizer sentencepiece, whose model says it");
    }
    return Tokenizer::sentencepiece(options.vocabulary);
  }
  const Vocabulary vocabulary = read_vocabulary(options);
  if (options.tokenizer == "characters") return Tokenizer::characters(vocabulary, options.lower);
  if (options.tokenizer == "basic") return Tokenizer::basic(vocabulary, BasicOptions{options.lower});
  if (options.tokenizer != "wordpiece") return Tokenizer::whitespace(vocabulary, options.lower);
  WordPieceOptions pieces;
  pieces.lower = options.lower;
  return Tokenizer::wordpiece(vocabulary, pieces);
}

/// Options that say nothing of a model that has its tokenizer in its file.
void require_vocabulary(const TextInputOptions& options) {
  const char* given = !options.tokenizer.empty() ? "--tokenizer"
                      : options.lower            ? "--lower"
                      : !options.unknown.empty() ? "--unknown"
                                                 : nullptr;
  if (given != nullptr) throw UsageError(std::string(given) + " wants --vocabulary FILE beside it");
}

std::optional<Side> side_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return name == "left" ? Side::left : Side::right;
}

}  // namespace

void add_text_options(CLI::App& command, TextInputOptions& options) {
  const auto add = [&](const char* name, std::string& to, const char* text, const char* value) {
    return command.add_option(name, to, text)->type_name(value)->group(kTextGroup);
  };
  add("--vocabulary", options.vocabulary,
      "The words of the network, in a file or at an address: GluonNLP's JSON, lines \"word index\", or one "
      "word a line; with --tokenizer sentencepiece the .model file. For models that take ids",
      "FILE");
  one_of(add("--tokenizer", options.tokenizer,
             "What cuts a text into words: whitespace (default), characters, basic and wordpiece (BERT's) or "
             "sentencepiece",
             "NAME"),
         {"whitespace", "characters", "basic", "wordpiece", "sentencepiece"});
  command.add_flag("--lower", options.lower, "Lower-case texts; basic and wordpiece then remove accents too")
      ->group(kTextGroup);
  add("--unknown", options.unknown,
      "The word that stands for all that are not there (default: what FILE says; of wordpiece [UNK])",
      "WORD");
  add("--begin", options.begin, "A word in front of each text, such as [CLS]", "WORD");
  add("--end", options.end, "A word behind each text of a pair or alone, such as [SEP]", "WORD");
  add("--buckets", options.buckets, "Lengths at which texts run, such as 16,32,64: each at the next one",
      "N,N...");
  one_of(add("--pad-side", options.pad_side, "Where the padding stands: right (default) or left", "SIDE"),
         {"left", "right"});
  one_of(add("--truncate-side", options.truncate_side,
             "Which end of a text that is too long is cut off: right (default) or left", "SIDE"),
         {"left", "right"});
  number(command.add_option("--pad-value", options.pad_value,
                            "The id of the padding (default: the vocabulary's, or 0)"),
         0)
      ->type_name("ID")
      ->group(kTextGroup);
  add("--sequence-input", options.sequence_input, "The input that takes ids (default: the first that may)",
      "NAME");
  add("--length-input", options.length_input, "The input that takes how many ids each text has", "NAME");
  add("--segment-input", options.segment_input,
      "The input that takes 0 for ids of the first text and 1 for those of the second", "NAME");
}

TextOptions text_options_of(const TextInputOptions& options) {
  TextOptions text;
  text.sequence.buckets = parse_buckets(options.buckets);
  text.sequence.pad_side = side_of(options.pad_side);
  text.sequence.truncate_side = side_of(options.truncate_side);
  text.sequence.pad_value = options.pad_value;
  text.sequence.sequence_input = options.sequence_input;
  text.sequence.length_input = options.length_input;
  text.begin = options.begin;
  text.end = options.end;
  text.segment_input = options.segment_input;
  if (options.vocabulary.empty()) {
    require_vocabulary(options);
  } else {
    text.tokenizer = make_tokenizer(options);
  }
  return text;
}

}  // namespace mxinfer::cli
