// What the transforms of training share: two inputs and two outputs, and where their numbers come from.
#pragma once

#include <string>
#include <vector>

#include "ops/augment/drawn_numbers.h"
#include "ops/image/image_shape.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Where a transform of training takes its numbers from.
enum class Draws : std::uint8_t {
  none,    ///< it draws nothing
  random,  ///< a generator: "_mxinfer_random_" + name
  input,   ///< input 2, float32 or float64, (count) or (n, count): "_mxinfer_drawn_" + name
};

/// A name without its prefix as that of an operator: "crop_boxes" as "_mxinfer_random_crop_boxes".
std::string augment_name(const std::string& name, Draws draws);

/// Sets the inputs (data, `second`, and draws if they are an input) and the outputs (data, `second`).
void set_ports(OpDef& op, const std::string& second, Draws draws);

/// The error of input 2, if there is one, unless it holds `count` numbers at least for each image.
void require_draws(const InferContext& context, const ImageShape& image, std::int64_t count);

/// The numbers of each image of a run.
class DrawsOfRun {
 public:
  DrawsOfRun(const LowerContext& context, Draws draws);

  /// To be called once in each run.
  std::uint64_t next_run() const { return draws_ == Draws::random ? random_.next_run() : 0; }
  DrawnNumbers of_image(const RunContext& run, std::uint64_t run_key, std::int64_t image) const;

 private:
  Draws draws_;
  RandomSource random_;
  DType dtype_ = DType::float32;
  std::int64_t count_ = 0;
};

}  // namespace mxinfer::ops
