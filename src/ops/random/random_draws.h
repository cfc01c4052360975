// RandomSource: the draws of a step, from its key and the number of its run.
//
//   const std::uint64_t run = source.next_run();
//   RandomDraws draws = RandomSource::draws(run, image);
//   const float factor = draws.uniform(0.5f, 1.5f);
#pragma once

#include <atomic>

#include "kernels/common/random_draws.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// The attribute that the pass of random transforms leaves on a node: its key. Nodes without it have key 0.
inline constexpr const char* kRandomKey = "__mxinfer_random_key__";

using kernels::combine_keys;
using kernels::mix_bits;
using kernels::RandomDraws;

/// The draws of one step: counts its runs, on any threads.
class RandomSource {
 public:
  /// Nodes, and plans of one node for other shapes, draw other numbers.
  explicit RandomSource(const LowerContext& context)
      : runs_(std::make_shared<std::atomic<std::uint64_t>>(0)) {
    if (context.attrs().given(kRandomKey)) {
      key_ = static_cast<std::uint64_t>(context.attrs().integer(kRandomKey));
    }
    const TensorType& type = context.num_inputs() > 0 ? context.input(0) : context.output(0);
    for (const std::int64_t size : type.shape) {
      key_ = combine_keys(key_, static_cast<std::uint64_t>(size));
    }
  }

  /// Of a device that counts the runs itself: run n has combine_keys(key(), n).
  std::uint64_t key() const { return key_; }
  /// The key of a run: to be taken once in each.
  std::uint64_t next_run() const {
    return combine_keys(key_, runs_->fetch_add(1, std::memory_order_relaxed));
  }
  static RandomDraws draws(std::uint64_t run, std::int64_t image) {
    return RandomDraws(combine_keys(run, static_cast<std::uint64_t>(image)));
  }

 private:
  std::uint64_t key_ = 0;
  std::shared_ptr<std::atomic<std::uint64_t>> runs_;
};

}  // namespace mxinfer::ops
