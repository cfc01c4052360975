// Kernels that read and write values in 16 bits, against the CPU's in float32.
#include "cuda/halves.h"

namespace mxinfer {
namespace {

using test::expect_in_halves;
using test::random_tensor;

TEST(HalvesOnCuda, ElementwiseFunctions) {
  for (const std::int64_t size : {1, 7, 8, 64, 1001}) {
    const Tensor x = random_tensor({2, size}, 1), y = random_tensor({2, size}, 2),
                 row = random_tensor({1, size}, 3), column = random_tensor({2, 1}, 4);
    expect_in_halves("Activation", {{"act_type", "relu"}}, {&x});
    expect_in_halves("Activation", {{"act_type", "sigmoid"}}, {&x});
    expect_in_halves("LeakyReLU", {{"act_type", "gelu"}}, {&x});
    expect_in_halves("_mul_scalar", {{"scalar", "0.3"}}, {&x});
    expect_in_halves("elemwise_add", {}, {&x, &y}, {.data = {0, 1}});
    expect_in_halves("broadcast_mul", {}, {&x, &row}, {.data = {0, 1}});
    expect_in_halves("broadcast_add", {}, {&x, &column}, {.data = {0, 1}});
    // A parameter is read as float32.
    expect_in_halves("broadcast_add", {}, {&x, &row}, {.parameters = {1}});
  }
}

// A scalar that float16 does not have is not rounded: arithmetic is float32.
TEST(HalvesOnCuda, NumbersAreFloat32) {
  const Tensor x = random_tensor({3, 40}, 1, 0, 1e-3f);
  expect_in_halves("_maximum_scalar", {{"scalar", "1e-9"}}, {&x});
  const Tensor y = random_tensor({3, 40}, 2, 1, 2);
  expect_in_halves("_plus_scalar", {{"scalar", "0.0001"}}, {&y});
}

TEST(HalvesOnCuda, BatchNorm) {
  for (const std::int64_t channels : {3, 8, 16, 20, 72}) {
    const Tensor gamma = random_tensor({channels}, 2, 0.5f, 2), beta = random_tensor({channels}, 3),
                 mean = random_tensor({channels}, 4), variance = random_tensor({channels}, 5, 0.1f, 2);
    const Tensor first = random_tensor({2, channels, 3, 5}, 1), last = random_tensor({2, 3, 5, channels}, 1);
    for (const std::vector<std::size_t>& parameters : {std::vector<std::size_t>{1, 2, 3, 4}, {}}) {
      expect_in_halves("BatchNorm", {{"fix_gamma", "False"}}, {&first, &gamma, &beta, &mean, &variance},
                       {.parameters = parameters});
      expect_in_halves("BatchNorm", {{"fix_gamma", "False"}, {"axis", "3"}},
                       {&last, &gamma, &beta, &mean, &variance}, {.parameters = parameters});
    }
  }
}

TEST(HalvesOnCuda, LayerNorm) {
  for (const std::int64_t length :
       {5, 32, 40, 256, 264, 512, 768, 1000, 1024, 1025, 3000, 4096, 8192, 8200}) {
    const Tensor data = random_tensor({2, 3, length}, 1, -2, 5), middle = random_tensor({2, length, 3}, 4);
    const Tensor gamma = random_tensor({length}, 2), beta = random_tensor({length}, 3);
    expect_in_halves("LayerNorm", {}, {&data, &gamma, &beta}, {.parameters = {1, 2}});
    expect_in_halves("LayerNorm", {{"axis", "1"}}, {&middle, &gamma, &beta});
  }
}

TEST(HalvesOnCuda, OtherNorms) {
  for (const std::int64_t size : {2, 7, 8, 40}) {
    const Tensor data = random_tensor({2, 6, size, size}, 1), gamma = random_tensor({6}, 2),
                 beta = random_tensor({6}, 3), gamma3 = random_tensor({3}, 4), beta3 = random_tensor({3}, 5);
    expect_in_halves("InstanceNorm", {}, {&data, &gamma, &beta});
    expect_in_halves("GroupNorm", {{"num_groups", "3"}}, {&data, &gamma3, &beta3});
    for (const char* mode : {"instance", "channel", "spatial"})
      expect_in_halves("L2Normalization", {{"mode", mode}}, {&data});
    expect_in_halves("LRN", {{"nsize", "5"}, {"alpha", "0.5"}}, {&data});
  }
}

TEST(HalvesOnCuda, Softmax) {
  for (const std::int64_t length : {1, 8, 31, 32, 128, 1000, 1024, 1032, 8192, 9000}) {
    const Tensor data = random_tensor({2, 3, length}, 1, -4, 4);
    expect_in_halves("softmax", {}, {&data});
    expect_in_halves("softmax", {{"axis", "1"}, {"temperature", "2"}}, {&data});
    expect_in_halves("log_softmax", {}, {&data}, {.roundings = 2});
    expect_in_halves("softmin", {}, {&data});
  }
  const Tensor data = random_tensor({2, 3, 64}, 1),
               lengths = test::tensor_of<int>({2, 3}, {0, 1, 64, 9, 63, 8});
  expect_in_halves("softmax", {{"use_length", "True"}}, {&data, &lengths});
}

TEST(HalvesOnCuda, Pooling) {
  for (const std::int64_t channels : {3, 8, 24, 70}) {
    const Tensor first = random_tensor({2, channels, 9, 11}, 1),
                 last = random_tensor({2, 9, 11, channels}, 2);
    for (const char* type : {"max", "avg"}) {
      std::map<std::string, std::string> attrs{
          {"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"pool_type", type}};
      expect_in_halves("Pooling", attrs, {&first});
      attrs["layout"] = "NHWC";
      expect_in_halves("Pooling", attrs, {&last});
      expect_in_halves("Pooling", {{"global_pool", "True"}, {"pool_type", type}, {"layout", "NHWC"}},
                       {&last});
      expect_in_halves("Pooling", {{"global_pool", "True"}, {"pool_type", type}}, {&first});
    }
    expect_in_halves("_contrib_AdaptiveAvgPooling2D", {{"output_size", "(2, 3)"}}, {&first});
  }
}

TEST(HalvesOnCuda, Moves) {
  const Tensor x = random_tensor({2, 6, 5, 8}, 1), y = random_tensor({2, 3, 5, 8}, 2);
  expect_in_halves("transpose", {{"axes", "(0, 2, 3, 1)"}}, {&x});
  expect_in_halves("Concat", {{"dim", "1"}, {"num_args", "2"}}, {&x, &y}, {.data = {0, 1}});
  expect_in_halves("slice_axis", {{"axis", "1"}, {"begin", "1"}, {"end", "4"}}, {&x});
  expect_in_halves("SliceChannel", {{"num_outputs", "3"}}, {&x});
  expect_in_halves("Reshape", {{"shape", "(0, -1)"}}, {&x});
  expect_in_halves("tile", {{"reps", "(1, 2, 1, 1)"}}, {&x});
  expect_in_halves(
      "Pad", {{"mode", "constant"}, {"pad_width", "(0,0,0,0,1,2,2,1)"}, {"constant_value", "0.5"}}, {&x});
  const Tensor rows = test::tensor_of<int>({3}, {1, 0, 1});
  expect_in_halves("take", {}, {&x, &rows});
  const Tensor lengths = test::tensor_of<int>({6}, {2, 1, 0, 2, 1, 2});
  const std::map<std::string, std::string> with_lengths{{"use_sequence_length", "True"}};
  expect_in_halves("SequenceMask", with_lengths, {&x, &lengths});
  expect_in_halves("SequenceReverse", with_lengths, {&x, &lengths});
}

TEST(HalvesOnCuda, ElementsByIndex) {
  const Tensor x = random_tensor({5, 6, 4}, 1), matrix = random_tensor({5, 6}, 2);
  const Tensor columns =
                   test::tensor_of<int>({5, 4}, {0, 5, 2, 3, 1, 4, 0, 0, 5, 5, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5}),
               one_each = test::tensor_of<int>({5}, {5, 0, 3, 2, 1});
  expect_in_halves("pick", {{"axis", "1"}}, {&x, &columns});
  expect_in_halves("batch_take", {}, {&matrix, &one_each});
  const Tensor places = test::tensor_of<int>({2, 3}, {0, 4, 2, 5, 0, 3});
  expect_in_halves("gather_nd", {}, {&x, &places});
  const Tensor element = random_tensor({3}, 3), rows = random_tensor({2, 6, 4}, 4),
               two = test::tensor_of<int>({2}, {4, 4});
  expect_in_halves("scatter_nd", {{"shape", "(5, 6)"}}, {&element, &places});
  expect_in_halves("_scatter_set_nd", {{"shape", "(5, 6)"}}, {&matrix, &element, &places}, {.data = {0, 1}});
  expect_in_halves("_contrib_index_copy", {}, {&x, &two, &rows}, {.data = {0, 2}});
}

TEST(HalvesOnCuda, OneHotRows) {
  const Tensor ints = test::tensor_of<int>({2, 3}, {0, 8, 3, -1, 12, 5}),
               floats = test::tensor_of<float>({2, 3}, {0, 8, 3, -1, 12, 5});
  for (const Tensor* indices : {&ints, &floats}) {
    expect_in_halves("one_hot", {{"depth", "9"}}, {indices}, {.data = {}});
    expect_in_halves("one_hot", {{"depth", "9"}, {"on_value", "0.3"}, {"off_value", "-2"}}, {indices},
                     {.data = {}});
  }
}

// A table that is a parameter is packed in 16 bits; one that is computed is stored so.
TEST(HalvesOnCuda, RowsOfTables) {
  const Tensor ints = test::tensor_of<int>({2, 3}, {0, 8, 3, -1, 12, 5}),
               floats = test::tensor_of<float>({2, 3}, {0, 8, 3, -1, 12, 5});
  for (const std::int64_t width : {1, 7, 8, 24, 130}) {
    const Tensor table = random_tensor({9, width}, 1);
    const std::map<std::string, std::string> sizes{{"input_dim", "9"}, {"output_dim", std::to_string(width)}};
    for (const Tensor* rows : {&ints, &floats}) {
      expect_in_halves("Embedding", sizes, {rows, &table}, {.data = {}, .parameters = {1}});
      expect_in_halves("Embedding", sizes, {rows, &table}, {.data = {1}});
      expect_in_halves("take", {}, {&table, rows}, {.data = {}, .parameters = {0}});
    }
    const Tensor deep = random_tensor({2, 9, width}, 2);
    expect_in_halves("take", {{"axis", "1"}, {"mode", "wrap"}}, {&deep, &ints},
                     {.data = {}, .parameters = {0}});
  }
}

TEST(HalvesOnCuda, LinalgGemm) {
  const Tensor a = random_tensor({2, 9, 24}, 1), b = random_tensor({2, 24, 16}, 2),
               c = random_tensor({2, 9, 16}, 3);
  expect_in_halves("_linalg_gemm2", {{"alpha", "0.3"}}, {&a, &b}, {.data = {0, 1}});
  // Parameters that are rounded: a and b of the product, and what is added.
  expect_in_halves("_linalg_gemm2", {}, {&a, &b}, {.parameters = {1}, .roundings = 4});
  expect_in_halves("_linalg_gemm", {{"beta", "2"}}, {&a, &b, &c}, {.data = {0, 1, 2}});
  expect_in_halves("_linalg_gemm", {}, {&a, &b, &c}, {.data = {0, 1}, .parameters = {2}, .roundings = 2});
}

TEST(HalvesOnCuda, Resampling) {
  const Tensor x = random_tensor({2, 4, 5, 6}, 1), small = random_tensor({2, 4, 5, 3}, 2);
  expect_in_halves("UpSampling", {{"scale", "2"}, {"sample_type", "nearest"}, {"num_args", "1"}}, {&x});
  const Tensor a = random_tensor({2, 4, 6, 6}, 1), b = random_tensor({2, 4, 3, 3}, 2);
  expect_in_halves(
      "UpSampling",
      {{"scale", "2"}, {"sample_type", "nearest"}, {"num_args", "2"}, {"multi_input_mode", "sum"}}, {&a, &b},
      {.data = {0, 1}, .roundings = 2});
  expect_in_halves("_contrib_BilinearResize2D", {{"height", "9"}, {"width", "7"}}, {&x});
}

TEST(HalvesOnCuda, Reductions) {
  for (const Shape& shape : {Shape{2, 3, 40}, Shape{2, 300, 8}, Shape{1, 2, 9000}}) {
    const Tensor x = random_tensor(shape, 1);
    for (const char* axis : {"1", "2", "(0, 2)"}) {
      expect_in_halves("mean", {{"axis", axis}}, {&x});
      expect_in_halves("max", {{"axis", axis}}, {&x});
      expect_in_halves("sum", {{"axis", axis}}, {&x}, {.precisions = {kernels::Precision::bfloat16}});
    }
  }
}

}  // namespace
}  // namespace mxinfer
