// What was found in an image, drawn into a copy of it.
#include <mxinfer/vision/draw.h>

#include <string>
#include <vector>

#include "org_mxinfer_NativeVision.h"
#include "support.h"
#include "values.h"
#include "vision/images.h"

using namespace mxinfer::jni;
using mxinfer::DrawOptions;

namespace {

std::vector<mxinfer::Color> colors_of(JNIEnv* env, jintArray colors) {
  std::vector<mxinfer::Color> list;
  for (const std::int32_t rgb : to_ids(env, colors)) {
    const auto bits = static_cast<std::uint32_t>(rgb);
    list.push_back({static_cast<std::uint8_t>(bits >> 16), static_cast<std::uint8_t>(bits >> 8),
                    static_cast<std::uint8_t>(bits)});
  }
  return list;
}

/// Of the numbers that DrawOptions.java gives.
DrawOptions options_of(JNIEnv* env, jfloatArray drawing, jintArray colors) {
  const std::vector<float> numbers = to_floats(env, drawing);
  DrawOptions options;
  options.line_width = static_cast<int>(numbers.at(0));
  options.text_scale = numbers.at(1);
  options.labels = numbers.at(2) != 0;
  options.scores = numbers.at(3) != 0;
  options.colors = colors_of(env, colors);
  return options;
}

std::vector<mxinfer::Point> points_of(const std::vector<float>& numbers) {
  std::vector<mxinfer::Point> points;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) points.push_back({numbers[i], numbers[i + 1]});
  return points;
}

std::vector<mxinfer::Detection> detections_of(JNIEnv* env, jfloatArray detections, jobjectArray labels) {
  const std::vector<float> numbers = to_floats(env, detections);
  std::vector<mxinfer::Detection> list;
  std::size_t at = 0;
  for (std::string& label : to_strings(env, labels)) {
    const auto count = static_cast<std::size_t>(numbers.at(at + 6));
    const auto landmarks = numbers.begin() + static_cast<std::ptrdiff_t>(at) + 7;
    list.push_back({std::move(label),
                    numbers[at + 1],
                    static_cast<int>(numbers[at]),
                    {numbers[at + 2], numbers[at + 3], numbers[at + 4], numbers[at + 5]},
                    points_of({landmarks, landmarks + static_cast<std::ptrdiff_t>(count)})});
    at += 7 + count;
  }
  return list;
}

}  // namespace

jbyteArray Java_org_mxinfer_NativeVision_draw(JNIEnv* env, jclass /*type*/, jbyteArray bytes, jintArray size,
                                              jfloatArray detections, jobjectArray labels,
                                              jfloatArray drawing, jintArray colors) {
  return guard(env, [&] {
    const std::vector<mxinfer::Detection> found = detections_of(env, detections, labels);
    const DrawOptions options = options_of(env, drawing, colors);
    const OneImage image(env, bytes, size);
    return from_pixels(env, mxinfer::draw(to_image(*image.image()), found, options));
  });
}

jbyteArray Java_org_mxinfer_NativeVision_drawPoints(JNIEnv* env, jclass /*type*/, jbyteArray bytes,
                                                    jintArray size, jfloatArray points, jfloatArray drawing,
                                                    jintArray colors) {
  return guard(env, [&] {
    const std::vector<mxinfer::Point> given = points_of(to_floats(env, points));
    const DrawOptions options = options_of(env, drawing, colors);
    const OneImage image(env, bytes, size);
    return from_pixels(env, mxinfer::draw_points(to_image(*image.image()), given, options));
  });
}

jbyteArray Java_org_mxinfer_NativeVision_drawSkeleton(JNIEnv* env, jclass /*type*/, jbyteArray bytes,
                                                      jintArray size, jfloatArray points, jintArray limbs,
                                                      jfloatArray drawing, jintArray colors) {
  return guard(env, [&] {
    const std::vector<mxinfer::Point> given = points_of(to_floats(env, points));
    const std::vector<std::int32_t> ends = to_ids(env, limbs);
    std::vector<mxinfer::Limb> joined;
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) joined.push_back({ends[i], ends[i + 1]});
    const DrawOptions options = options_of(env, drawing, colors);
    const OneImage image(env, bytes, size);
    return from_pixels(env, mxinfer::draw_skeleton(to_image(*image.image()), given, joined, options));
  });
}

jbyteArray Java_org_mxinfer_NativeVision_blendLabels(JNIEnv* env, jclass /*type*/, jbyteArray bytes,
                                                     jintArray size, jbyteArray labels, jint width,
                                                     jint height, jfloat opacity, jint background,
                                                     jintArray colors) {
  return guard(env, [&] {
    const std::string values = to_string(env, labels);
    const mxinfer::TensorView view(mxinfer::DType::uint8, {height, width}, values.data());
    const mxinfer::BlendOptions options{opacity, background, colors_of(env, colors)};
    const OneImage image(env, bytes, size);
    return from_pixels(env, mxinfer::blend_labels(to_image(*image.image()), view, options));
  });
}
