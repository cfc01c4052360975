#include <algorithm>
#include <cmath>

#include "kernels/boxes/multibox_target.h"
#include "kernels/boxes/overlap-inl.h"

namespace mxinfer::kernels {
namespace {

enum class Role : std::int8_t { ignored, background, matched };

struct Match {
  float overlap = -1;
  std::int32_t object = -1;
};

struct Background {
  float probability;
  std::int32_t anchor;
};

/// One image.
class Assigner {
 public:
  Assigner(const MultiBoxTargetArgs& args, std::byte* scratch, std::int64_t image)
      : args_(args), image_(image), label_(args.label + image * args.objects * args.label_width) {
    overlaps_ = reinterpret_cast<float*>(scratch);
    matches_ = reinterpret_cast<Match*>(overlaps_ + args.anchors * args.objects);
    backgrounds_ = reinterpret_cast<Background*>(matches_ + args.anchors);
    roles_ = reinterpret_cast<Role*>(backgrounds_ + args.anchors);
    taken_ = reinterpret_cast<bool*>(roles_ + args.anchors);
    while (objects_ < args.objects && label_[objects_ * args.label_width] != -1) ++objects_;
  }

  void assign() {
    clear();
    if (objects_ == 0) return;
    std::fill_n(matches_, args_.anchors, Match{});
    std::fill_n(roles_, args_.anchors, Role::ignored);
    std::fill_n(taken_, objects_, false);
    measure();
    while (match_best()) {
    }
    if (args_.overlap_threshold > 0) match_overlapping();
    if (args_.mining_ratio > 0) {
      mine();
    } else {
      std::replace(roles_, roles_ + args_.anchors, Role::ignored, Role::background);
    }
    for (std::int64_t i = 0; i < args_.anchors; ++i) write(i);
  }

 private:
  void clear() {
    std::fill_n(args_.loc_target + image_ * args_.anchors * 4, args_.anchors * 4, 0.0f);
    std::fill_n(args_.loc_mask + image_ * args_.anchors * 4, args_.anchors * 4, 0.0f);
    std::fill_n(args_.cls_target + image_ * args_.anchors, args_.anchors, args_.ignore_label);
  }

  const float* box(std::int64_t object) const { return label_ + object * args_.label_width + 1; }

  void measure() {
    for (std::int64_t i = 0; i < args_.anchors; ++i) {
      const float* a = args_.anchor + i * 4;
      for (std::int64_t j = 0; j < objects_; ++j) {
        const float* b = box(j);
        const float shared = shared_length(a[0], a[2], b[0], b[2]) * shared_length(a[1], a[3], b[1], b[3]);
        const float all = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared;
        overlaps_[i * objects_ + j] = all == 0 ? 0 : shared / all;
      }
    }
  }

  // Matches the remaining anchor and object with the largest overlap; false if none overlap.
  bool match_best() {
    std::int64_t anchor = -1;
    Match best{1e-6f, -1};
    for (std::int64_t i = 0; i < args_.anchors; ++i) {
      if (roles_[i] == Role::matched) continue;
      for (std::int64_t j = 0; j < objects_; ++j) {
        if (taken_[j] || !(overlaps_[i * objects_ + j] > best.overlap)) continue;
        best = {overlaps_[i * objects_ + j], static_cast<std::int32_t>(j)};
        anchor = i;
      }
    }
    if (anchor < 0) return false;
    taken_[best.object] = true;
    set_matched(anchor, best);
    return true;
  }

  void set_matched(std::int64_t anchor, const Match& match) {
    matches_[anchor] = match;
    roles_[anchor] = Role::matched;
    ++matched_;
  }

  Match largest(std::int64_t anchor) const {
    Match best;
    for (std::int64_t j = 0; j < objects_; ++j) {
      const float overlap = overlaps_[anchor * objects_ + j];
      if (overlap > best.overlap) best = {overlap, static_cast<std::int32_t>(j)};
    }
    return best;
  }

  void match_overlapping() {
    for (std::int64_t i = 0; i < args_.anchors; ++i) {
      if (roles_[i] == Role::matched) continue;
      const Match best = largest(i);
      if (best.overlap > args_.overlap_threshold) set_matched(i, best);
    }
  }

  float background_probability(std::int64_t anchor) const {
    const float* scores = args_.cls_pred + image_ * args_.classes * args_.anchors + anchor;
    float most = scores[0], sum = 0;
    for (std::int64_t c = 1; c < args_.classes; ++c) most = std::max(most, scores[c * args_.anchors]);
    for (std::int64_t c = 0; c < args_.classes; ++c) sum += std::exp(scores[c * args_.anchors] - most);
    return std::exp(scores[0] - most) / sum;
  }

  void mine() {
    const auto asked = static_cast<std::int64_t>(static_cast<float>(matched_) * args_.mining_ratio);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < args_.anchors; ++i) {
      if (roles_[i] == Role::matched || !(largest(i).overlap < args_.mining_threshold)) continue;
      backgrounds_[count++] = {background_probability(i), static_cast<std::int32_t>(i)};
    }
    std::sort(backgrounds_, backgrounds_ + count, [](const Background& a, const Background& b) {
      const bool a_is_nan = a.probability != a.probability, b_is_nan = b.probability != b.probability;
      if (a_is_nan != b_is_nan) return b_is_nan;
      if (!a_is_nan && a.probability != b.probability) return a.probability < b.probability;
      return a.anchor < b.anchor;
    });
    for (std::int64_t i = 0; i < std::min({asked, args_.anchors - matched_, count}); ++i)
      roles_[backgrounds_[i].anchor] = Role::background;
  }

  void write(std::int64_t anchor) {
    const std::int64_t at = image_ * args_.anchors + anchor;
    if (roles_[anchor] == Role::background) args_.cls_target[at] = 0;
    if (roles_[anchor] != Role::matched) return;
    const std::int64_t object = matches_[anchor].object;
    args_.cls_target[at] = label_[object * args_.label_width] + 1;
    std::fill_n(args_.loc_mask + at * 4, 4, 1.0f);
    const float *a = args_.anchor + anchor * 4, *b = box(object);
    float* code = args_.loc_target + at * 4;
    for (int d = 0; d < 2; ++d) {
      const float size = a[d + 2] - a[d], object_size = b[d + 2] - b[d];
      code[d] = ((b[d] + b[d + 2]) / 2 - (a[d] + a[d + 2]) / 2) / size / args_.variances[d];
      code[d + 2] = std::log(object_size / size) / args_.variances[d + 2];
    }
  }

  const MultiBoxTargetArgs& args_;
  std::int64_t image_, objects_ = 0, matched_ = 0;
  const float* label_;
  float* overlaps_;          // [anchors][objects_]
  Match* matches_;           // [anchors]
  Background* backgrounds_;  // [anchors]
  Role* roles_;              // [anchors]
  bool* taken_;              // [objects_]
};

}  // namespace

std::size_t multibox_target_scratch(std::int64_t anchors, std::int64_t objects) {
  return static_cast<std::size_t>(anchors) *
             (static_cast<std::size_t>(objects) * sizeof(float) + sizeof(Match) + sizeof(Background) + 1) +
         static_cast<std::size_t>(objects);
}

void multibox_target(const MultiBoxTargetArgs& args, std::byte* scratch, std::int64_t begin,
                     std::int64_t end) {
  for (std::int64_t image = begin; image < end; ++image) Assigner(args, scratch, image).assign();
}

}  // namespace mxinfer::kernels
