#include <mxinfer/vision/draw.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/fail.h"
#include "vision/detect/box_checks.h"
#include "vision/draw/draw_canvas.h"
#include "vision/draw/draw_colors.h"
#include "vision/draw/draw_options.h"
#include "vision/draw/draw_text.h"

namespace mxinfer::api {
namespace {

bool is_visible(const Box& box, const Canvas& canvas) {
  return is_finite(box) && has_area(box) && box.right > 0 && box.bottom > 0 &&
         box.left < static_cast<float>(canvas.width()) && box.top < static_cast<float>(canvas.height());
}

/// The visible ones by ascending score, so that the best is drawn over the others. NaN comes first.
std::vector<const Detection*> visible(Span<const Detection> detections, const Canvas& canvas) {
  std::vector<const Detection*> result;
  for (const Detection& detection : detections) {
    if (is_visible(detection.box, canvas)) result.push_back(&detection);
  }
  std::stable_sort(result.begin(), result.end(), [](const Detection* a, const Detection* b) {
    return std::isnan(a->score) ? !std::isnan(b->score) : a->score < b->score;
  });
  return result;
}

/// The area of a box's frame, including its lines, which lie on the box's edges but inside the image.
Area frame_of(const Box& box, int line, const Canvas& canvas) {
  const int half = line / 2;
  return {std::max(whole(box.left + 0.5f) - half, 0), std::max(whole(box.top + 0.5f) - half, 0),
          std::min(whole(box.right + 0.5f) + half, canvas.width()),
          std::min(whole(box.bottom + 0.5f) + half, canvas.height())};
}

Area shrunk(const Area& area, int by) {
  const int x = std::min(by, (area.right - area.left + 1) / 2);
  const int y = std::min(by, (area.bottom - area.top + 1) / 2);
  return {area.left + x, area.top + y, std::max(area.right - x, area.left + x),
          std::max(area.bottom - y, area.top + y)};
}

std::string text_of(const Detection& detection, const DrawOptions& options) {
  std::string text = options.labels ? detection.label : std::string();
  if (options.scores) {
    // Independent of the locale. Long enough for the largest float.
    char digits[64];
    const auto end =
        std::to_chars(digits, digits + sizeof digits, detection.score, std::chars_format::fixed, 2).ptr;
    text += (text.empty() ? "" : " ") + std::string(digits, end);
  }
  return text;
}

/// Above the frame, or inside it if there is no room; moved left if it exceeds the image.
void draw_tab(Canvas& canvas, const Area& frame, const TextLine& line, Color color) {
  const bool above = frame.top >= line.height();
  const int left = std::max(0, std::min(frame.left, canvas.width() - line.width()));
  const int top = above ? frame.top - line.height() : frame.top;
  const Area tab{left, top, left + line.width(), top + line.height()};
  fill_area(canvas, tab, color);
  line.draw(canvas, left, top, readable_on(color));
}

Image with_detections(const Image& image, Span<const Detection> detections, const DrawOptions& options) {
  Canvas canvas(image);
  const DrawSizes sizes = draw_sizes(image.size(), options);
  const std::vector<const Detection*> shown = visible(detections, canvas);
  for (const Detection* detection : shown) {
    const Area frame = frame_of(detection->box, sizes.line, canvas);
    fill_frame(canvas, frame, shrunk(frame, sizes.line), color_of(detection->index, options.colors));
  }
  for (const Detection* detection : shown) {
    for (std::size_t i = 0; i < detection->landmarks.size(); ++i)
      mark_point(canvas, detection->landmarks[i], sizes.radius,
                 color_of(static_cast<int>(i), options.colors));
  }
  for (const Detection* detection : shown) {
    const std::string text = text_of(*detection, options);
    const TextLine line(text, sizes.capital);
    if (text.empty() || 2 * line.height() > canvas.height()) continue;
    draw_tab(canvas, frame_of(detection->box, sizes.line, canvas), line,
             color_of(detection->index, options.colors));
  }
  return std::move(canvas).finish();
}

}  // namespace

DrawSizes draw_sizes(Size image, const DrawOptions& options) {
  const float side = (static_cast<float>(image.width) + static_cast<float>(image.height)) / 2;
  DrawSizes sizes;
  sizes.line =
      options.line_width > 0 ? options.line_width : std::max(1, static_cast<int>(std::lround(side * 0.004f)));
  sizes.capital = std::max(8.0f, side * 0.02f * options.text_scale);
  sizes.radius = std::max(1.5f, side * 0.006f);
  return sizes;
}

void check_drawing(const Image& image, const DrawOptions& options) {
  if (image.empty()) fail(ErrorCode::invalid_argument, "the image is empty: there is nothing to draw into");
  if (options.line_width < 0 || options.line_width > 1000) {
    fail(ErrorCode::invalid_argument, "DrawOptions::line_width is ", options.line_width,
         "; it must be from 1 to 1000 pixels, or 0 for what suits the image");
  }
  if (!(options.text_scale >= 0.1f && options.text_scale <= 100)) {
    fail(ErrorCode::invalid_argument, "DrawOptions::text_scale is ", options.text_scale,
         "; it must be from 0.1 to 100");
  }
}

}  // namespace mxinfer::api

mxinfer::Image mxinfer::MXINFER_ABI::draw(const Image& image, Span<const Detection> detections,
                                          const DrawOptions& options) try {
  api::check_drawing(image, options);
  return api::with_detections(image, detections, options);
} catch (...) {
  throw_as_error();
}
