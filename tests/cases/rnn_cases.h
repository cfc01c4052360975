// kernels/rnn: rnn_cell_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"

namespace mxinfer::cases {

/// One step of `batch` samples with a state of `hidden` elements.
struct RnnCell {
  Case label;
  std::int64_t batch, hidden;
};

inline constexpr RnnCell kRnnCell[] = {
    {{"words_b1_650", "a language model of two layers of 650, one sentence"}, 1, 650},
    {{"words_b20_650", "the same, 20 sentences"}, 20, 650},
    {{"ocr_b32_100", "a reader of text lines"}, 32, 100},
    {{"speech_b64_1024", "a speech recogniser", kLarge}, 64, 1024},
    {{"odd_b3_67", "a state that ends inside a vector"}, 3, 67},
};

}  // namespace mxinfer::cases
