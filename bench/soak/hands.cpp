#include "soak/hands.h"

namespace mxinfer::soak {

const Predictors& Hands::predictors() {
  if (!one_in(3)) return stage_.lasting();
  current_ = stage_.current();
  return *current_;
}

MutableTensorView Hands::scores(std::int64_t batch) {
  return {scores_.data(), {batch, 10}};
}

void Hands::count(const Error& error) {
  switch (error.code()) {
    case ErrorCode::too_many_requests:
      return count(Ending::refused);
    case ErrorCode::cancelled:
      return count(Ending::cancelled);
    case ErrorCode::deadline_exceeded:
      return count(Ending::expired);
    default:
      throw error;
  }
}

}  // namespace mxinfer::soak
