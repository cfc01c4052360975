// kernels/gemm: gemm_nt_simd.cpp and gemm_packed_simd.cpp
#pragma once

#include <cstdint>

#include "cases/case.h"

namespace mxinfer::cases {

/// rows x depth times depth x columns.
struct Gemm {
  Case label;
  std::int64_t rows, columns, depth;
};

inline constexpr Gemm kGemm[] = {
    {{"resnet_fc_b1", "ResNet-18's classes, one image"}, 1, 1000, 512},
    {{"resnet50_fc_b1", "ResNet-50's classes, one image"}, 1, 1000, 2048},
    {{"vgg_fc6_b1", "VGG's first fully connected layer, one image", kLarge}, 1, 4096, 25088},
    {{"vgg_fc7_b2", "VGG's second fully connected layer, 2 images", kLarge}, 2, 4096, 4096},
    {{"vgg_fc7_b3", "VGG's second fully connected layer, 3 images", kLarge}, 3, 4096, 4096},
    {{"vgg_fc7_b4", "VGG's second fully connected layer, 4 images", kLarge}, 4, 4096, 4096},
    {{"vgg_fc7_b6", "VGG's second fully connected layer, 6 images", kLarge}, 6, 4096, 4096},
    {{"vgg_fc7_b8", "VGG's second fully connected layer, 8 images", kLarge}, 8, 4096, 4096},
    {{"vgg_fc7_b25", "VGG's second fully connected layer, 25 images", kLarge}, 25, 4096, 4096},
    {{"lstm_b1", "the gates of 512 units, one sample"}, 1, 2048, 512},
    {{"lstm_b8", "the gates of 512 units, 8 samples"}, 8, 2048, 512},
    {{"bert_128x768x768", "BERT base, 128 tokens", kLarge}, 128, 768, 768},
    {{"bert_128x3072x768", "its feed-forward layers", kLarge}, 128, 3072, 768},
    {{"bert_128x768x3072", "and back", kLarge}, 128, 768, 3072},
    {{"bert_1024x3072x768", "8 sentences", kLarge}, 1024, 3072, 768},
    {{"attention_128x128x64", "the scores of one head of BERT"}, 128, 128, 64},
    {{"odd_13x67x37", "blocks that end inside a vector"}, 13, 67, 37},
};

}  // namespace mxinfer::cases
