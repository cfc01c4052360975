// Convolutions that add a residual behind their activation, as Darknet's blocks do.
#include <gtest/gtest.h>

#include "cuda/products/conv_run.h"
#include "kernels/conv/device_conv.h"

namespace mxinfer {
namespace {

using kernels::Activation;
using kernels::GemmTile;
using kernels::PostOps;
using test::completed;
using test::conv2d;
using test::ConvRun;

const PostOps kActivationsInFront[] = {
    {Activation::relu}, {Activation::leaky, 0.1f}, {Activation::clip, 0.0f, 0.5f}, {Activation::prelu}};

ConvRun with_residual_behind(const kernels::ConvProblem& problem, const PostOps& post_ops) {
  ConvRun run(problem);
  run.post_ops = post_ops;
  run.bias = run.residual = run.adds_last = true;
  return run;
}

TEST(ResidualBehindOnCuda, OfTilesByTheCudaCores) {
  for (const PostOps& post_ops : kActivationsInFront) {
    for (const std::int64_t filters : {20, 23}) {
      for (const int splits : {1, 3})
        with_residual_behind(completed(conv2d(16, filters, 7, 6, 3)), post_ops)
            .expect_gemm(GemmTile::tile_64x64, splits);
    }
  }
}

TEST(ResidualBehindOnCuda, OfTilesByTensorInstructions) {
  for (const kernels::Precision precision : test::lower_precisions()) {
    for (const int splits : {1, 3})
      with_residual_behind(completed(conv2d(16, 24, 7, 6, 3)), {Activation::leaky, 0.1f})
          .expect_gemm(GemmTile::tile_64x64, splits, precision);
  }
}

TEST(ResidualBehindOnCuda, OfWinograd) {
  for (const PostOps& post_ops : kActivationsInFront) {
    for (const int outputs : {4, 2})
      with_residual_behind(completed(conv2d(8, 22, 9, 7, 3)), post_ops).expect_winograd(outputs);
  }
}

TEST(ResidualBehindOnCuda, OfDepthwiseTiles) {
  kernels::ConvProblem problem = conv2d(32, 32, 9, 8, 3);
  problem.groups = 32;
  for (const PostOps& post_ops : kActivationsInFront)
    with_residual_behind(completed(problem), post_ops).expect_direct(kernels::DirectKind::depthwise_tiles, 1);
}

}  // namespace
}  // namespace mxinfer
