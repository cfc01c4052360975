#include "compose/texts/prepare_texts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/fail.h"
#include "base/text/side_name.h"
#include "compose/texts/text_steps.h"
#include "compose/texts/text_vectors.h"
#include "ops/text/text_rows.h"

namespace mxinfer::api {
namespace {

void check_names(const TextTransform& text) {
  if (text.inputs.empty() || text.inputs.size() > 2) {
    fail(ErrorCode::invalid_argument, "\"inputs\" names ", text.inputs.size(),
         " texts; expected one, or two for pairs");
  }
  std::set<std::string> names(text.inputs.begin(), text.inputs.end());
  if (names.size() < text.inputs.size() || names.count("") > 0)
    fail(ErrorCode::invalid_argument, "the names in \"inputs\" are the same, or one of them is empty");
}

void check_lengths(const TextTransform& text) {
  if (text.max_length < 1 || text.max_length > ops::kMostTextIds) {
    fail(ErrorCode::invalid_argument, "\"max_length\" is ", text.max_length, "; expected 1 to ",
         ops::kMostTextIds);
  }
  std::int64_t last = 0;
  for (const std::int64_t bucket : text.buckets) {
    if (bucket <= last || bucket > text.max_length) {
      fail(ErrorCode::invalid_argument, "\"buckets\" has a length of ", bucket, " after ", last,
           "; expected ascending lengths of at most \"max_length\", ", text.max_length);
    }
    last = bucket;
  }
}

/// Removes the embedding behind the steps to ids and returns the file of its vectors; empty if there is none.
std::string take_embedding(TextTransform& text) {
  const auto found = std::find_if(text.steps.begin(), text.steps.end(),
                                  [](const Transform& step) { return step.op == "embedding"; });
  if (found == text.steps.end()) return {};
  if (found + 1 != text.steps.end())
    fail(ErrorCode::invalid_argument, "step embedding turns ids into vectors, so it must be the last one");
  const auto given = found->attrs.find("vectors");
  if (given == found->attrs.end() || given->second.empty() || found->attrs.size() > 1) {
    fail(ErrorCode::malformed, "step embedding has one attribute, \"vectors\", the path of a file");
  }
  std::string vectors = given->second;
  text.steps.erase(found);
  return vectors;
}

void load_ids_step(Transform& step) {
  for (const char* key : {"max_length", "truncate_side"}) {
    if (step.attrs.count(key) == 0) continue;
    fail(ErrorCode::invalid_argument, "step ", step.op, " has an attribute \"", key,
         "\", which belongs beside \"steps\", not in a step");
  }
  load_files(step);
}

bool has_vocabulary(const Transform& step) {
  return step.op == "sentencepiece" || step.attrs.count("vocabulary") > 0;
}

/// The matrix of an embedding, with a row for each id of the step before it. A step without a vocabulary gets
/// that of the vectors.
void take_vectors(const std::string& uri, Transform& step, PreparedText& prepared) {
  TextVectors vectors = load_text_vectors(uri, prepared.vocabulary);
  prepared.vectors = std::move(vectors.matrix);
  if (has_vocabulary(step)) return;
  step.attrs["vocabulary"] = vectors.words.to_json();
  prepared.vocabulary = vocabulary_of(step);
}

PreparedText prepare(const TextTransform& text) {
  check_names(text);
  check_lengths(text);
  PreparedText prepared{text, {}, {}};
  const std::string vectors = take_embedding(prepared.text);
  std::vector<Transform>& steps = prepared.text.steps;
  if (steps.empty() || !makes_ids(steps.back())) {
    fail(ErrorCode::invalid_argument, "the last of \"steps\" is ",
         steps.empty() ? std::string("missing") : "'" + printable(steps.back().op) + "'",
         "; expected token_ids, wordpiece or sentencepiece, optionally followed by embedding");
  }
  Transform& step = steps.back();
  in_context([&] { return concat("step ", steps.size(), " (", printable(step.op), ")"); },
             [&] {
               load_ids_step(step);
               prepared.vocabulary = vocabulary_of(step);
             });
  if (!vectors.empty()) take_vectors(vectors, step, prepared);
  step.attrs["max_length"] = std::to_string(prepared.text.max_length);
  step.attrs["truncate_side"] = side_name(prepared.text.truncate_side);
  return prepared;
}

}  // namespace

PreparedText prepare_text(const TextTransform& text) {
  return in_context([] { return std::string("texts"); }, [&] { return prepare(text); });
}

}  // namespace mxinfer::api
