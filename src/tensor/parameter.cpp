#include "tensor/parameter.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mxinfer {

Parameter::Parameter(Tensor value)
    : dtype_(value.dtype()),
      shape_(value.shape()),
      elements_(value.elements()),
      held_(std::make_shared<Tensor>(std::move(value))) {}

Parameter::Parameter(DType dtype, const Shape& shape, Fill fill, AtHand at_hand)
    : dtype_(dtype),
      shape_(shape),
      elements_(shape.elements()),
      fill_(std::move(fill)),
      at_hand_(std::move(at_hand)) {}

std::shared_ptr<const Tensor> Parameter::value() const {
  if (in_memory()) return held_;
  const std::lock_guard lock(mutex_);
  if (auto made = made_.lock()) return made;
  Tensor fresh = Tensor::uninitialized(dtype_, shape_);
  fill_(fresh.raw());
  auto made = std::make_shared<const Tensor>(std::move(fresh));
  made_ = made;
  return made;
}

float Parameter::largest_magnitude() const {
  const float known = largest_.load(std::memory_order_relaxed);
  if (!(known < 0)) return known;
  const std::shared_ptr<const Tensor> tensor = value();
  const float* elements = tensor->data<float>();
  // As integers, magnitudes have the order of the floats; NaN comes behind infinity.
  std::uint32_t most = 0;
  for (std::int64_t i = 0; i < elements_; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, elements + i, sizeof bits);
    most = std::max(most, bits & 0x7fffffffu);
  }
  float largest = 0;
  std::memcpy(&largest, &most, sizeof largest);
  largest_.store(largest, std::memory_order_relaxed);
  return largest;
}

void Parameter::copy_to(void* dst) const {
  if (!in_memory()) return fill_(dst);
  if (held_->bytes() > 0) std::memcpy(dst, held_->raw(), held_->bytes());
}

Tensor Parameter::take(std::shared_ptr<const Parameter> parameter) {
  const auto own = std::move(parameter);
  if (own->in_memory() && own.use_count() == 1 && own->held_.use_count() == 1) return std::move(*own->held_);
  Tensor copy = Tensor::uninitialized(own->dtype(), own->shape());
  own->copy_to(copy.raw());
  return copy;
}

std::shared_ptr<const Parameter> make_parameter(Tensor value) {
  return std::make_shared<Parameter>(std::move(value));
}

}  // namespace mxinfer
