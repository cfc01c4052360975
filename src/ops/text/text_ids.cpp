// _mxinfer_token_ids, _mxinfer_wordpiece and _mxinfer_sentencepiece: text to ids.
#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "base/text/base64.h"
#include "base/text/keyed_hash.h"
#include "ops/text/text_rows.h"
#include "ops/text/vocabulary_attr.h"
#include "text/tokenize/tokenize.h"

namespace mxinfer::ops {
namespace {

class TokenizerStore {
 public:
  std::shared_ptr<const AppendIds> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = made_.find(key);
    return found == made_.end() ? nullptr : found->second.lock();
  }

  /// The other thread's, if one has come first.
  std::shared_ptr<const AppendIds> add(const std::string& key, std::shared_ptr<const AppendIds> made) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const AppendIds>& entry = made_[key];
    if (auto first = entry.lock()) return first;
    entry = made;
    return made;
  }

  void forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = made_.find(key);
    // Another thread may have put a new one there meanwhile.
    if (found != made_.end() && found->second.expired()) made_.erase(found);
  }

  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return made_.size();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const AppendIds>, KeyedHash> made_;
};

// Never destroyed: plans may live until the process ends.
TokenizerStore& tokenizer_store() {
  static TokenizerStore& store = *new TokenizerStore;
  return store;
}

std::vector<TensorType> infer_ids(const InferContext& context) {
  const TextRows rows = require_texts(context, 0);
  return {{DType::int32, {rows.count, context.attrs.integer("max_length")}}, {DType::int32, {rows.count}}};
}

/// All that a tokenizer is made of.
std::string key_of(const graph::Node& node) {
  std::string key = node.op->name;
  for (const char* name : {"by", "max_word_length", "prefix", "unknown", "vocabulary", "model"}) {
    const auto found = node.raw_attrs.find(name);
    if (found == node.raw_attrs.end()) continue;
    key += concat('\0', name, '=', found->second.size(), ' ');
    key += found->second;
  }
  return key;
}

Vocabulary vocabulary_of(const Attrs& attrs) {
  return parse_vocabulary_attr(attrs.text("vocabulary"), attrs.text("unknown"));
}

AppendIds make_token_ids(const Attrs& attrs) {
  const bool by_character = attrs.choice("by") == "characters";
  text::TokenIds tokens(vocabulary_of(attrs),
                        by_character ? text::Split::characters : text::Split::whitespace);
  return [tokens](std::string_view text, std::vector<std::int32_t>& ids) { tokens.append_ids(text, ids); };
}

AppendIds make_wordpiece(const Attrs& attrs) {
  text::WordPiece pieces(vocabulary_of(attrs), static_cast<int>(attrs.integer("max_word_length")),
                         attrs.text("prefix"));
  return [pieces](std::string_view text, std::vector<std::int32_t>& ids) { pieces.append_ids(text, ids); };
}

AppendIds make_sentencepiece(const Attrs& attrs) {
  const std::string& text = attrs.text("model");
  const std::vector<std::byte> model =
      in_context([] { return std::string("model"); }, [&] { return bytes_of_base64(text); });
  text::SentencePiece pieces{ByteSpan(model)};
  return [pieces](std::string_view row, std::vector<std::int32_t>& ids) { pieces.append_ids(row, ids); };
}

void write_ids(IdSpan ids, std::int32_t* to, std::int64_t width) {
  std::copy_n(ids.begin, ids.length, to);
  std::fill(to + ids.length, to + width, 0);
}

Step lower_ids(LowerContext& context, const char* kernel, AppendIds (*make)(const Attrs& attrs)) {
  const std::shared_ptr<const AppendIds> tokenizer =
      shared_tokenizer(key_of(context.node()), [&] { return make(context.attrs()); });
  const TextRows rows = text_rows(context.input(0));
  const std::int64_t width = context.attrs().integer("max_length");
  const bool cuts_left = context.attrs().choice("truncate_side") == "left";
  Step step{.kernel = concat(kernel, " [ref]")};
  step.reason = "the dictionary is shared by all plans that have the same";
  step.run = [=, node = graph::describe(context.node())](const RunContext& run) {
    for_each_row(node, rows.count, [&](std::int64_t row) {
      std::vector<std::int32_t> ids;
      (*tokenizer)(text_row(rows, run.inputs[0], row), ids);
      const IdSpan kept = cut_ids(ids.data(), static_cast<std::int64_t>(ids.size()), width, cuts_left);
      write_ids(kept, run.output<std::int32_t>(0) + row * width, width);
      run.output<std::int32_t>(1)[row] = static_cast<std::int32_t>(kept.length);
    });
  };
  return step;
}

OpDef ids_op(const char* name, std::vector<AttrSpec> attrs) {
  OpDef op{.name = name, .attrs = std::move(attrs)};
  op.attrs.push_back(max_length_attr());
  op.attrs.push_back(truncate_side_attr());
  op.outputs = named_ports({"ids", "lengths"});
  op.traits.part = ModelPart::column_transforms;
  op.infer = infer_ids;
  return op;
}

std::vector<AttrSpec> with_vocabulary(std::vector<AttrSpec> attrs) {
  attrs.push_back(text_attr("vocabulary", "[]"));
  attrs.push_back(text_attr("unknown", ""));
  return attrs;
}

OpDef token_ids_op() {
  OpDef op = ids_op("_mxinfer_token_ids",
                    with_vocabulary({choice_attr("by", {"whitespace", "characters"}, "whitespace")}));
  op.summary =
      "The token ids of each row of data, split at white space or into characters. data is uint8 (N, bytes): "
      "UTF-8, padded with zero bytes. vocabulary is a JSON list of words, or the output of "
      "gluonnlp.Vocab.to_json(). Other words become the token unknown; without one they are an error. ids "
      "are int32 (N, max_length), padded with 0; lengths int32 (N) gives their number.";
  op.lower = [](LowerContext& context) { return lower_ids(context, "token_ids", make_token_ids); };
  return op;
}

OpDef wordpiece_op() {
  OpDef op =
      ids_op("_mxinfer_wordpiece",
             with_vocabulary({integer_attr("max_word_length", 200).at_least(1).at_most(text::kMostWordLength),
                              text_attr("prefix", "##")}));
  op.summary =
      "_mxinfer_token_ids, but splits each word at white space, and from the left into the longest pieces in "
      "vocabulary; pieces that continue a word begin with prefix. A word that cannot be split, or has more "
      "than max_word_length characters (at most 4096), becomes the token unknown.";
  op.lower = [](LowerContext& context) { return lower_ids(context, "wordpiece", make_wordpiece); };
  return op;
}

OpDef sentencepiece_op() {
  OpDef op = ids_op("_mxinfer_sentencepiece", {text_attr("model", "")});
  op.summary =
      "_mxinfer_token_ids with a SentencePiece model: model is its file as base64. Only in builds with "
      "SentencePiece.";
  op.lower = [](LowerContext& context) { return lower_ids(context, "sentencepiece", make_sentencepiece); };
  return op;
}

}  // namespace

std::shared_ptr<const AppendIds> shared_tokenizer(const std::string& key,
                                                  const std::function<AppendIds()>& make) {
  if (auto known = tokenizer_store().find(key)) return known;
  // Outside of the lock: a large vocabulary takes its time.
  auto owned = std::make_unique<const AppendIds>(make());
  std::shared_ptr<const AppendIds> made(owned.release(), [key](const AppendIds* tokenizer) {
    delete tokenizer;
    tokenizer_store().forget(key);
  });
  return tokenizer_store().add(key, std::move(made));
}

std::size_t shared_tokenizers() {
  return tokenizer_store().size();
}

AttrSpec max_length_attr() {
  return integer_attr("max_length").at_least(1).at_most(kMostTextIds);
}

AttrSpec truncate_side_attr() {
  return choice_attr("truncate_side", {"left", "right"}, "right");
}

IdSpan cut_ids(const std::int32_t* ids, std::int64_t count, std::int64_t most, bool cuts_left) {
  const std::int64_t left = std::min(count, most);
  return {cuts_left ? ids + (count - left) : ids, left};
}

std::vector<OpDef> text_ids_ops() {
  return {token_ids_op(), wordpiece_op(), sentencepiece_op()};
}

}  // namespace mxinfer::ops
