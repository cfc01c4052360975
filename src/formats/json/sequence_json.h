// The key "sequence" of a signature: the inputs of the network that a sequence goes into, and its padding.
//
//   if (file.sequence) for (std::int64_t length : file.sequence->buckets) ...
//
// docs/reference/signature-format.md describes it. Names are those of the network's inputs, without the texts
// in front of them.
#pragma once

#include <mxinfer/sequence/sequence_options.h>
#include <mxinfer/signature.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer::formats {

/// Empty members are not written.
struct FileSequence {
  std::string ids{};                    ///< takes the sequence
  std::string length{};                 ///< takes how long each is
  std::string segments{};               ///< takes 0 or 1 for each of its tokens
  std::vector<std::int64_t> buckets{};  ///< rising, from 1 on
  std::optional<double> pad_value{};
  std::optional<Side> pad_side{};
  std::optional<TooLong> too_long{};
  std::optional<Side> truncate_side{};
};

/// Throws Error(malformed) naming the key, what it holds and what was expected. Keys that are not known are
/// passed over.
FileSequence read_sequence(const nlohmann::json& object);
/// The JSON text; Error(malformed) for what read_sequence rejects.
std::string sequence_text(const FileSequence& sequence);

/// Throws Error(malformed) for a name that no descriptor has.
void require_inputs(const FileSequence& sequence, const std::vector<DataDesc>& inputs);

}  // namespace mxinfer::formats
