// PadBatch: combines sequences of one bucket into the inputs of one batch.
//
//   std::vector<Tensor> inputs = pad_batch(layout, padding, items, types);
#pragma once

#include <mxinfer/sequence/sequence_options.h>

#include <cstdint>
#include <vector>

#include "sequence/sequence_layout.h"

namespace mxinfer::api {

/// The resolved padding options of SequenceOptions.
struct Padding {
  Side pad_side = Side::right;
  double pad_value = 0;
  TooLong too_long = TooLong::truncate;
  Side truncate_side = Side::right;
};

/// One sequence by input, without a batch; lengths, and states that are zeros, are left out.
struct SequenceItem {
  std::vector<TensorView> inputs;
  std::int64_t length = 0;
};

/// Whether a sample was given; a default view means none.
inline bool is_given(const TensorView& view) {
  return view.shape().rank() > 0 || view.raw() != nullptr;
}

/// Checks a sequence against the layout and sets its length. Throws Error(invalid_argument) if it is empty,
/// has another dtype or shape, an id that the Embedding has no row for, or a number that is not finite.
/// `name` is that of the model, for errors.
void check_item(const SequenceLayout& layout, const std::string& name, SequenceItem& item);

/// Cuts a sequence to `most`, on the requested side. Parts that are not dense in memory are copied into
/// `owned`.
void truncate_item(const SequenceLayout& layout, const Padding& padding, std::int64_t most,
                   SequenceItem& item, std::vector<Tensor>& owned);

/// Throws Error(invalid_argument) for an item whose shapes do not fit rows of the given types, so that
/// pad_batch would write out of bounds.
void check_rows(const SequenceLayout& layout, const std::string& name, const SequenceItem& item,
                const std::vector<ops::TensorType>& types);

/// Inputs of the given types. Precondition: check_rows(). Items are of the bucket's length or shorter; rows
/// behind the last repeat it.
std::vector<Tensor> pad_batch(const SequenceLayout& layout, const Padding& padding,
                              Span<const SequenceItem* const> items,
                              const std::vector<ops::TensorType>& types);

/// The outputs of sample `n` of a batch of sequences of `bucket`, without the batch and cut to the sequence's
/// length.
std::vector<Tensor> cut_outputs(const SequenceLayout& layout, const Padding& padding, bool cuts,
                                const std::vector<Tensor>& outputs, std::int64_t n, std::int64_t bucket,
                                std::int64_t length);

/// The batch sizes for this many sequences: powers of two, so that there are few plans, and at most `most`.
/// The last batch may be padded, by at most a quarter.
std::vector<std::int64_t> batch_sizes(std::int64_t count, std::int64_t most);

}  // namespace mxinfer::api
