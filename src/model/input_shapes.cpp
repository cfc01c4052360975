#include "model/input_shapes.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/fail.h"
#include "model/check_inputs.h"
#include "model/complete_optional.h"
#include "passes/infer_outputs.h"
#include "shapes/infer.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using ops::PartialShape;

// The size of a camera's image, and the most that crops of photographs may need.
constexpr std::int64_t kHeight = 480, kWidth = 640;
constexpr std::int64_t kScales[] = {1, 4, 16};

const Shape* find(const std::vector<NamedShape>& shapes, const std::string& name) {
  const auto found = std::find_if(shapes.begin(), shapes.end(),
                                  [&](const NamedShape& shape) { return shape.first == name; });
  return found == shapes.end() ? nullptr : &found->second;
}

bool is_known(const Shape& shape) {
  return shape.rank() > 0 && std::all_of(shape.begin(), shape.end(), [](std::int64_t d) { return d >= 0; });
}

Shape with_batch_of_one(const DataDesc& desc) {
  Shape shape = desc.shape;
  const auto axis = batch_axis(desc);
  if (axis && shape[*axis] < 0) shape[*axis] = 1;
  return shape;
}

// The usual side of image networks, and alternatives for those that reject it.
constexpr std::int64_t kNetworkSides[] = {224, 299, 320, 512, 112, 128, 96, 64, 48, 32, 28};

// Images in front of a network of 1 or 3 channels, with an open height or width.
bool is_open_network_image(const DataDesc& desc) {
  const std::string layout = desc.layout.empty() ? "NCHW" : desc.layout;
  const bool is_last = layout == "NHWC";
  if (desc.shape.rank() != 4 || (layout != "NCHW" && !is_last)) return false;
  const std::int64_t channels = desc.shape[is_last ? 3 : 1];
  return (channels == 1 || channels == 3) && !is_known(with_batch_of_one(desc));
}

// Pixels, channels last, with a free height or width that the model's transforms resize.
bool is_open_image(const DataDesc& desc, bool is_resized) {
  if (!is_resized && desc.dtype != DType::uint8) return false;
  const std::string layout = desc.layout.empty() ? "NHWC" : desc.layout;
  return desc.meaning == Meaning::image &&
         ((layout == "NHWC" && desc.shape.rank() == 4) || layout == "HWC") &&
         !is_known(with_batch_of_one(desc));
}

Shape image_shape(const DataDesc& desc, std::int64_t scale) {
  Shape shape = with_batch_of_one(desc);
  const std::int64_t sizes[] = {kHeight * scale, kWidth * scale, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t& dim = shape[shape.rank() - 3 + i];
    if (dim < 0) dim = sizes[i];
  }
  return shape;
}

bool takes(const graph::Graph& graph, const std::vector<ops::TensorType>& types) {
  try {
    (void)passes::infer_outputs(graph, types);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// A file's image, decoded.
Shape decoded_shape(const ModelData& model, const DataDesc& desc) {
  for (const passes::ItemStage& stage : model.stages->items) {
    if (stage.input != desc.name || !stage.reader) continue;
    const std::int64_t channels = stage.reader->color ? 3 : 1;
    for (const std::int64_t scale : kScales) {
      const Shape image{kHeight * scale, kWidth * scale, channels};
      if (takes(stage.graph, {{DType::uint8, with_batch(image)}})) return image;
    }
    return {kHeight, kWidth, channels};
  }
  return desc.shape;
}

Shape network_image_shape(const DataDesc& desc, std::int64_t side) {
  Shape shape = with_batch_of_one(desc);
  for (std::size_t i = 1; i < shape.rank(); ++i) {
    if (shape[i] < 0) shape[i] = side;
  }
  return shape;
}

// Sets the free sizes of images by choose(descriptor), if the model accepts them.
template <typename IsOpen, typename Choose>
bool choose_shapes(const ModelData& model, std::vector<Shape>& shapes, const IsOpen& is_open,
                   const Choose& choose) {
  const auto& descs = model.signature.inputs;
  std::vector<Shape> chosen = shapes;
  std::vector<ops::TensorType> types;
  bool any = false;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    if (!is_known(shapes[i]) && is_open(descs[i])) {
      chosen[i] = choose(descs[i]);
      any = true;
    }
    if (!is_known(chosen[i])) return false;
    types.push_back({descs[i].dtype, chosen[i]});
  }
  if (!any || !takes(model.graph, types)) return false;
  shapes = std::move(chosen);
  return true;
}

bool resizes_images(const ModelData& model) {
  if (!model.stages) return false;
  return std::any_of(model.stages->items.begin(), model.stages->items.end(),
                     [](const passes::ItemStage& stage) { return stage.resizes || stage.reader; });
}

// Images of the smallest scale that the transforms accept, with the usual side that the network accepts. They
// stay free if it accepts none.
void choose_images(const ModelData& model, std::vector<Shape>& shapes) {
  if (std::all_of(shapes.begin(), shapes.end(), [](const Shape& shape) { return is_known(shape); })) return;
  const bool resizes = resizes_images(model);
  const auto is_open = [&](const DataDesc& desc) { return is_open_image(desc, resizes); };
  for (const std::int64_t scale : kScales) {
    const auto choose = [&](const DataDesc& desc) { return image_shape(desc, scale); };
    if (choose_shapes(model, shapes, is_open, choose)) return;
  }
  for (const std::int64_t side : kNetworkSides) {
    const auto choose = [&](const DataDesc& desc) { return network_image_shape(desc, side); };
    if (choose_shapes(model, shapes, is_open_network_image, choose)) return;
  }
}

void refuse_unknown_names(const ModelData& model, const std::vector<NamedShape>& given) {
  const auto has = [](const std::vector<DataDesc>& descs, const std::string& name) {
    return std::any_of(descs.begin(), descs.end(), [&](const DataDesc& desc) { return desc.name == name; });
  };
  for (const NamedShape& shape : given) {
    if (has(model.signature.inputs, shape.first) || has(plan_inputs(model), shape.first)) continue;
    fail(ErrorCode::invalid_argument, "a shape was given for '", printable(shape.first),
         "', which is not an input of the network; its inputs are ", names_of(model.signature.inputs));
  }
}

// "1,3,224,224": an example for the error message.
std::string example(const DataDesc& desc) {
  std::string text;
  for (const std::int64_t dim : with_batch_of_one(desc))
    text += concat(text.empty() ? "" : ",", dim < 0 ? 224 : dim);
  return text.empty() ? "1,3,224,224" : text;
}

void check_shape(const DataDesc& desc, bool declared, const Shape& shape) {
  if (!is_known(shape)) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' has shape ", to_string(shape),
         ", which leaves dimensions other than the batch free: ", to_string(desc),
         "; give its shape, as in --shape ", printable(desc.name), "=", example(desc));
  }
  (void)shape.elements();
  if (declared && desc.shape.rank() > 0 && !fits(desc.shape, shape)) {
    fail(ErrorCode::invalid_argument, "input '", printable(desc.name), "' was given shape ", to_string(shape),
         ", ", to_string(desc.shape), " is expected (-1 is free)");
  }
}

Shape chosen_shape(const DataDesc& desc, const std::vector<NamedShape>& given,
                   const std::vector<NamedShape>& usual) {
  if (const Shape* shape = find(given, desc.name)) return *shape;
  if (const Shape* shape = find(usual, desc.name)) return *shape;
  return with_batch_of_one(desc);
}

bool is_item_shape(const DataDesc& desc, const Shape& shape) {
  return !is_file(desc.meaning) || shape.rank() == 3;
}

// For a model whose items are images in files.
std::vector<NamedShape> item_shapes(const ModelData& model, const std::vector<NamedShape>& given) {
  std::vector<NamedShape> shapes;
  for (const DataDesc& desc : model.signature.inputs) {
    const Shape* shape = find(given, desc.name);
    if (shape != nullptr) {
      shapes.emplace_back(desc.name, *shape);
    } else if (is_file(desc.meaning)) {
      shapes.emplace_back(desc.name, decoded_shape(model, desc));
    } else {
      shapes.emplace_back(desc.name,
                          is_open_image(desc, true) ? image_shape(desc, 1) : with_batch_of_one(desc));
    }
    check_shape(desc, false, shapes.back().second);
  }
  return shapes;
}

// The result of the transforms for an item of its shape; nullopt if they reject it.
std::optional<ops::TensorType> row_of(const passes::ItemStage& stage, DType dtype, const Shape& item) {
  const ops::TensorType type{dtype, item.rank() == 3 ? with_batch(item) : item};
  try {
    return shapes::head_types(stage.graph, {type}).at(0);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The batch behind the items' transforms: as given, or as they produce it from an item.
std::vector<TensorView> views_behind_items(const ModelData& model, const std::vector<NamedShape>& given) {
  const auto& inputs = model.signature.inputs;
  std::vector<NamedShape> items, batches;
  for (const NamedShape& shape : given) {
    const auto desc = std::find_if(inputs.begin(), inputs.end(),
                                   [&](const DataDesc& input) { return input.name == shape.first; });
    (desc != inputs.end() && is_item_shape(*desc, shape.second) ? items : batches).push_back(shape);
  }
  items = item_shapes(model, items);
  std::map<std::string, ops::TensorType> made;
  for (const passes::ItemStage& stage : model.stages->items) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].name != stage.input) continue;
      if (auto row = row_of(stage, inputs[i].dtype, items[i].second)) made.emplace(stage.rest_input, *row);
    }
  }
  std::vector<TensorView> views;
  for (const DataDesc& desc : model.rest_inputs) {
    const Shape* batch = find(batches, desc.name);
    const auto row = made.find(desc.name);
    if (batch != nullptr) {
      views.emplace_back(desc.dtype, *batch, nullptr);
    } else if (row != made.end()) {
      views.emplace_back(row->second.dtype, row->second.shape, nullptr);
    } else {
      const Shape* item = find(items, desc.name);
      views.emplace_back(desc.dtype, item != nullptr ? *item : with_batch_of_one(desc), nullptr);
    }
    check_shape(desc, false, views.back().shape());
  }
  return views;
}

}  // namespace

std::vector<NamedShape> input_shapes(const ModelData& model, const std::vector<NamedShape>& given,
                                     const std::vector<NamedShape>& usual) {
  refuse_unknown_names(model, given);
  if (model.takes_items) return item_shapes(model, given);
  const auto& descs = model.signature.inputs;
  std::vector<Shape> shapes;
  for (const DataDesc& desc : descs) shapes.push_back(chosen_shape(desc, given, usual));
  choose_images(model, shapes);

  std::vector<PartialShape> partial;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    const bool left_out = descs[i].is_optional && find(given, descs[i].name) == nullptr;
    if (!left_out) check_shape(descs[i], model.declared[i], shapes[i]);
    partial.emplace_back(shapes[i]);
    if (left_out) partial.back() = std::nullopt;
  }
  complete_optional(model, partial);
  std::vector<NamedShape> named;
  for (std::size_t i = 0; i < descs.size(); ++i) named.emplace_back(descs[i].name, *partial[i]);
  return named;
}

std::vector<TensorView> views_of_shapes(const ModelData& model, const std::vector<NamedShape>& given,
                                        const std::vector<NamedShape>& usual) {
  if (model.takes_items) {
    refuse_unknown_names(model, given);
    return views_behind_items(model, given);
  }
  std::vector<TensorView> views;
  const std::vector<NamedShape> shapes = input_shapes(model, given, usual);
  for (std::size_t i = 0; i < shapes.size(); ++i)
    views.emplace_back(model.signature.inputs[i].dtype, shapes[i].second, nullptr);
  return views;
}

}  // namespace mxinfer::api
