#include "compose/texts/text_steps.h"

#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/text/base64.h"
#include "ops/text/text_rows.h"
#include "ops/text/vocabulary_attr.h"
#include "sources/opener.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer::api {
namespace {

using graph::Attrs;
using graph::AttrSpec;
using NodeAttrs = std::map<std::string, std::string>;

bool starts_with_base64(std::string_view text) {
  return text.starts_with(kBase64);
}

/// Precondition: starts_with_base64(text).
std::string_view behind_base64(std::string_view text) {
  return text.substr(std::string_view(kBase64).size());
}

/// A list or an object, not a path.
bool is_json_text(std::string_view text) {
  return !text.empty() && (text[0] == '[' || text[0] == '{');
}

std::vector<AttrSpec> with_lengths(std::vector<AttrSpec> attrs) {
  attrs.push_back(ops::max_length_attr());
  attrs.push_back(ops::truncate_side_attr());
  return attrs;
}

std::vector<AttrSpec> with_words(std::vector<AttrSpec> attrs) {
  attrs.push_back(graph::text_attr("vocabulary", ""));
  attrs.push_back(graph::text_attr("unknown", ""));
  return with_lengths(std::move(attrs));
}

NodeAttrs ids_attrs(const Attrs& attrs) {
  return {{"max_length", std::to_string(attrs.integer("max_length"))},
          {"truncate_side", attrs.choice("truncate_side")}};
}

Vocabulary words_of_step(const std::string& text, const std::string& unknown) {
  if (text.empty()) {
    fail(ErrorCode::invalid_argument,
         "vocabulary is missing; expected the path of a file, a list of words, or what "
         "gluonnlp.Vocab.to_json() "
         "writes");
  }
  return ops::parse_vocabulary_attr(text, unknown);
}

NodeAttrs ids_attrs_with_words(const Attrs& attrs) {
  const Vocabulary vocabulary = words_of_step(attrs.text("vocabulary"), attrs.text("unknown"));
  NodeAttrs node = ids_attrs(attrs);
  node["vocabulary"] = ops::vocabulary_attr(vocabulary);
  const std::string unknown = ops::unknown_token(vocabulary);
  if (!unknown.empty()) node["unknown"] = unknown;
  return node;
}

std::string text_at(const Transform& step, const char* key) {
  const auto found = step.attrs.find(key);
  return found == step.attrs.end() ? std::string() : found->second;
}

void load_vocabulary(Transform& step) {
  const std::string text = text_at(step, "vocabulary");
  if (text.empty() || is_json_text(text)) return;
  VocabularyOptions options;
  const std::string unknown = text_at(step, "unknown");
  if (!unknown.empty()) options.unknown = unknown;
  step.attrs["vocabulary"] = Vocabulary::load(text, options).to_json();
}

void load_model(Transform& step) {
  const std::string text = text_at(step, "model");
  if (text.empty() || starts_with_base64(text)) return;
  const std::string model = sources::read_text(*sources::Opener().open_existing(text));
  step.attrs["model"] = kBase64 + to_base64(ByteSpan(model).as<std::byte>());
}

}  // namespace

void lower_text(const Attrs&, Chain& chain) {
  chain.append("_mxinfer_lower_text", {});
}

std::vector<AttrSpec> basic_tokenize_attrs() {
  return {graph::flag_attr("lower", true)};
}
void basic_tokenize(const Attrs& attrs, Chain& chain) {
  chain.append("_mxinfer_basic_tokenize", {{"lower", attrs.flag("lower") ? "True" : "False"}});
}

std::vector<AttrSpec> token_ids_attrs() {
  return with_words({graph::choice_attr("by", {"whitespace", "characters"}, "whitespace")});
}
void token_ids(const Attrs& attrs, Chain& chain) {
  NodeAttrs node = ids_attrs_with_words(attrs);
  node["by"] = attrs.choice("by");
  chain.append("_mxinfer_token_ids", std::move(node));
}

std::vector<AttrSpec> wordpiece_attrs() {
  return with_words({graph::integer_attr("max_word_length", 200).at_least(1).at_most(text::kMostWordLength),
                     graph::text_attr("prefix", "##")});
}
void wordpiece(const Attrs& attrs, Chain& chain) {
  NodeAttrs node = ids_attrs_with_words(attrs);
  if (node.count("unknown") == 0) {
    fail(ErrorCode::invalid_argument,
         "the vocabulary has no unknown token, which stands for words that cannot be cut into its pieces; "
         "name one in \"unknown\"");
  }
  node["max_word_length"] = std::to_string(attrs.integer("max_word_length"));
  node["prefix"] = attrs.text("prefix");
  chain.append("_mxinfer_wordpiece", std::move(node));
}

std::vector<AttrSpec> sentencepiece_attrs() {
  return with_lengths({graph::text_attr("model", "")});
}
void sentencepiece(const Attrs& attrs, Chain& chain) {
  const std::string& model = attrs.text("model");
  if (!starts_with_base64(model))
    fail(ErrorCode::invalid_argument, "model is missing; expected the path of a .model file");
  NodeAttrs node = ids_attrs(attrs);
  node["model"] = behind_base64(model);
  chain.append("_mxinfer_sentencepiece", std::move(node));
}

bool makes_ids(const Transform& step) {
  return step.op == "token_ids" || step.op == "wordpiece" || step.op == "sentencepiece";
}

void load_files(Transform& step) {
  if (step.op == "sentencepiece") {
    load_model(step);
  } else if (makes_ids(step)) {
    load_vocabulary(step);
  }
}

Vocabulary vocabulary_of(const Transform& step) {
  if (step.op != "sentencepiece") {
    const std::string text = text_at(step, "vocabulary");
    return text.empty() ? Vocabulary() : ops::parse_vocabulary_attr(text, text_at(step, "unknown"));
  }
  const std::string model = text_at(step, "model");
  if (!starts_with_base64(model)) return {};
  const std::vector<std::byte> bytes = bytes_of_base64(behind_base64(model));
  return text::SentencePiece(ByteSpan(bytes)).vocabulary();
}

}  // namespace mxinfer::api
