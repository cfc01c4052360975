#include "ops/augment/draws_input.h"

#include "base/fail.h"

namespace mxinfer::ops {

std::string augment_name(const std::string& name, Draws draws) {
  switch (draws) {
    case Draws::random:
      return "_mxinfer_random_" + name;
    case Draws::input:
      return "_mxinfer_drawn_" + name;
    case Draws::none:
      break;
  }
  return "_mxinfer_" + name;
}

void set_ports(OpDef& op, const std::string& second, Draws draws) {
  std::vector<std::string> inputs = {"data", second};
  if (draws == Draws::input) inputs.emplace_back("draws");
  op.inputs = [inputs](const Attrs&) { return PortNames{inputs}; };
  op.outputs = [second](const Attrs&) { return PortNames{{"data", second}}; };
}

void require_draws(const InferContext& context, const ImageShape& image, std::int64_t count) {
  if (context.count() < 3) return;
  const Shape& shape = context.shape(2);
  const DType dtype = context.dtype(2);
  if (dtype != DType::float32 && dtype != DType::float64) {
    fail(ErrorCode::unsupported, "draws of ", to_string(dtype), " were given; expected float32 or float64");
  }
  const bool fits = shape.rank() == (image.batch ? 2u : 1u) && (!image.batch || shape[0] == image.images) &&
                    shape.back() >= count;
  if (fits) return;
  fail(ErrorCode::invalid_argument, "draws have shape ", to_string(shape), "; expected ",
       image.batch ? "(n, count), a row for each of the " : "(count)",
       image.batch ? std::to_string(image.images) + " images" : std::string(), ", of ", count,
       " numbers at least, which is what it may take");
}

DrawsOfRun::DrawsOfRun(const LowerContext& context, Draws draws) : draws_(draws), random_(context) {
  if (draws != Draws::input) return;
  dtype_ = context.input(2).dtype;
  count_ = context.input(2).shape.back();
}

DrawnNumbers DrawsOfRun::of_image(const RunContext& run, std::uint64_t run_key, std::int64_t image) const {
  if (draws_ != Draws::input) return DrawnNumbers(RandomSource::draws(run_key, image));
  if (dtype_ == DType::float64) return {run.input<double>(2) + image * count_, count_};
  return {run.input<float>(2) + image * count_, count_};
}

}  // namespace mxinfer::ops
