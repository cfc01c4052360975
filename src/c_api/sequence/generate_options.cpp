#include "c_api/sequence/generate_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/sequence/handles.h"
#include "c_api/sequence/sequence_members.h"
#include "c_api/structs.h"
#include "c_api/views.h"

namespace mxinfer::c_api {
namespace {

constexpr const char* kGeneratorType = "mxinfer_generator_options";
constexpr const char* kStepKinds[] = {"automatic", "one_token", "whole_prefix"};
constexpr const char* kScoreKinds[] = {"automatic", "logits", "log_probabilities", "probabilities"};

template <typename Number>
void set_if_given(Number& to, Number given) {
  if (given != 0) to = given;
}

}  // namespace

GeneratorOptions generator_options_of(const mxinfer_generator_options* about, const Settings& settings) {
  GeneratorOptions result;
  result.options = settings.options();
  if (about == nullptr) return result;
  const mxinfer_generator_options given = read_struct(*about);
  result.token_input = text_or_empty(given.token_input);
  result.token_layout = text_or_empty(given.token_layout);
  result.step =
      static_cast<StepKind>(choice_or_first("mxinfer_generator_options.step", given.step, kStepKinds));
  result.score_output = text_or_empty(given.score_output);
  result.scores =
      static_cast<ScoreKind>(choice_or_first("mxinfer_generator_options.scores", given.scores, kScoreKinds));
  result.states = states_of(given, kGeneratorType);
  result.position_input = text_or_empty(given.position_input);
  result.length_input = text_or_empty(given.length_input);
  result.buckets = buckets_of(given, kGeneratorType);
  result.pad_value = given.pad_value;
  if (given.vocabulary != nullptr) result.vocabulary = given.vocabulary->vocabulary;
  if (given.tokenizer != nullptr) result.tokenizer = given.tokenizer->tokenizer;
  if (given.begin_id != nullptr) result.begin_id = *given.begin_id;
  if (given.end_id != nullptr) result.end_id = *given.end_id;
  return result;
}

GenerateOptions generate_options_of(const mxinfer_generate_options* options) {
  GenerateOptions result;
  if (options == nullptr) return result;
  const mxinfer_generate_options given = read_struct(*options);
  result.search = static_cast<Search>(
      choice_or_first("mxinfer_generate_options.search", given.search, {"greedy", "beam", "sample"}));
  set_if_given(result.max_length, given.max_length);
  set_if_given(result.num_sequences, given.num_sequences);
  const Span<const std::int32_t> stop_ids =
      need_span(given.stop_ids, given.stop_id_count, "options.stop_ids");
  result.stop_ids.assign(stop_ids.begin(), stop_ids.end());
  if (given.stop != nullptr) {
    result.stop = [stop = given.stop, user = given.user](Span<const std::int32_t> ids) {
      return stop(user, ids.data(), ids.size()) != 0;
    };
  }
  set_if_given(result.beam, given.beam);
  if (given.alpha != nullptr) result.alpha = *given.alpha;
  if (given.length_k != nullptr) result.length_k = *given.length_k;
  set_if_given(result.temperature, given.temperature);
  result.top_k = given.top_k;
  set_if_given(result.top_p, given.top_p);
  result.seed = given.seed;
  set_if_given(result.repetition_penalty, given.repetition_penalty);
  result.inputs = named_views(given.inputs, given.input_count, "options.inputs");
  return result;
}

mxinfer_generator_options found_options(const mxinfer_sequence_generator& generator) {
  const GeneratorOptions& found = generator.generator.found();
  mxinfer_generator_options result{};
  result.token_input = found.token_input.c_str();
  result.token_layout = found.token_layout.c_str();
  result.step = kStepKinds[static_cast<std::size_t>(found.step)];
  result.score_output = found.score_output.c_str();
  result.scores = kScoreKinds[static_cast<std::size_t>(found.scores)];
  result.state_inputs = generator.state_inputs.data();
  result.state_outputs = generator.state_outputs.data();
  result.state_count = generator.state_inputs.size();
  result.position_input = found.position_input.c_str();
  result.length_input = found.length_input.c_str();
  result.buckets = found.buckets.data();
  result.bucket_count = found.buckets.size();
  result.pad_value = found.pad_value;
  result.vocabulary = &generator.vocabulary;
  result.tokenizer = generator.tokenizer ? &*generator.tokenizer : nullptr;
  result.begin_id = &generator.begin_id;
  result.end_id = &generator.end_id;
  return result;
}

}  // namespace mxinfer::c_api
