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
