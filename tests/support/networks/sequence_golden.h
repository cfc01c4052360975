// Small networks of sequences with MXNet's own outputs, in tests/golden/sequences (tests/oracle/sequences.py
// records them): "lstm" is a bucketed model, "tagger" takes valid lengths, "language_model" has states.
#pragma once

#include <mxinfer/tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "formats/arrays/npz.h"

namespace mxinfer::test {

/// How far outputs may be from those of MXNet.
inline constexpr double kSequenceTolerance = 1e-5;

struct SequenceGolden {
  /// Ids of each sequence, and its outputs without a batch.
  std::vector<std::vector<std::int32_t>> sequences;
  std::vector<std::vector<Tensor>> outputs;
  /// A long sequence, and the outputs that are no states; empty if the network has none.
  std::vector<std::int32_t> whole;
  std::vector<Tensor> whole_outputs;
};

inline std::string sequence_model(const std::string& name) {
  return std::string(MXINFER_SOURCE_DIR) + "/tests/golden/sequences/" + name;
}

inline std::vector<std::int32_t> ids_of(const Tensor& array) {
  const auto ids = array.span<std::int32_t>();
  return {ids.begin(), ids.end()};
}

inline SequenceGolden read_sequence_golden(const std::string& name) {
  std::map<std::string, Tensor> arrays;
  for (auto& array : formats::load_npz(sequence_model(name) + ".npz"))
    arrays.emplace(array.name, std::move(array.tensor));
  const auto outputs_of = [&](const std::string& item) {
    std::vector<Tensor> outputs;
    for (std::size_t o = 0;; ++o) {
      const auto found = arrays.find(item + "/output/" + std::to_string(o));
      if (found == arrays.end()) return outputs;
      outputs.push_back(std::move(found->second));
    }
  };
  SequenceGolden golden;
  for (std::size_t i = 0; arrays.count(std::to_string(i) + "/ids") > 0; ++i) {
    golden.sequences.push_back(ids_of(arrays.at(std::to_string(i) + "/ids")));
    golden.outputs.push_back(outputs_of(std::to_string(i)));
  }
  if (arrays.count("pieces/ids") > 0) {
    golden.whole = ids_of(arrays.at("pieces/ids"));
    golden.whole_outputs = outputs_of("pieces");
  }
  return golden;
}

}  // namespace mxinfer::test
