// verify: runs the sample that a model carries and compares the results with the stored outputs.
//
//   for (const auto& check : mxinfer::verify_model(mxinfer::Model::load("resnet18_end_to_end"))) {
//     std::cout << check.output << ' ' << check.largest_difference << " of " << check.allowed << '\n';
//   }
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How far one output is from the stored one.
struct OutputCheck {
  std::string output;
  std::int64_t elements = 0;
  double largest_difference = 0;
  /// 1e-4 of the largest magnitude of the stored output; 2e-2 of it if the model is quantized; 0 for integers
  double allowed = 0;
};

/// Runs the sample and returns a check for each output. Floating-point numbers may differ by 1e-4 of the
/// largest magnitude of the stored output, and other numbers not at all. For a model that quantize_model made
/// it is 2e-2, because a value between two steps of 8 bits may be rounded to either.
///
/// There is one exception, if an output of meaning `ids` belongs to one of meaning `scores`. An id may differ
/// if its score is that close to a neighbour's. It may also differ if it is the last of its row, because the
/// next score is not stored.
///
/// Throws Error(not_found) if the model carries no sample. Throws Error(malformed) if an output differs; the
/// message names the output, the element, both values and likely causes. Throws Error(invalid_argument) if
/// the model was loaded without its transforms or with other outputs.
MXINFER_API std::vector<OutputCheck> verify_model(const Model& model, const Options& options = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer
