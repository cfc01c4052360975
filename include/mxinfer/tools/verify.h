// verify: runs the sample that a model carries, and compares with the outputs stored beside it.
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

/// How far one output of the sample is from what is stored.
struct OutputCheck {
  std::string output;
  std::int64_t elements = 0;
  double largest_difference = 0;
  double allowed = 0;  ///< 1e-4 of the stored output's largest magnitude; 0 for integers
};

/// Floating point numbers may differ by 1e-4 of the stored output's largest magnitude, others not at all. One
/// exception: when an output of meaning `ids` goes with one of meaning `scores`, an id may be another if
/// its score is as close as that to its neighbour's, or is the last of its row, whose next one is not stored.
///
/// Throws Error(not_found) if the model carries no sample, Error(malformed) if an output differs: it
/// names the output, the element, both values and what this may mean; Error(invalid_argument) for a model
/// loaded without its transforms or with other outputs than its own.
MXINFER_API std::vector<OutputCheck> verify_model(const Model& model, const Options& options = {});

}  // namespace MXINFER_ABI
}  // namespace mxinfer
