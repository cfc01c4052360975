// mxinfer::transforms: the steps as C++ functions.
#include <mxinfer/tools/transforms.h>

#include "base/text/base64.h"
#include "compose/number_text.h"
#include "compose/texts/text_steps.h"
#include "ops/tensor/indexing/lookup_values.h"

namespace mxinfer {
inline namespace MXINFER_ABI {
namespace transforms {
namespace {

using api::number_text;

std::string text(bool value) {
  return value ? "True" : "False";
}
std::string text(int value) {
  return std::to_string(value);
}
std::string size_text(int width, int height) {
  return "(" + text(width) + ", " + text(height) + ")";
}

template <typename Number>
std::string tuple_text(const std::vector<Number>& values) {
  std::string out = "(";
  for (Number value : values) {
    if (out.size() > 1) out += ", ";
    if constexpr (std::is_integral_v<Number>) {
      out += text(value);
    } else {
      out += number_text(value);
    }
  }
  return out + (values.size() == 1 ? ",)" : ")");
}

}  // namespace

Transform decode(bool color, bool rgb) {
  return {"decode", {{"flag", color ? "1" : "0"}, {"to_rgb", text(rgb)}}};
}
Transform read_image(bool color, bool rgb) {
  return {"read_image", {{"flag", color ? "1" : "0"}, {"to_rgb", text(rgb)}}};
}
Transform resize(int width, int height, int interpolation) {
  return {"resize", {{"size", size_text(width, height)}, {"interp", text(interpolation)}}};
}
Transform resize(int size, bool keep_ratio, int interpolation) {
  return {"resize",
          {{"size", text(size)}, {"keep_ratio", text(keep_ratio)}, {"interp", text(interpolation)}}};
}
Transform resize_short(int size, int interpolation) {
  return {"resize_short", {{"size", text(size)}, {"interp", text(interpolation)}}};
}
Transform crop(int x, int y, int width, int height) {
  return {"crop", {{"x", text(x)}, {"y", text(y)}, {"width", text(width)}, {"height", text(height)}}};
}
Transform center_crop(int width, int height, int interpolation) {
  return {"center_crop", {{"size", size_text(width, height)}, {"interp", text(interpolation)}}};
}
Transform crop_resize(int x, int y, int width, int height, int to_width, int to_height, int interpolation) {
  Transform step = crop(x, y, width, height);
  step.op = "crop_resize";
  step.attrs["size"] = size_text(to_width, to_height);
  step.attrs["interp"] = text(interpolation);
  return step;
}
Transform letterbox(int width, int height, float value, int interpolation) {
  return {
      "letterbox",
      {{"size", size_text(width, height)}, {"value", number_text(value)}, {"interp", text(interpolation)}}};
}
Transform pad(int left, int top, int right, int bottom, float value) {
  return {"pad",
          {{"left", text(left)},
           {"top", text(top)},
           {"right", text(right)},
           {"bottom", text(bottom)},
           {"value", number_text(value)}}};
}
Transform flip_left_right() {
  return {"flip_left_right"};
}
Transform flip_top_bottom() {
  return {"flip_top_bottom"};
}
Transform convert_color(const std::string& code) {
  return {"convert_color", {{"code", code}}};
}
Transform to_tensor() {
  return {"to_tensor"};
}
Transform normalize(const std::vector<float>& mean, const std::vector<float>& std) {
  return {"normalize", {{"mean", tuple_text(mean)}, {"std", tuple_text(std)}}};
}
Transform cast(DType dtype) {
  return {"cast", {{"dtype", to_string(dtype)}}};
}
Transform scale(float factor) {
  return {"scale", {{"value", number_text(factor)}}};
}
Transform transpose(const std::vector<int>& axes) {
  return {"transpose", {{"axes", tuple_text(axes)}}};
}
ColumnTransform column(const std::string& name, std::vector<Transform> steps, DType dtype,
                       std::int64_t size) {
  return {name, std::move(steps), dtype, size, false};
}
ColumnTransform text_column(const std::string& name, std::vector<Transform> steps) {
  return {name, std::move(steps), DType::uint8, 0, true};
}
Transform fill_null(float value) {
  return {"fill_null", {{"value", number_text(value)}}};
}
Transform fill_null() {
  return {"fill_null"};
}
Transform lookup(const std::vector<std::string>& values) {
  return {"lookup", {{"values", ops::lookup_values_text(values)}}};
}
Transform lookup(const std::vector<std::string>& values, std::int32_t default_id) {
  Transform step = lookup(values);
  step.attrs["default"] = text(default_id);
  return step;
}
Transform one_hot(int depth, float on, float off) {
  return {"one_hot",
          {{"depth", text(depth)}, {"on_value", number_text(on)}, {"off_value", number_text(off)}}};
}

Transform lower() {
  return {"lower"};
}
Transform basic_tokenize(bool lower) {
  return {"basic_tokenize", {{"lower", text(lower)}}};
}
Transform token_ids(bool characters) {
  return {"token_ids", {{"by", characters ? "characters" : "whitespace"}}};
}
Transform token_ids(const Vocabulary& vocabulary, bool characters) {
  Transform step = token_ids(characters);
  step.attrs["vocabulary"] = vocabulary.to_json();
  return step;
}
Transform wordpiece(const Vocabulary& vocabulary, int max_word_length, const std::string& prefix) {
  return {
      "wordpiece",
      {{"vocabulary", vocabulary.to_json()}, {"max_word_length", text(max_word_length)}, {"prefix", prefix}}};
}
Transform sentencepiece(const std::string& uri) {
  return {"sentencepiece", {{"model", uri}}};
}
Transform sentencepiece(ByteSpan model) {
  return {"sentencepiece", {{"model", api::kBase64 + to_base64(model.as<std::byte>())}}};
}
Transform embedding(const std::string& vectors) {
  return {"embedding", {{"vectors", vectors}}};
}

Transform softmax(int axis) {
  return {"softmax", {{"axis", text(axis)}}};
}
Transform sigmoid() {
  return {"sigmoid"};
}
Transform top_k(int k) {
  return {"top_k", {{"k", text(k)}}};
}
Transform boxes() {
  return {"boxes"};
}

}  // namespace transforms
}  // namespace MXINFER_ABI
}  // namespace mxinfer
