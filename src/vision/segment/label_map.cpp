#include "vision/segment/label_map.h"

#include <mxinfer/vision/label_image.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/threads/thread_arena.h"

namespace mxinfer::api {
namespace {

constexpr std::int64_t kRowsPerTask = 16;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// The elements of a map that a row or column of pixels reads: first + (second - first) * weight.
struct Taps {
  std::vector<std::int32_t> first, second;
  std::vector<float> weight;
  std::vector<char> is_seen;  ///< whether the map reaches there
};

/// One side of an image in one side of a map.
struct Side {
  std::int64_t pixels, elements;
  double offset, scale, input;
};

Taps taps_of(const Side& side, bool smooth) {
  Taps taps;
  for (std::int64_t i = 0; i < side.pixels; ++i) {
    const double at = (static_cast<double>(i) + 0.5) / side.scale + side.offset;  // in the input
    const auto last = static_cast<double>(side.elements - 1);
    const double element = std::clamp(at * static_cast<double>(side.elements) / side.input - 0.5, 0.0, last);
    const double first = smooth ? std::floor(element) : std::floor(element + 0.5);
    taps.first.push_back(static_cast<std::int32_t>(first));
    taps.weight.push_back(smooth ? static_cast<float>(element - first) : 0.0f);
    taps.second.push_back(taps.first.back() + (taps.weight.back() > 0 ? 1 : 0));
    taps.is_seen.push_back(at >= 0 && at <= side.input ? 1 : 0);
  }
  return taps;
}

Taps rows_of(const MapPlacement& at, std::int64_t elements, bool smooth) {
  return taps_of({at.image.source.height, elements, at.image.offset_y, at.image.scale_y, at.input_height},
                 smooth);
}

Taps columns_of(const MapPlacement& at, std::int64_t elements, bool smooth) {
  return taps_of({at.image.source.width, elements, at.image.offset_x, at.image.scale_x, at.input_width},
                 smooth);
}

float blend(float first, float second, float weight) {
  return weight == 0 ? first : first + (second - first) * weight;
}

float sigmoid(float value) {
  return 1 / (1 + std::exp(-value));
}

/// Computes rows of labels, with memory of its own.
class RowLabeler {
 public:
  RowLabeler(const ScoreMap& map, const Taps& columns, const LabelMapOptions& options)
      : map_(map),
        columns_(columns),
        options_(options),
        row_(static_cast<std::size_t>(map.classes * map.width)),
        best_(columns.first.size()) {}

  void label(std::int32_t first, std::int32_t second, float weight, std::uint8_t* labels) {
    blend_rows(first, second, weight);
    if (map_.classes == 1) {
      label_one_class(labels);
    } else {
      label_best(labels);
      if (options_.min_score) drop_unsure(labels);
    }
    for (std::size_t x = 0; x < best_.size(); ++x) {
      if (columns_.is_seen[x] == 0) labels[x] = kUnknownLabel;
    }
  }

 private:
  /// The map's row of each class at the height of the pixels.
  void blend_rows(std::int32_t first, std::int32_t second, float weight) {
    for (std::int64_t c = 0; c < map_.classes; ++c) {
      const float* above = map_.scores + (c * map_.height + first) * map_.width;
      const float* below = map_.scores + (c * map_.height + second) * map_.width;
      float* row = row_.data() + c * map_.width;
      for (std::int64_t x = 0; x < map_.width; ++x) row[x] = blend(above[x], below[x], weight);
    }
  }

  [[nodiscard]] float score(std::int64_t c, std::size_t x) const {
    const float* row = row_.data() + c * map_.width;
    return blend(row[columns_.first[x]], row[columns_.second[x]], columns_.weight[x]);
  }

  void label_best(std::uint8_t* labels) {
    std::fill(best_.begin(), best_.end(), kLowest);
    std::fill(labels, labels + best_.size(), kUnknownLabel);
    for (std::int64_t c = 0; c < map_.classes; ++c) {
      for (std::size_t x = 0; x < best_.size(); ++x) {
        const float value = score(c, x);
        if (!(value > best_[x])) continue;
        best_[x] = value;
        labels[x] = static_cast<std::uint8_t>(c);
      }
    }
  }

  [[nodiscard]] float activated(std::size_t x) const {
    if (options_.activation == Activation::sigmoid) return sigmoid(best_[x]);
    if (options_.activation != Activation::softmax) return best_[x];
    float sum = 0;
    for (std::int64_t c = 0; c < map_.classes; ++c) sum += std::exp(score(c, x) - best_[x]);
    return 1 / sum;
  }

  void drop_unsure(std::uint8_t* labels) const {
    for (std::size_t x = 0; x < best_.size(); ++x) {
      if (labels[x] != kUnknownLabel && !(activated(x) >= *options_.min_score)) labels[x] = kUnknownLabel;
    }
  }

  void label_one_class(std::uint8_t* labels) const {
    for (std::size_t x = 0; x < best_.size(); ++x) {
      const float raw = score(0, x);
      const float value = options_.activation == Activation::sigmoid ? sigmoid(raw) : raw;
      const bool is_one = value > 0.5f;
      const float sure = is_one ? value : 1 - value;
      const bool is_unknown = std::isnan(value) || (options_.min_score && !(sure >= *options_.min_score));
      labels[x] = is_unknown ? kUnknownLabel : static_cast<std::uint8_t>(is_one);
    }
  }

  const ScoreMap& map_;
  const Taps& columns_;
  const LabelMapOptions& options_;
  std::vector<float> row_;
  std::vector<float> best_;
};

/// label_row(y, labels) for each row that the map reaches, side by side; body() makes one for each task.
template <typename MakeRow>
Image label_rows(Size size, const Taps& rows, const MakeRow& make_row) {
  Tensor pixels = Tensor::uninitialized(DType::uint8, {size.height, size.width, 1});
  auto* labels = pixels.data<std::uint8_t>();
  parallel_for(size.height, kRowsPerTask, [&](std::int64_t begin, std::int64_t end) {
    auto label_row = make_row();
    for (std::int64_t y = begin; y < end; ++y) {
      std::uint8_t* row = labels + y * size.width;
      if (rows.is_seen[static_cast<std::size_t>(y)] == 0) {
        std::fill(row, row + size.width, kUnknownLabel);
      } else {
        label_row(static_cast<std::size_t>(y), row);
      }
    }
  });
  return Image(std::move(pixels));
}

}  // namespace

Image label_map(const ScoreMap& map, const MapPlacement& placement, const LabelMapOptions& options) {
  const Taps rows = rows_of(placement, map.height, options.smooth);
  const Taps columns = columns_of(placement, map.width, options.smooth);
  return label_rows(placement.image.source, rows, [&] {
    return [&, labeler = RowLabeler(map, columns, options)](std::size_t y, std::uint8_t* labels) mutable {
      labeler.label(rows.first[y], rows.second[y], rows.weight[y], labels);
    };
  });
}

Image label_map(const IndexMap& map, const MapPlacement& placement) {
  const Taps rows = rows_of(placement, map.height, false);
  const Taps columns = columns_of(placement, map.width, false);
  return label_rows(placement.image.source, rows, [&] {
    return [&](std::size_t y, std::uint8_t* labels) {
      const std::uint8_t* row = map.labels + rows.first[y] * map.width;
      for (std::size_t x = 0; x < columns.first.size(); ++x)
        labels[x] = columns.is_seen[x] != 0 ? row[columns.first[x]] : kUnknownLabel;
    };
  });
}

}  // namespace mxinfer::api
