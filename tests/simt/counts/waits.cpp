#include "simt/counts/waits.h"

#include <algorithm>

namespace mxinfer::simt {

void Waits::load(const void* code, bool is_near) {
  if (loads_[code] == kUnrolled) use();
  ++loads_[code];
  is_far_ = is_far_ || !is_near;
}

void Waits::work() {
  has_worked_ = !loads_.empty();
}

void Waits::use() {
  if (loads_.empty()) return;
  ++(!is_far_ ? counts_->near : has_worked_ ? counts_->behind : counts_->loads);
  loads_.clear();
  has_worked_ = is_far_ = false;
}

void Waits::wait_for_copies(unsigned groups) {
  if (groups > 0) ++counts_->copies[std::min(groups, 4u) - 1];
}

}  // namespace mxinfer::simt
