#include "runtime/item_runner.h"

#include <string>

#include "base/fail.h"
#include "tensor/data_desc.h"

namespace mxinfer::runtime {
namespace {

Image read_item(const passes::ImageReader& reader, const TensorView& item) {
  if (item.dtype() != DType::uint8 || item.shape().rank() != 1) {
    fail(ErrorCode::invalid_argument, "it is ", to_string(item.dtype()), " ", to_string(item.shape()),
         "; expected the ", reader.from_path ? "path" : "bytes", " of an image, uint8 of one dimension");
  }
  const Span<const std::uint8_t> bytes(static_cast<const std::uint8_t*>(item.raw()),
                                       static_cast<std::size_t>(item.shape().elements()));
  DecodeOptions options;
  options.color = reader.color;
  options.order = reader.rgb ? ColorOrder::rgb : ColorOrder::bgr;
  if (reader.from_path) return read_image(std::string(bytes.begin(), bytes.end()), options);
  return decode_image(bytes, options);
}

}  // namespace

Tensor ItemRunner::run(const TensorView& item, ThreadArena& arena) {
  const std::optional<Image> image = read(item);
  return run_graph(image ? image->view() : item, arena);
}

std::optional<Image> ItemRunner::read(const TensorView& item) const {
  if (!stage_.reader || item.shape().rank() == 3) return std::nullopt;
  return read_item(*stage_.reader, item);
}

void ItemRunner::run_into(const TensorView& item, const MutableTensorView& row, ThreadArena& arena) {
  const TensorView batch(item.dtype(), with_batch(item.shape()), item.raw());
  auto lease = plans_.lease(Span<const TensorView>(&batch, 1));
  const ops::TensorType& type = lease->plan().outputs.at(0);
  if (type.dtype != row.dtype() || type.shape != row.shape()) {
    fail(ErrorCode::internal, "the transforms of input '", printable(stage_.input), "' turn one item into ",
         ops::to_string(type), "; expected ", to_string(row.dtype()), " ", to_string(row.shape()));
  }
  const void* from = batch.raw();
  void* to = row.raw();
  lease->run(&from, &to, arena);
}

Tensor ItemRunner::run_graph(const TensorView& item, ThreadArena& arena) {
  const TensorView batch(item.dtype(), with_batch(item.shape()), item.raw());
  auto lease = plans_.lease(Span<const TensorView>(&batch, 1));
  const ops::TensorType& type = lease->plan().outputs.at(0);
  if (type.shape.rank() < 1 || type.shape[0] != 1) {
    fail(ErrorCode::invalid_argument, "the transforms of input '", printable(stage_.input),
         "' turn one item into ", ops::to_string(type), "; expected one row of a batch, (1, ...)");
  }
  Tensor row = Tensor::uninitialized(type.dtype, type.shape);
  const void* from = batch.raw();
  void* to = row.raw();
  lease->run(&from, &to, arena);
  return row;
}

}  // namespace mxinfer::runtime
