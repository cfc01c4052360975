// Rows of a batch: copies sequences into it and outputs out of it, for any axes of samples and time.
//
//   put_row({ids, {5}}, 0, batch, {.batch = 0, .time = 1}, n, 0);      // ids[0..5) to batch[n][0..5)
//   Tensor row = take_row(output, {.batch = 1, .time = 0}, n, 0, 5);     // output[0..5)[n]
#pragma once

#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mxinfer::api {

/// The axes of a value that holds several samples.
struct Axes {
  std::optional<std::size_t> batch{};  ///< nullopt: one value for all samples
  std::optional<std::size_t> time{};   ///< nullopt: no axis has the length of the sequence
  friend bool operator==(const Axes&, const Axes&) = default;
};

/// The axis of time of one sample, without its batch. Precondition: there is one.
std::size_t sample_time(const Axes& axes);

/// Copies one sample (without a batch) to row `n`, from position `at` of the axis of time on, if there is
/// one. Precondition: dtypes are the same, axes.batch is there, and the sample fits.
void put_row(const TensorView& sample, const MutableTensorView& batch, const Axes& axes, std::int64_t n,
             std::int64_t at);

/// Row `n` of a value without its batch; if there is an axis of time, `count` elements of it from `from` on.
/// Without axes.batch: the whole value, cut likewise.
Tensor take_row(const TensorView& value, const Axes& axes, std::int64_t n, std::int64_t from,
                std::int64_t count);

/// to[i] = from[rows[i]] along the axis `batch`; `to` becomes another tensor if its dtype or shape is
/// another. Precondition: they are rows of `from`, whose memory `to` does not share.
void gather_rows(const TensorView& from, std::size_t batch, Span<const std::size_t> rows, Tensor& to);

/// Concatenates values along their axis of time. Precondition: there is at least one, and they differ only in
/// that axis.
Tensor join_times(Span<const TensorView> parts, std::size_t time);

}  // namespace mxinfer::api
