#include "compose/transform_steps.h"

#include <algorithm>

#include "base/fail.h"
#include "compose/columns/column_steps.h"
#include "compose/number_text.h"
#include "compose/texts/text_steps.h"

namespace mxinfer::api {
namespace {

using graph::Attrs;
using graph::AttrSpec;

std::string text(std::int64_t value) {
  return std::to_string(value);
}
std::string text(bool value) {
  return value ? "True" : "False";
}

std::string tuple_text(const std::vector<std::int64_t>& values) {
  std::string out = "(";
  for (std::int64_t value : values) out += (out.size() > 1 ? ", " : "") + text(value);
  return out + (values.size() == 1 ? ",)" : ")");
}

std::string tuple_text(const std::vector<double>& values) {
  std::string out = "(";
  for (double value : values) out += (out.size() > 1 ? ", " : "") + number_text(value);
  return out + (values.size() == 1 ? ",)" : ")");
}

// MXNet's number for "cubic to enlarge, area to shrink", which its own operators do not accept.
constexpr int kAuto = 9;

AttrSpec interp_attr(int last = 4) {
  return graph::integer_attr("interp", 1).at_least(0).at_most(last);
}
AttrSpec side_attr(const char* name) {
  return graph::integer_attr(name).at_least(1);
}
AttrSpec offset_attr(const char* name) {
  return graph::integer_attr(name).at_least(0);
}
AttrSpec margin_attr(const char* name) {
  return graph::integer_attr(name, 0).at_least(0);
}

// (width, height), one number standing for both.
std::pair<std::int64_t, std::int64_t> size_of(const Attrs& attrs) {
  const auto size = attrs.tuple("size");
  if (size.empty() || size.size() > 2 || *std::min_element(size.begin(), size.end()) < 1) {
    fail(ErrorCode::invalid_argument, "size=\"", tuple_text(size),
         "\": expected width and height, or one number for both, from 1 on");
  }
  return {size.front(), size.back()};
}

void resize(const Attrs& attrs, Chain& chain) {
  (void)size_of(attrs);
  chain.append("_image_resize", {{"size", tuple_text(attrs.tuple("size"))},
                                 {"keep_ratio", text(attrs.flag("keep_ratio"))},
                                 {"interp", text(attrs.integer("interp"))}});
}

void resize_short(const Attrs& attrs, Chain& chain) {
  chain.append("_mxinfer_resize_short",
               {{"size", text(attrs.integer("size"))}, {"interp", text(attrs.integer("interp"))}});
}

void crop(const Attrs& attrs, Chain& chain) {
  chain.append("_image_crop", {{"x", text(attrs.integer("x"))},
                               {"y", text(attrs.integer("y"))},
                               {"width", text(attrs.integer("width"))},
                               {"height", text(attrs.integer("height"))}});
}

// If the size of the image is known, the crop has a fixed place, and MXNet has the operator for it.
void center_crop(const Attrs& attrs, Chain& chain) {
  const auto [width, height] = size_of(attrs);
  const Shape image = common_type(chain.types()).shape;
  const std::size_t rank = image.rank();
  if (rank >= 3 && image[rank - 3] >= height && image[rank - 2] >= width) {
    chain.append("_image_crop", {{"x", text((image[rank - 2] - width) / 2)},
                                 {"y", text((image[rank - 3] - height) / 2)},
                                 {"width", text(width)},
                                 {"height", text(height)}});
    return;
  }
  chain.append("_mxinfer_center_crop", {{"size", tuple_text(std::vector<std::int64_t>{width, height})},
                                        {"interp", text(attrs.integer("interp"))}});
}

void crop_resize(const Attrs& attrs, Chain& chain) {
  crop(attrs, chain);
  if (!attrs.has("size")) return;
  const auto [width, height] = size_of(attrs);
  chain.append("_image_resize", {{"size", tuple_text(std::vector<std::int64_t>{width, height})},
                                 {"keep_ratio", "False"},
                                 {"interp", text(attrs.integer("interp"))}});
}

void letterbox(const Attrs& attrs, Chain& chain) {
  const auto [width, height] = size_of(attrs);
  chain.append("_mxinfer_letterbox", {{"size", tuple_text(std::vector<std::int64_t>{width, height})},
                                      {"value", number_text(attrs.number("value"))},
                                      {"interp", text(attrs.integer("interp"))}});
}

void pad(const Attrs& attrs, Chain& chain) {
  chain.append("_mxinfer_pad_image", {{"left", text(attrs.integer("left"))},
                                      {"top", text(attrs.integer("top"))},
                                      {"right", text(attrs.integer("right"))},
                                      {"bottom", text(attrs.integer("bottom"))},
                                      {"value", number_text(attrs.number("value"))}});
}

void flip_left_right(const Attrs&, Chain& chain) {
  chain.append("_image_flip_left_right", {});
}
void flip_top_bottom(const Attrs&, Chain& chain) {
  chain.append("_image_flip_top_bottom", {});
}

void convert_color(const Attrs& attrs, Chain& chain) {
  chain.append("_mxinfer_convert_color", {{"code", attrs.choice("code")}});
}

void to_tensor(const Attrs&, Chain& chain) {
  chain.append("_image_to_tensor", {});
  chain.set_layout(Layout::chw);
}

bool is_integer(DType dtype) {
  switch (dtype) {
    case DType::float16:
    case DType::float32:
    case DType::float64:
    case DType::bfloat16:
      return false;
    default:
      return true;
  }
}

void warn_of_integers(Chain& chain, const char* what) {
  const DType dtype = chain.types().front().dtype;
  if (!is_integer(dtype)) return;
  chain.warn(concat(what, " gets ", to_string(dtype), " and gives ", to_string(dtype),
                    ": fractions are lost and values wrap; put to_tensor or cast in front of it"));
}

void normalize(const Attrs& attrs, Chain& chain) {
  for (double deviation : attrs.number_tuple("std")) {
    if (deviation == 0)
      fail(ErrorCode::invalid_argument,
           "std has a 0, but pixels are divided by it; give numbers other than 0");
  }
  if (chain.is_column()) return normalize_column(attrs, chain);
  warn_of_integers(chain, "it");
  chain.append("_image_normalize", {{"mean", tuple_text(attrs.number_tuple("mean"))},
                                    {"std", tuple_text(attrs.number_tuple("std"))}});
}

void cast(const Attrs& attrs, Chain& chain) {
  chain.append("Cast", {{"dtype", attrs.text("dtype")}});
}

void with_scalar(const char* op, const Attrs& attrs, Chain& chain) {
  warn_of_integers(chain, "it");
  chain.append(op, {{"scalar", number_text(attrs.number("value"))}});
}
void multiply(const Attrs& attrs, Chain& chain) {
  with_scalar("_mul_scalar", attrs, chain);
}
void divide(const Attrs& attrs, Chain& chain) {
  with_scalar("_div_scalar", attrs, chain);
}
void add(const Attrs& attrs, Chain& chain) {
  with_scalar("_plus_scalar", attrs, chain);
}
void subtract(const Attrs& attrs, Chain& chain) {
  with_scalar("_minus_scalar", attrs, chain);
}

void transpose(const Attrs& attrs, Chain& chain) {
  const auto axes = attrs.tuple("axes");
  chain.append("transpose", {{"axes", tuple_text(axes)}});
  const bool to_front = axes == std::vector<std::int64_t>{0, 3, 1, 2};
  const bool to_back = axes == std::vector<std::int64_t>{0, 2, 3, 1};
  if (chain.layout() == Layout::hwc && to_front) {
    chain.set_layout(Layout::chw);
  } else if (chain.layout() == Layout::chw && to_back) {
    chain.set_layout(Layout::hwc);
  } else {
    chain.set_layout(Layout::unknown);
  }
}

std::map<std::string, std::string> reading(const Attrs& attrs) {
  return {{"flag", text(attrs.integer("flag"))}, {"to_rgb", text(attrs.flag("to_rgb"))}};
}
void decode(const Attrs& attrs, Chain& chain) {
  chain.append_reader("_cvimdecode", reading(attrs));
}
void read_image(const Attrs& attrs, Chain& chain) {
  chain.append_reader("_mxinfer_read_image", reading(attrs));
}

void softmax(const Attrs& attrs, Chain& chain) {
  chain.append("softmax", {{"axis", text(attrs.integer("axis"))}});
  chain.set_meanings({Meaning::scores});
}

void sigmoid(const Attrs&, Chain& chain) {
  chain.append("sigmoid", {});
  chain.set_meanings({Meaning::scores});
}

void top_k(const Attrs& attrs, Chain& chain) {
  const std::int64_t k = attrs.integer("k");
  const Shape shape = common_type(chain.types()).shape;
  if (shape.rank() > 0 && shape.back() >= 0 && k > shape.back()) {
    fail(ErrorCode::invalid_argument, "k is ", k, "; there are ", shape.back(), " values in ",
         to_string(shape), " to choose from");
  }
  chain.append(
      "topk",
      {{"axis", "-1"}, {"k", text(k)}, {"ret_typ", "both"}, {"is_ascend", "False"}, {"dtype", "int32"}});
  chain.set_meanings({Meaning::scores, Meaning::ids});
}

void boxes(const Attrs& attrs, Chain& chain) {
  const Shape shape = common_type(chain.types()).shape;
  if (shape.rank() != 3) {
    fail(ErrorCode::invalid_argument,
         "it takes (N, boxes, columns), as _contrib_MultiBoxDetection gives, not ", to_string(shape));
  }
  const auto column = [&](const char* attribute, std::int64_t count) {
    const std::int64_t begin = attrs.integer(attribute);
    if (shape.back() >= 0 && begin + count > shape.back()) {
      fail(ErrorCode::invalid_argument, attribute, " is column ", begin, "; there are ", shape.back(),
           " columns in ", to_string(shape));
    }
    return std::map<std::string, std::string>{
        {"axis", "-1"}, {"begin", text(begin)}, {"end", text(begin + count)}};
  };
  chain.split({{"ids", "slice_axis", column("id", 1), Meaning::ids},
               {"scores", "slice_axis", column("score", 1), Meaning::scores},
               {"boxes", "slice_axis", column("box", 4), Meaning::boxes}});
}

std::vector<AttrSpec> reader_attrs() {
  return {graph::integer_attr("flag", 1).at_least(0).at_most(1), graph::flag_attr("to_rgb", true)};
}

std::vector<StepDef> make_steps() {
  using graph::choice_attr, graph::flag_attr, graph::integer_attr, graph::number_attr,
      graph::number_tuple_attr, graph::tuple_attr;
  const std::vector<AttrSpec> region = {offset_attr("x"), offset_attr("y"), side_attr("width"),
                                        side_attr("height")};
  std::vector<AttrSpec> region_and_size = region;
  region_and_size.push_back(tuple_attr("size", "None").optional_none());
  region_and_size.push_back(interp_attr());
  const std::vector<AttrSpec> value = {number_attr("value")};
  return {
      {"add", value, Wants::anything, add},
      {"basic_tokenize", basic_tokenize_attrs(), Wants::anything, basic_tokenize},
      {"boxes",
       {integer_attr("id", 0).at_least(0), integer_attr("score", 1).at_least(0),
        integer_attr("box", 2).at_least(0)},
       Wants::anything,
       boxes},
      {"cast", {graph::text_attr("dtype", "float32")}, Wants::anything, cast},
      {"center_crop", {tuple_attr("size"), interp_attr(kAuto)}, Wants::pixels, center_crop},
      {"convert_color",
       {choice_attr("code", {"rgb2bgr", "bgr2rgb", "rgb2gray", "bgr2gray", "gray2rgb"})},
       Wants::pixels,
       convert_color},
      {"crop", region, Wants::pixels, crop},
      {"crop_resize", region_and_size, Wants::pixels, crop_resize},
      {"decode", reader_attrs(), Wants::bytes, decode},
      {"div", value, Wants::anything, divide},
      {"fill_null", fill_null_attrs(), Wants::anything, fill_null},
      {"flip_left_right", {}, Wants::pixels, flip_left_right},
      {"flip_top_bottom", {}, Wants::pixels, flip_top_bottom},
      {"letterbox",
       {tuple_attr("size"), number_attr("value", 0).at_least(0).at_most(255), interp_attr(kAuto)},
       Wants::pixels,
       letterbox},
      {"lookup", lookup_attrs(), Wants::anything, lookup},
      {"lower", {}, Wants::anything, lower_text},
      {"mul", value, Wants::anything, multiply},
      {"normalize",
       {number_tuple_attr("mean", "(0,)"), number_tuple_attr("std", "(1,)")},
       Wants::channels_first,
       normalize},
      {"pad",
       {margin_attr("left"), margin_attr("top"), margin_attr("right"), margin_attr("bottom"),
        number_attr("value", 0).at_least(0).at_most(255)},
       Wants::pixels,
       pad},
      {"read_image", reader_attrs(), Wants::bytes, read_image},
      {"resize", {tuple_attr("size"), flag_attr("keep_ratio", false), interp_attr()}, Wants::pixels, resize},
      {"resize_short", {side_attr("size"), interp_attr(kAuto)}, Wants::pixels, resize_short},
      {"scale", value, Wants::anything, multiply},
      {"sentencepiece", sentencepiece_attrs(), Wants::anything, sentencepiece},
      {"sigmoid", {}, Wants::anything, sigmoid},
      {"softmax", {integer_attr("axis", -1)}, Wants::anything, softmax},
      {"sub", value, Wants::anything, subtract},
      {"to_tensor", {}, Wants::pixels, to_tensor},
      {"token_ids", token_ids_attrs(), Wants::anything, token_ids},
      {"top_k", {side_attr("k")}, Wants::anything, top_k},
      {"transpose", {tuple_attr("axes")}, Wants::anything, transpose},
      {"wordpiece", wordpiece_attrs(), Wants::anything, wordpiece},
  };
}

const std::vector<StepDef>& all_steps() {
  static const auto& steps = *new std::vector<StepDef>(make_steps());
  return steps;
}

}  // namespace

const StepDef* find_step(const std::string& name) {
  for (const StepDef& step : all_steps()) {
    if (step.name == name) return &step;
  }
  return nullptr;
}

std::string step_names() {
  std::string names;
  for (const StepDef& step : all_steps()) names += (names.empty() ? "" : ", ") + step.name;
  return names;
}

}  // namespace mxinfer::api
