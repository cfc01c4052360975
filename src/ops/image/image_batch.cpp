#include "ops/image/image_batch.h"

#include <cstring>
#include <limits>

#include "base/files/aligned_memory.h"
#include "image/resize.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

using kernels::ResizeForm;
using kernels::cuda::PackedImage;

/// The attribute beside those of _mxinfer_image_chain.
constexpr const char* kLike = "like";

/// Tables one behind another, which records refer to.
class TableWriter {
 public:
  explicit TableWriter(std::vector<std::byte>& bytes) : bytes_(bytes) {}

  /// Returns their offset in bytes.
  template <typename T>
  std::int64_t add(const T* values, std::int64_t count) {
    const std::size_t at = aligned_size(bytes_.size()), size = static_cast<std::size_t>(count) * sizeof(T);
    bytes_.resize(at + size);
    if (size > 0) std::memcpy(bytes_.data() + at, values, size);
    return static_cast<std::int64_t>(at);
  }

 private:
  std::vector<std::byte>& bytes_;
};

void add_shares(const kernels::ResizeArgs& resize, TableWriter& tables, PackedImage& record) {
  const std::vector<std::int64_t> begins = x_share_begins(resize);
  record.x_share_begin = tables.add(begins.data(), static_cast<std::int64_t>(begins.size()));
  record.x_share = tables.add(resize.x_share, resize.x_share_count);
  record.y_share = tables.add(resize.y_share, resize.y_share_begin[resize.shape.dst_height]);
  record.y_share_begin = tables.add(resize.y_share_begin, resize.shape.dst_height + 1);
}

void add_tables(const kernels::ResizeArgs& resize, TableWriter& tables, PackedImage& record) {
  const std::int64_t width = resize.shape.dst_width, height = resize.shape.dst_height;
  if (resize.form == ResizeForm::nearest || resize.form == ResizeForm::taps) {
    record.x_first = tables.add(resize.x_first, width);
    record.y_first = tables.add(resize.y_first, height);
  }
  if (resize.form == ResizeForm::taps) {
    record.x_weight = tables.add(resize.x_weight_fixed, width * resize.taps);
    record.y_weight = tables.add(resize.y_weight_fixed, height * resize.taps);
  }
  if (resize.form == ResizeForm::area) add_shares(resize, tables, record);
}

void set_resize(const kernels::ResizeArgs& resize, PackedImage& record) {
  record.form = resize.form;
  record.src_height = resize.shape.src_height;
  record.src_width = resize.shape.src_width;
  record.x_inner_end = resize.x_inner_end;
  record.cubic_float_end = resize.cubic_float_end;
  record.taps = resize.taps;
  record.x_scale = resize.x_scale;
  record.y_scale = resize.y_scale;
}

/// Adds to a table's offset. That of a table that is not used stays 0.
void shift(std::int64_t& table, bool is_used, std::size_t bytes) {
  if (is_used) table += static_cast<std::int64_t>(bytes);
}

PackedImage placed(PackedImage record, std::size_t tables, std::size_t pixels) {
  const bool taps = record.form == ResizeForm::taps, area = record.form == ResizeForm::area;
  for (std::int64_t* first : {&record.x_first, &record.y_first})
    shift(*first, taps || record.form == ResizeForm::nearest, tables);
  for (std::int64_t* weight : {&record.x_weight, &record.y_weight}) shift(*weight, taps, tables);
  for (std::int64_t* share : {&record.x_share, &record.x_share_begin, &record.y_share, &record.y_share_begin})
    shift(*share, area, tables);
  record.pixels += static_cast<std::int64_t>(pixels);
  return record;
}

}  // namespace

ImageChain image_batch_chain(const Attrs& attrs, std::int64_t images) {
  const auto like = attrs.tuple(kLike);
  if (like.size() != 3)
    fail(ErrorCode::malformed, "attribute like has ", like.size(),
         " entries, not height, width and channels");
  return image_chain(attrs, {DType::uint8, {images, like[0], like[1], like[2]}});
}

graph::Node image_batch_node(const graph::Node& chain, const Shape& like, graph::Value packed) {
  graph::Node node = make_node(chain.name, "_mxinfer_image_batch", {}, {packed});
  node.attrs = chain.attrs;
  node.attrs.set(kLike, graph::IntTuple(like.begin(), like.end()));
  node.notes = chain.notes;
  return node;
}

PackedImages::PackedImages(const Attrs& chain, std::vector<TensorView> images) : images_(std::move(images)) {
  if (images_.empty() || images_.size() > kMostImages)
    fail(ErrorCode::invalid_argument, images_.size(), " images in one batch; expected 1 to ", kMostImages);
  std::vector<std::size_t> of_image;
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const TensorView& image = images_[i];
    if (image.dtype() != DType::uint8 || image.shape().rank() != 3)
      fail(ErrorCode::invalid_argument, "image ", i, " is ", to_string(image.dtype()), " ",
           to_string(image.shape()), "; expected uint8 (height, width, channels)");
    const std::vector<std::int64_t> key(image.shape().begin(), image.shape().end());
    auto found = sizes_.find(key);
    if (found == sizes_.end()) {
      const ImageChain one = image_chain(chain, {DType::uint8, {1, key[0], key[1], key[2]}});
      const TensorType row = one.output();
      if (!one.converts || row.shape.elements() > std::numeric_limits<std::int32_t>::max())
        fail(ErrorCode::unsupported, "images become ", to_string(row), ", which is no batch of floats");
      if (i == 0) row_ = row;
      if (!(row == row_))
        fail(ErrorCode::invalid_argument, "image ", i, " becomes ", to_string(row), ", but image 0 ",
             to_string(row_));
      found = sizes_.emplace(key, size_of(one)).first;
      found->second.first = i;
    }
    places_.push_back({&found->second, 0});
  }

  bytes_ = aligned_size(images_.size() * sizeof(PackedImage));
  for (auto& [key, size] : sizes_) {
    size.at = bytes_;
    bytes_ += aligned_size(size.tables.size());
  }
  for (std::size_t i = 0; i < images_.size(); ++i) {
    places_[i].pixels = bytes_;
    bytes_ += aligned_size(static_cast<std::size_t>(images_[i].shape().elements()));
  }
}

PackedImages::Size PackedImages::size_of(const ImageChain& chain) const {
  Size size;
  PackedImage& record = size.record;
  const std::int64_t row = chain.image.width * chain.channels;
  record.channels = static_cast<std::int32_t>(chain.channels);
  record.src_stride = row;
  record.pixels = chain.region.y * row + chain.region.x * chain.channels;
  const auto plan = resize_plan_of(chain, kernels::Target::ref);
  if (plan == nullptr) {
    record.form = ResizeForm::copy;
    record.pixels += chain.window.y * row + chain.window.x * chain.channels;
    return size;
  }
  record.pixels += plan->src_offset();
  set_resize(plan->args(), record);
  TableWriter tables(size.tables);
  add_tables(plan->args(), tables, record);
  return size;
}

void PackedImages::write(std::size_t image, std::byte* memory) const {
  const Size& size = *places_[image].size;
  const std::size_t pixels = places_[image].pixels;
  const PackedImage record = placed(size.record, size.at, pixels);
  std::memcpy(memory + image * sizeof record, &record, sizeof record);
  if (size.first == image && !size.tables.empty())
    std::memcpy(memory + size.at, size.tables.data(), size.tables.size());
  std::memcpy(memory + pixels, images_[image].raw(),
              static_cast<std::size_t>(images_[image].shape().elements()));
}

}  // namespace mxinfer::ops
