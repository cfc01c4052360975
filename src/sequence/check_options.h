// Checks the options of all sequence classes against the network.
//
//   const std::size_t input = index_named(inputs, name, "SequenceOptions::length_input", "input", network);
#pragma once

#include <mxinfer/signature.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::api {

/// The descriptor that an option names; `side` is "input" or "output". Error(invalid_argument) if there is
/// none.
std::size_t index_named(const std::vector<DataDesc>& descs, const std::string& name, const char* option,
                        const char* side, const std::string& network);

/// Throws Error(invalid_argument) unless the lengths are 1 or more and ascending.
void check_buckets(const std::vector<std::int64_t>& buckets, const char* option);

/// Throws Error(invalid_argument) for a padding that the dtype of `input` cannot hold, or that is outside the
/// `rows` of the Embedding that reads it.
void check_pad_value(double value, const DataDesc& input, std::optional<std::int64_t> rows,
                     const char* option, const std::string& network);

}  // namespace mxinfer::api
