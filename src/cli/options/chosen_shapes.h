// The shapes that a command runs a model with, where neither the model nor its user says all of them.
#pragma once

#include <mxinfer/predictor.h>

#include <vector>

namespace mxinfer::cli {

/// Predictor::input_shapes(given), having said on standard error which sizes images were given that the model
/// leaves open and nobody gave.
std::vector<NamedShape> chosen_shapes(const Predictor& predictor, const std::vector<NamedShape>& given);
/// Says it, and nothing if the shapes do not follow: what then runs has the error.
void say_chosen_shapes(const Predictor& predictor, const std::vector<NamedShape>& given);

}  // namespace mxinfer::cli
