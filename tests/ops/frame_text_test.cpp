// _mxinfer_frame_text: special tokens, pairs, truncation and padding.
#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include <algorithm>

#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::run_op;
using test::tensor_of;
using Ids = std::vector<std::int32_t>;
using Attrs = std::map<std::string, std::string>;

struct Framed {
  Ids ids, segments, lengths;
};

Ids numbers_in(const Tensor& tensor) {
  const auto span = tensor.span<std::int32_t>();
  return {span.begin(), span.end()};
}

Framed frame(Attrs attrs, const Ids& first, const Ids* second = nullptr) {
  const auto row = [](const Ids& ids) {
    Tensor tensor(DType::int32, {1, static_cast<std::int64_t>(ids.size()) + 1});
    std::fill_n(tensor.data<std::int32_t>(), ids.size() + 1, -9);
    std::copy(ids.begin(), ids.end(), tensor.data<std::int32_t>());
    return tensor;
  };
  const auto length = [](const Ids& ids) {
    return tensor_of<std::int32_t>({1}, {static_cast<std::int32_t>(ids.size())});
  };
  const Tensor a = row(first), a_length = length(first);
  const Tensor b = row(second != nullptr ? *second : Ids()),
               b_length = length(second != nullptr ? *second : Ids());
  attrs["pair"] = second != nullptr ? "True" : "False";
  std::vector<const Tensor*> inputs = {&a, &a_length};
  if (second != nullptr) inputs.insert(inputs.end(), {&b, &b_length});
  const auto out = run_op("_mxinfer_frame_text", attrs, inputs);
  return {numbers_in(out[0]), numbers_in(out[1]), numbers_in(out[2])};
}

const Attrs& bert() {
  static const Attrs& attrs = *new Attrs{{"begin", "2"}, {"end", "3"}, {"pad", "1"}, {"max_length", "8"}};
  return attrs;
}

Attrs with(Attrs attrs, const std::string& key, const std::string& value) {
  attrs[key] = value;
  return attrs;
}

TEST(FrameText, OneText) {
  const Framed out = frame(bert(), {10, 11});
  EXPECT_EQ(out.ids, (Ids{2, 10, 11, 3, 1, 1, 1, 1}));
  EXPECT_EQ(out.segments, Ids(8, 0));
  EXPECT_EQ(out.lengths, (Ids{4}));
  EXPECT_EQ(frame(bert(), {}).ids, (Ids{2, 3, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(frame(bert(), {10, 11, 12, 13, 14, 15, 16}).ids, (Ids{2, 10, 11, 12, 13, 14, 15, 3}));
  EXPECT_EQ(frame(with(bert(), "truncate_side", "left"), {10, 11, 12, 13, 14, 15, 16}).ids,
            (Ids{2, 11, 12, 13, 14, 15, 16, 3}));
}

TEST(FrameText, WithoutSpecialTokens) {
  const Framed out = frame({{"max_length", "3"}}, {10, 11});
  EXPECT_EQ(out.ids, (Ids{10, 11, 0}));
  EXPECT_EQ(out.lengths, (Ids{2}));
  EXPECT_EQ(frame({{"max_length", "3"}}, {}).lengths, (Ids{0}));
}

TEST(FrameText, PadsOnTheLeft) {
  const Ids second{20};
  const Framed out = frame(with(bert(), "pad_side", "left"), {10, 11}, &second);
  EXPECT_EQ(out.ids, (Ids{1, 1, 2, 10, 11, 3, 20, 3}));
  EXPECT_EQ(out.segments, (Ids{0, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(out.lengths, (Ids{6}));
}

TEST(FrameText, OfAPairTheLongerTextIsCut) {
  const Ids two{20, 21};
  Framed out = frame(bert(), {10, 11, 12, 13, 14, 15}, &two);
  EXPECT_EQ(out.ids, (Ids{2, 10, 11, 12, 3, 20, 21, 3}));
  EXPECT_EQ(out.segments, (Ids{0, 0, 0, 0, 0, 1, 1, 1}));
  const Ids many{20, 21, 22, 23, 24, 25};
  EXPECT_EQ(frame(bert(), {10}, &many).ids, (Ids{2, 10, 3, 20, 21, 22, 23, 3}));
  // Five places for two long texts: the first has the odd one.
  EXPECT_EQ(frame(bert(), {10, 11, 12, 13}, &many).ids, (Ids{2, 10, 11, 12, 3, 20, 21, 3}));
  EXPECT_EQ(frame(with(bert(), "truncate_side", "left"), {10, 11, 12, 13}, &many).ids,
            (Ids{2, 11, 12, 13, 3, 24, 25, 3}));
}

TEST(FrameText, APairWithoutASecondTextIsOneText) {
  const Ids none;
  EXPECT_EQ(frame(bert(), {10, 11}, &none).ids, (Ids{2, 10, 11, 3, 1, 1, 1, 1}));
  EXPECT_EQ(frame(bert(), {}, &none).ids, (Ids{2, 3, 1, 1, 1, 1, 1, 1}));
  const Ids one{20};
  EXPECT_EQ(frame(bert(), {}, &one).ids, (Ids{2, 3, 20, 3, 1, 1, 1, 1}));
}

// As a list from which one id after another is taken.
TEST(FrameText, SharesTheRoomLikeTakingOneIdAfterAnother) {
  for (int max_length = 4; max_length <= 12; ++max_length) {
    for (int a = 0; a <= 14; ++a) {
      for (int b = 1; b <= 14; ++b) {
        int first = a, second = b;
        while (first + second > max_length - 3) --(first > second ? first : second);
        Ids left(static_cast<std::size_t>(a), 10), right(static_cast<std::size_t>(b), 20);
        const Framed out = frame(with(bert(), "max_length", std::to_string(max_length)), left, &right);
        EXPECT_EQ(std::count(out.ids.begin(), out.ids.end(), 10), first)
            << a << ' ' << b << ' ' << max_length;
        EXPECT_EQ(std::count(out.ids.begin(), out.ids.end(), 20), second)
            << a << ' ' << b << ' ' << max_length;
      }
    }
  }
}

TEST(FrameText, RowsOnSeveralThreads) {
  constexpr std::int64_t kRows = 1000;
  Tensor ids(DType::int32, {kRows, 4}), lengths(DType::int32, {kRows});
  for (std::int64_t i = 0; i < kRows; ++i) {
    for (std::int64_t k = 0; k < 4; ++k)
      ids.data<std::int32_t>()[i * 4 + k] = static_cast<std::int32_t>(100 * i + k);
    lengths.data<std::int32_t>()[i] = static_cast<std::int32_t>(i % 5);
  }
  test::RunOpOptions options;
  options.threads = 2;
  const auto out = run_op("_mxinfer_frame_text", bert(), {&ids, &lengths}, options);
  for (std::int64_t i = 0; i < kRows; ++i) {
    EXPECT_EQ(out[2].data<std::int32_t>()[i], i % 5 + 2);
    if (i % 5 > 0) {
      EXPECT_EQ(out[0].data<std::int32_t>()[i * 8 + 1], 100 * i);
    }
  }
}

TEST(FrameText, WhatDoesNotFitIsRefused) {
  EXPECT_MXINFER_ERROR(frame(with(bert(), "max_length", "2"), {10}), ErrorCode::invalid_argument,
                       {"max_length is 2", "2 special tokens", "3 or more"});
  const Ids second{20};
  EXPECT_MXINFER_ERROR(frame(with(bert(), "max_length", "3"), {10}, &second), ErrorCode::invalid_argument,
                       {"3 special tokens"});
  EXPECT_MXINFER_ERROR(frame(with(bert(), "begin", "99999999999"), {10}), ErrorCode::malformed, {"begin"});
  EXPECT_MXINFER_ERROR(frame(with(bert(), "pad_side", "up"), {10}), ErrorCode::malformed, {"pad_side"});
  const Tensor ids = tensor_of<std::int32_t>({1, 2}, {1, 2});
  for (std::int32_t wrong : {-1, 3, 1 << 30}) {
    const Tensor length = tensor_of<std::int32_t>({1}, {wrong});
    EXPECT_MXINFER_ERROR(run_op("_mxinfer_frame_text", bert(), {&ids, &length}), ErrorCode::invalid_argument,
                         {"row 0", std::to_string(wrong)});
  }
  const Tensor two = tensor_of<std::int32_t>({2}, {1, 1}), real(DType::float32, {1, 2}),
               flat(DType::int32, {2});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_frame_text", bert(), {&ids, &two}), ErrorCode::invalid_argument,
                       {"N = 1"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_frame_text", bert(), {&real, &two}), ErrorCode::invalid_argument,
                       {"float32"});
  EXPECT_MXINFER_ERROR(run_op("_mxinfer_frame_text", bert(), {&flat, &two}), ErrorCode::invalid_argument,
                       {"(2,)"});
}

}  // namespace
}  // namespace mxinfer
