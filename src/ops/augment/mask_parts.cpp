// Transforms of images with masks, for training networks of segmentation: a part of fixed size of an image
// that is mirrored and resized at random, and the centre of one that is resized to fit.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "image/triangle_resize.h"
#include "ops/augment/inputs.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kMostSide = 1 << 20;
constexpr std::int64_t kMostBase = 1 << 19;

/// A window of an image that is mirrored, then resized. It may reach beyond the right and lower border.
struct Placement {
  bool mirrored = false;
  Size resized;
  int x = 0, y = 0;
};

double proportional(int side, int other, std::int64_t to) {
  return static_cast<double>(side) * static_cast<double>(to) / other;
}

class PartRules {
 public:
  PartRules(const Attrs& attrs, Draws from) : side_(static_cast<int>(attrs.integer("crop_size"))) {
    if (from == Draws::none) return;
    const auto base = static_cast<double>(attrs.integer("base_size"));
    least_ = static_cast<std::int64_t>(base * 0.5);
    most_ = static_cast<std::int64_t>(base * 2);
  }

  int side() const { return side_; }

  /// Draws whether it is mirrored, the longer side, and the window's place across and down.
  Placement draw(DrawnNumbers& draws, Size image) const {
    if (most_ == 0) return centre(image);
    Placement placement;
    placement.mirrored = draws.next() < 0.5;
    placement.resized = with_longer_side(image, least_ + draws.below(most_ - least_ + 1));
    placement.x = static_cast<int>(draws.below(std::max(0, placement.resized.width - side_) + 1));
    placement.y = static_cast<int>(draws.below(std::max(0, placement.resized.height - side_) + 1));
    return placement;
  }

  /// Error(invalid_argument) if an image could become one without pixels, or one that is too large.
  void require_resizable(Size image) const {
    const Size least = most_ == 0 ? with_shorter_side(image) : with_longer_side(image, least_);
    if (least.width >= 1 && least.height >= 1 && std::max(least.width, least.height) < kMostSide * 2) return;
    fail(ErrorCode::invalid_argument, "an image of ", image.width, " x ", image.height,
         " pixels would become one of ", least.width, " x ", least.height,
         "; sides must be at least 1 and below ", kMostSide * 2);
  }

 private:
  static Size with_longer_side(Size image, std::int64_t side) {
    const auto longer = static_cast<int>(side);
    if (image.height > image.width) {
      return {static_cast<int>(std::floor(proportional(image.width, image.height, side) + 0.5)), longer};
    }
    return {longer, static_cast<int>(std::floor(proportional(image.height, image.width, side) + 0.5))};
  }

  Size with_shorter_side(Size image) const {
    const auto longer = [&](int side, int other) {
      return static_cast<int>(std::min(proportional(side, other, side_), 2.0 * kMostSide));
    };
    if (image.width > image.height) return {longer(image.width, image.height), side_};
    return {side_, longer(image.height, image.width)};
  }

  Placement centre(Size image) const {
    Placement placement;
    placement.resized = with_shorter_side(image);
    // Halves go to the even neighbour, as Python rounds.
    placement.x = static_cast<int>(std::nearbyint((placement.resized.width - side_) / 2.0));
    placement.y = static_cast<int>(std::nearbyint((placement.resized.height - side_) / 2.0));
    return placement;
  }

  int side_;
  std::int64_t least_ = 0, most_ = 0;
};

struct Pixels {
  const std::byte* src;
  std::byte* dst;
  std::int64_t pixel;  ///< bytes
};

/// Mirrors where it is told to: into `mirrored`.
const std::byte* upright(const Pixels& pixels, Size size, bool mirrors, std::vector<std::byte>& mirrored) {
  if (!mirrors) return pixels.src;
  mirrored.resize(static_cast<std::size_t>(std::int64_t{size.width} * size.height * pixels.pixel));
  flip_image(pixels.src, mirrored.data(), size, pixels.pixel, true, false);
  return mirrored.data();
}

/// The window of image and mask: zeros around what it holds of them.
void write_part(const Placement& at, Size size, int side, const Pixels& image, const Pixels& mask) {
  const Region window{at.x, at.y, std::min(side, at.resized.width - at.x),
                      std::min(side, at.resized.height - at.y)};
  std::vector<std::byte> mirrored;
  for (const Pixels* part : {&image, &mask}) {
    const std::int64_t stride = side * part->pixel;
    if (window.width < side || window.height < side) {
      std::memset(part->dst, 0, static_cast<std::size_t>(side * stride));
    }
    const image::PixelGrid grid{size, part->pixel};
    const std::byte* src = upright(*part, size, at.mirrored, mirrored);
    if (part == &mask) {
      image::nearest_resize(src, grid, at.resized, window, part->dst, stride);
    } else {
      image::triangle_resize(reinterpret_cast<const std::uint8_t*>(src), grid, at.resized, window,
                             reinterpret_cast<std::uint8_t*>(part->dst), stride);
    }
  }
}

Step lower_part(LowerContext& context, Draws from) {
  const ImageShape image = image_shape(context.input(0).shape);
  const PartRules rules(context.attrs(), from);
  const std::int64_t channels = image.channels;
  const auto element = static_cast<std::int64_t>(size_of(context.input(1).dtype));
  const std::int64_t src_pixels = image.height * image.width;
  const std::int64_t dst_pixels = std::int64_t{rules.side()} * rules.side();
  const DrawsOfRun draws_of(context, from);
  Step step{.kernel = "part_with_mask [ref]"};
  step.reason = "the scale is drawn, so that the tables of its resize are made when it runs";
  step.run = [=](const RunContext& run) {
    const std::uint64_t run_key = draws_of.next_run();
    const auto pixels_of = [&](std::size_t port, std::int64_t i, std::int64_t pixel) {
      return Pixels{run.input<std::byte>(port) + i * src_pixels * pixel,
                    run.output<std::byte>(port) + i * dst_pixels * pixel, pixel};
    };
    for (std::int64_t i = 0; i < image.images; ++i) {
      DrawnNumbers draws = draws_of.of_image(run, run_key, i);
      write_part(rules.draw(draws, image.size()), image.size(), rules.side(), pixels_of(0, i, channels),
                 pixels_of(1, i, element));
    }
  };
  return step;
}

void require_mask(const InferContext& context, const ImageShape& image) {
  Shape expected = context.shape(0);
  expected.erase(expected.rank() - 1);
  if (context.shape(1) == expected) return;
  fail(ErrorCode::invalid_argument, "the mask has shape ", to_string(context.shape(1)), " and the data ",
       to_string(context.shape(0)), "; a mask of shape ", to_string(expected), ", a class for each pixel of ",
       image.width, " x ", image.height, ", was expected");
}

std::vector<TensorType> infer_part(const InferContext& context, Draws from) {
  const ImageShape image = image_shape(context.shape(0));
  require_grey_or_color(image, context.shape(0));
  if (context.dtype(0) != DType::uint8) {
    fail(ErrorCode::unsupported, "images of ", to_string(context.dtype(0)),
         " were given; expected uint8, as their files have them");
  }
  const PartRules rules(context.attrs, from);
  rules.require_resizable(image.size());
  require_mask(context, image);
  require_draws(context, image, 4);
  Shape mask{rules.side(), rules.side()};
  if (image.batch) mask.insert(0, image.images);
  return {{context.dtype(0), image.with(rules.side(), rules.side())}, {context.dtype(1), mask}};
}

OpDef part_op(const std::string& name, const char* summary, Draws from) {
  OpDef op{.name = augment_name(name, from), .summary = summary};
  op.traits.output_rank = always_same_rank;
  op.attrs = {integer_attr("crop_size", 480).at_least(1).at_most(kMostSide)};
  if (from != Draws::none) {
    op.attrs.push_back(integer_attr("base_size", 520).at_least(2).at_most(kMostBase));
  }
  set_ports(op, "mask", from);
  op.infer = [from](const InferContext& context) { return infer_part(context, from); };
  op.lower = [from](LowerContext& context) { return lower_part(context, from); };
  return op;
}

constexpr const char* kRandomPart =
    "Mirrors images (uint8) and their masks (classes of pixels) with probability 0.5, resizes them to a "
    "longer side of base_size / 2 .. 2 base_size (images like Pillow's BILINEAR, masks to the nearest "
    "pixel), and takes a random part of crop_size x crop_size, with zeros beyond the right or lower border.";
constexpr const char* kCentre =
    "Resizes images (uint8) and their masks (classes of pixels) to a shorter side of crop_size (images like "
    "Pillow's BILINEAR, masks to the nearest pixel), and takes the centre of crop_size x crop_size.";

}  // namespace

std::vector<OpDef> mask_part_ops() {
  return {part_op("center_crop_mask", kCentre, Draws::none), part_op("crop_mask", kRandomPart, Draws::random),
          part_op("crop_mask", kRandomPart, Draws::input)};
}

}  // namespace mxinfer::ops
