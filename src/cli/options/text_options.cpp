#include "cli/options/text_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/number_list.h"
#include "cli/options/value_checks.h"

namespace mxinfer::cli {
namespace {

std::optional<Side> side_of(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return name == "left" ? Side::left : Side::right;
}

}  // namespace

void add_text_options(CLI::App& command, TextInputOptions& options) {
  add_tokenizer_options(command, options);
  const auto add = [&](const char* name, std::string& to, const char* text, const char* value) {
    return command.add_option(name, to, text)->type_name(value)->group(kTextGroup);
  };
  add("--begin", options.begin, "Token placed before each text or pair, such as [CLS]", "WORD");
  add("--end", options.end, "Token placed after each text, in pairs after both, such as [SEP]", "WORD");
  add("--buckets", options.buckets,
      "Ascending lengths, such as 16,32,64: each text is padded to the next one", "N,N...");
  one_of(add("--pad-side", options.pad_side, "Side of the padding: right (default) or left", "SIDE"),
         {"left", "right"});
  one_of(add("--truncate-side", options.truncate_side,
             "Side at which a text that is too long is cut: right (default) or left", "SIDE"),
         {"left", "right"});
  number(command.add_option("--pad-value", options.pad_value,
                            "Id of the padding token (default: the vocabulary's, or 0)"),
         0)
      ->type_name("ID")
      ->group(kTextGroup);
  add("--sequence-input", options.sequence_input, "Input that takes the ids (default: the first that can)",
      "NAME");
  add("--length-input", options.length_input, "Input that takes the number of ids of each text", "NAME");
  add("--segment-input", options.segment_input,
      "Input that takes 0 for each id of the first text and 1 for each id of the second", "NAME");
}

TextOptions text_options_of(const TextInputOptions& options, const LoadOptions& load) {
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
  text.tokenizer = tokenizer_of(options, load);
  return text;
}

}  // namespace mxinfer::cli
