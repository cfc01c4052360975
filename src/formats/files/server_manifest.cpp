#include "formats/files/server_manifest.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/text/strict_json.h"
#include "formats/json_fields.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;

constexpr JsonLimits kLimits = {32, 1'000'000};
constexpr std::size_t kMostEntries = 10'000;

const json* object_in(const json& object, const char* key) {
  const json* found = json_find(object, key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

std::string text_in(const json& object, const char* key) {
  const json* found = json_find(object, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

// As the file has it, with or without a batch; sizes that are not positive are free.
Shape shape_of(const json& value) {
  Shape shape;
  const json& sizes = json_list("a shape", value, Shape::kMaxRank);
  for (const json& size : sizes) {
    const std::int64_t dim =
        size.is_null() ? -1 : json_integer("a size", size, -1, std::numeric_limits<std::int32_t>::max());
    shape.push_back(dim <= 0 ? -1 : dim);
  }
  return shape;
}

std::vector<DescribedShape> shapes_of(const json& list, const char* name_key, const char* shape_key) {
  std::vector<DescribedShape> shapes;
  for (const json& entry : json_list("the list", list, kMostEntries)) {
    // Some writers leave off the keys: ["data", [1, 3, 224, 224]].
    const bool keyless = entry.is_array() && entry.size() >= 2;
    const json& name = keyless ? entry[0] : json_require(json_object("an entry", entry), name_key);
    const json& shape = keyless ? entry[1] : json_require(entry, shape_key);
    shapes.emplace_back(json_text("the name", name), shape_of(shape));
  }
  return shapes;
}

}  // namespace

ServerManifest parse_server_manifest(std::string_view text) {
  const json root = parse_strict_json(text, kLimits);
  json_object("the manifest", root);
  ServerManifest manifest;
  if (const json* model = object_in(root, "Model")) {
    manifest.symbol = text_in(*model, "Symbol");
    manifest.params = text_in(*model, "Parameters");
    manifest.signature = text_in(*model, "Signature");
    manifest.imperative = text_in(*model, "Model-Format") == "Gluon-Imperative";
  } else if (const json* newer = object_in(root, "model")) {
    if (const json* extensions = object_in(*newer, "extensions")) {
      manifest.symbol = text_in(*extensions, "symbolFile");
      manifest.params = text_in(*extensions, "parametersFile");
    }
  }
  return manifest;
}

DescribedShapes parse_server_signature(std::string_view text) {
  const json root = parse_strict_json(text, kLimits);
  json_object("the signature", root);
  DescribedShapes shapes;
  if (const json* inputs = json_find(root, "inputs"))
    shapes.inputs = shapes_of(*inputs, "data_name", "data_shape");
  if (const json* outputs = json_find(root, "outputs"))
    shapes.outputs = shapes_of(*outputs, "data_name", "data_shape");
  return shapes;
}

DescribedShapes parse_model_shapes(std::string_view text) {
  return {shapes_of(parse_strict_json(text, kLimits), "name", "shape"), {}};
}

}  // namespace mxinfer::formats
