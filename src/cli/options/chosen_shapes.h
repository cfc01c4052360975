// The shapes with which a command runs a model, if neither the model nor the user fixes all of them.
#pragma once

#include <mxinfer/predictor.h>

#include <vector>

namespace mxinfer::cli {

/// Predictor::input_shapes(given). For images whose size neither the model nor `given` fixes, it prints a
/// note with the chosen size on standard error.
std::vector<NamedShape> chosen_shapes(const Predictor& predictor, const std::vector<NamedShape>& given);
/// Prints that note only. It ignores shapes that cannot be determined: running the model reports the error.
void say_chosen_shapes(const Predictor& predictor, const std::vector<NamedShape>& given);

}  // namespace mxinfer::cli
