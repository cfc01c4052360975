// Members that several structs of options of the C interface have, under the same names.
#pragma once

#include <mxinfer/sequence/sequence_options.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "c_api/call.h"
#include "c_api/choice.h"
#include "c_api/sequence/texts.h"

namespace mxinfer::c_api {

// `type` is the name of the struct, for errors.

/// Buckets of the caller.
template <typename Given>
std::vector<std::int64_t> buckets_of(const Given& given, const std::string& type) {
  if (given.bucket_count > 0 && given.buckets == nullptr)
    reject(type + ".buckets is NULL; give as many lengths as bucket_count says");
  return {given.buckets, given.buckets + given.bucket_count};
}

/// Pairs of states of the caller.
template <typename Given>
std::vector<StateNames> states_of(const Given& given, const std::string& type) {
  if (given.state_count > 0 && (given.state_inputs == nullptr || given.state_outputs == nullptr))
    reject(type + ".state_inputs or state_outputs is NULL; give the names of both");
  std::vector<StateNames> states;
  for (std::size_t i = 0; i < given.state_count; ++i) {
    states.push_back({need_text(given.state_inputs[i], "name of state_inputs"),
                      need_text(given.state_outputs[i], "name of state_outputs")});
  }
  return states;
}

inline std::optional<Side> side_or_open(const std::string& member, const char* text) {
  if (text == nullptr) return std::nullopt;
  return choice(member.c_str(), text, {"left", "right"}) == 0 ? Side::left : Side::right;
}

/// What mxinfer_sequence_options and mxinfer_text_options have in common.
template <typename Given>
void set_sequence_members(SequenceOptions& sequence, const Given& given, const std::string& type) {
  sequence.buckets = buckets_of(given, type);
  sequence.pad_side = side_or_open(type + ".pad_side", given.pad_side);
  sequence.truncate_side = side_or_open(type + ".truncate_side", given.truncate_side);
  if (given.pad_value != nullptr) sequence.pad_value = *given.pad_value;
  if (given.too_long != nullptr) {
    sequence.too_long =
        static_cast<TooLong>(choice((type + ".too_long").c_str(), given.too_long, {"truncate", "error"}));
  }
  sequence.sequence_input = text_or_empty(given.sequence_input);
  sequence.length_input = text_or_empty(given.length_input);
  if (given.max_batch != 0) sequence.max_batch = given.max_batch;
}

}  // namespace mxinfer::c_api
