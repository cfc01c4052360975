#include "sequence/sequence_options.h"

#include <optional>
#include <string>

#include "org_mxinfer_Native.h"
#include "support.h"
#include "values.h"

namespace mxinfer::jni {
namespace {

std::optional<Side> side_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return *text == "left" ? Side::left : Side::right;
}

}  // namespace

SequenceOptions sequence_options(JNIEnv* env, const SequenceLists& lists) {
  SequenceOptions options;
  options.buckets = to_int64s(env, lists.buckets);
  options.pad_side = side_of(text_at(env, lists.texts, org_mxinfer_Native_PAD_SIDE));
  options.truncate_side = side_of(text_at(env, lists.texts, org_mxinfer_Native_TRUNCATE_SIDE));
  const std::vector<double> pad_value = to_doubles(env, lists.pad_value);
  if (!pad_value.empty()) options.pad_value = pad_value[0];
  if (const auto too_long = text_at(env, lists.texts, org_mxinfer_Native_TOO_LONG))
    options.too_long = *too_long == "error" ? TooLong::error : TooLong::truncate;
  options.sequence_input = text_at(env, lists.texts, org_mxinfer_Native_SEQUENCE_INPUT).value_or("");
  options.length_input = text_at(env, lists.texts, org_mxinfer_Native_LENGTH_INPUT).value_or("");
  if (lists.max_batch != 0) options.max_batch = lists.max_batch;
  return options;
}

std::vector<StateNames> to_states(JNIEnv* env, jobjectArray names) {
  const std::vector<std::string> texts = to_strings(env, names);
  std::vector<StateNames> states;
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) states.push_back({texts[i], texts[i + 1]});
  return states;
}

}  // namespace mxinfer::jni
