// WeightStore: packed forms of parameters, each made once for a model and shared by all of its plans.
#pragma once

#include <mxinfer/tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/aligned_memory.h"

namespace mxinfer::plan {

/// Thread-safe.
class WeightStore {
 public:
  /// The packing of `parameter` named `packing`, made by `pack` at the first call.
  std::shared_ptr<const AlignedBuffer> packed(const std::shared_ptr<const Tensor>& parameter,
                                              const std::string& packing, std::size_t bytes,
                                              const std::function<void(std::byte*)>& pack);

 private:
  std::mutex mutex_;
  // The tensor is kept with the key, so that its address stays its own.
  std::map<std::pair<std::shared_ptr<const Tensor>, std::string>, std::shared_ptr<const AlignedBuffer>>
      packed_;
};

}  // namespace mxinfer::plan
