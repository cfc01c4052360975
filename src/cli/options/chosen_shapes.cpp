#include "cli/options/chosen_shapes.h"

#include <algorithm>
#include <string>

#include "cli/output/output.h"

namespace mxinfer::cli {
namespace {

bool has_name(const std::vector<NamedShape>& shapes, const std::string& name) {
  return std::any_of(shapes.begin(), shapes.end(),
                     [&](const NamedShape& shape) { return shape.first == name; });
}

/// Whether the input is an image of open size that the model does not resize itself.
bool leaves_size_open(const DataDesc& input) {
  if (input.shape.rank() != 4 || input.is_optional) return false;
  if (input.meaning == Meaning::image && input.dtype == DType::uint8) return false;
  const auto batch = batch_axis(input);
  for (std::size_t i = 0; i < input.shape.rank(); ++i) {
    if (i != batch && input.shape[i] < 0) return true;
  }
  return false;
}

std::string as_option(const Shape& shape) {
  std::string text;
  for (const std::int64_t dim : shape) text += (text.empty() ? "" : ",") + std::to_string(dim);
  return text;
}

void say(const Predictor& predictor, const std::vector<NamedShape>& given,
         const std::vector<NamedShape>& chosen) {
  for (const DataDesc& input : predictor.model().signature().inputs) {
    if (!leaves_size_open(input) || has_name(given, input.name)) continue;
    for (const auto& [name, shape] : chosen) {
      if (name != input.name) continue;
      print_note("input " + to_string(input) + " has no fixed size, so " + to_string(shape) +
                 " is used; to choose another, pass --shape " + name + "=" + as_option(shape));
    }
  }
}

}  // namespace

std::vector<NamedShape> chosen_shapes(const Predictor& predictor, const std::vector<NamedShape>& given) {
  std::vector<NamedShape> chosen = predictor.input_shapes(given);
  say(predictor, given, chosen);
  return chosen;
}

void say_chosen_shapes(const Predictor& predictor, const std::vector<NamedShape>& given) {
  try {
    say(predictor, given, predictor.input_shapes(given));
  } catch (const Error&) {
  }
}

}  // namespace mxinfer::cli
