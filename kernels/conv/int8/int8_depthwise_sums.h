// Sums of a row of depthwise outputs that wait for their post-ops, which take several at once.
//
//   WaitingSums sums(row);
//   write(sums.next(first_channel));   // natural order; for each output
//   sums.finish_output();
#pragma once

#include <algorithm>

#include "kernels/conv/int8/int8_depthwise.h"
#include "kernels/conv/int8/int8_tile.h"

namespace mxinfer::kernels {

class WaitingSums {
 public:
  explicit WaitingSums(const Int8DepthwiseRow& row) : row_(row), post_(row.post) {}
  ~WaitingSums() { flush(); }
  WaitingSums(const WaitingSums&) = delete;
  WaitingSums& operator=(const WaitingSums&) = delete;

  /// Where the sums of the output go, from `channel` of the block to the next multiple of kInt8PanelColumns.
  std::int32_t* next(std::int64_t channel) {
    return sums_[channel / kInt8PanelColumns] + count_ * kInt8PanelColumns + channel % kInt8PanelColumns;
  }
  void finish_output() {
    if (++count_ == kMost) flush();
  }

 private:
  static constexpr std::int64_t kMost = 16;

  void flush() {
    for (std::int64_t first = 0; count_ > 0 && first < row_.channels; first += kInt8PanelColumns) {
      Int8PostOpsArgs post = post_;
      post.rows = count_;
      post.columns = std::min(kInt8PanelColumns, row_.channels - first);
      post.sums = sums_[first / kInt8PanelColumns];
      if (post.bias != nullptr) post.bias += first;
      if (post.scale != nullptr) post.scale += first;
      post.dst += first * bytes_of(post.conv->dst_type);
      if (post.residual != nullptr) post.residual += first * bytes_of(post.conv->residual_type);
      row_.post_ops(post);
    }
    const std::int64_t passed = count_ * post_.dst_stride;
    post_.dst += passed * bytes_of(post_.conv->dst_type);
    if (post_.residual != nullptr) post_.residual += passed * bytes_of(post_.conv->residual_type);
    count_ = 0;
  }

  const Int8DepthwiseRow& row_;
  Int8PostOpsArgs post_;
  std::int64_t count_ = 0;
  alignas(64) std::int32_t sums_[kDepthwiseBlock / kInt8PanelColumns][kMost * kInt8PanelColumns];
};

}  // namespace mxinfer::kernels
