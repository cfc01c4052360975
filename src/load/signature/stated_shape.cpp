#include "load/signature/stated_shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/checked.h"
#include "base/fail.h"

namespace mxinfer::api {
namespace {

// The batch of a shape: at N of its layout, else first; nullopt if the layout has no N.
std::optional<std::size_t> batch_of(const Shape& shape, const std::string& layout) {
  if (shape.rank() == 0) return std::nullopt;
  if (layout.size() != shape.rank()) return 0;
  const std::size_t at = layout.find('N');
  return at == std::string::npos ? std::nullopt : std::optional(at);
}

Shape with_free_batch(Shape shape, const std::string& layout) {
  if (const auto batch = batch_of(shape, layout)) shape[*batch] = -1;
  return shape;
}

Shape behind_batch(const Shape& sample) {
  Shape shape{-1};
  for (const std::int64_t dim : sample) shape.push_back(dim);
  return shape;
}

// The elements of a sample; nullopt if sizes are free.
std::optional<std::int64_t> sample_elements(const Shape& shape) {
  std::int64_t elements = 1;
  for (std::size_t i = 1; i < shape.rank(); ++i) {
    const auto product = shape[i] < 0 ? std::nullopt : checked_mul(elements, shape[i]);
    if (!product) return std::nullopt;
    elements = *product;
  }
  return elements;
}

// Whether the network accepts such a shape, as far as it reveals: the sizes are equal, or, for a network that
// takes rows, the numbers of elements per sample or per row are.
bool agree(const Shape& shape, const Shape& network) {
  if (shape.rank() != network.rank()) {
    return network.rank() == 2 && shape.rank() > 2 && network[1] >= 0 &&
           (sample_elements(shape) == network[1] || shape.back() == network[1]);
  }
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] >= 0 && network[i] >= 0 && shape[i] != network[i]) return false;
  }
  return true;
}

Shape moved(const Shape& shape, std::size_t from, std::size_t to) {
  Shape result = shape;
  const std::int64_t dim = shape[from];
  result.erase(from);
  result.insert(to, dim);
  return result;
}

bool states_a_size(const Shape& shape) {
  for (const std::int64_t dim : shape) {
    if (dim >= 0) return true;
  }
  return false;
}

// The sizes of `shape`, completed by those of another shape of the same rank.
Shape completed(const Shape& shape, const Shape& other) {
  Shape result = shape;
  for (std::size_t i = 0; shape.rank() == other.rank() && i < shape.rank(); ++i) {
    if (shape[i] < 0) result[i] = other[i];
  }
  return result;
}

}  // namespace

StatedShape read_stated_shape(const Shape& stated, const std::string& layout, const NetworkInput& network) {
  Shape open = stated;
  for (std::size_t i = 0; i < open.rank(); ++i) {
    if (open[i] < 1) open[i] = -1;
  }
  const Shape as_it_is = with_free_batch(open, layout.empty() ? network.layout : layout);
  if (!network.shape || open.rank() == 0) return {as_it_is};
  const Shape taken = with_free_batch(*network.shape, network.layout);
  if (!states_a_size(taken)) return {as_it_is};
  if (agree(as_it_is, taken)) return {completed(as_it_is, taken)};
  const bool lacks_batch =
      open.rank() + 1 == taken.rank() || (taken.rank() == 2 && open.rank() < Shape::kMaxRank);
  const Shape whole = lacks_batch ? behind_batch(open) : as_it_is;
  if (lacks_batch && agree(whole, taken)) return {completed(whole, taken), true};
  if (whole.rank() == taken.rank() && whole.rank() > 2) {
    const std::size_t last = whole.rank() - 1;
    for (const Shape& turned : {moved(whole, last, 1), moved(whole, 1, last)}) {
      if (agree(turned, taken)) return {completed(turned, taken), true};
    }
  }
  return {completed(taken, whole), true};
}

std::string correction_of(const std::string& input, const Shape& stated, const Shape& read) {
  return concat("the file states input '", printable(input), "' as ", to_string(stated),
                ", but the network takes ", to_string(read),
                ", which is used instead; `mxinfer sign --replace` writes a signature that fits");
}

}  // namespace mxinfer::api
