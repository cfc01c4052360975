// Operators that make an image of a file. The shape of what they give is known only when they have run, so
// they are not part of a plan: a model runs them before its plans, on its inputs.
#include "base/fail.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

OpDef decoder(std::string name, std::string summary, std::vector<std::string> inputs, std::string refusal) {
  OpDef op;
  op.name = std::move(name);
  op.summary = std::move(summary);
  op.attrs = {graph::integer_attr("flag", 1).at_least(0).at_most(1), graph::flag_attr("to_rgb", true)};
  op.inputs = [inputs = std::move(inputs)](const Attrs&) { return PortNames{inputs}; };
  op.infer = [refusal = std::move(refusal)](const InferContext&) -> std::vector<TensorType> {
    fail(ErrorCode::unsupported, refusal);
  };
  op.lower = [](LowerContext&) -> Step { fail(ErrorCode::internal, "images are decoded outside of plans"); };
  return op;
}

OpDef imdecode() {
  OpDef op = decoder("_cvimdecode",
                     "Decodes the bytes of a JPEG or PNG to an image (h, w, 3) of RGB (BGR without to_rgb), "
                     "or with flag=0 to grey (h, w, 1); only as the first node of an input.",
                     {"buf"},
                     "the size of an image is known only when it is decoded: this can only be the first node "
                     "of an input, which is given one item at a time");
  op.traits.image_source = ImageSource::encoded;
  op.aliases = {"_npi_cvimdecode"};
  return op;
}

OpDef imread() {
  OpDef op =
      decoder("_cvimread", "Reads a fixed file as an image: known, but rejected when a model runs.", {},
              "a model that reads a fixed file does not run here; make the image an input, with "
              "_cvimdecode (bytes) or _mxinfer_read_image (a path) as its first node");
  op.aliases = {"_npi_cvimread"};
  op.attrs.insert(op.attrs.begin(), graph::text_attr("filename", ""));
  return op;
}

OpDef read_image() {
  OpDef op =
      decoder("_mxinfer_read_image",
              "Reads the file at a path (uint8, UTF-8) and decodes it like _cvimdecode; only as the first "
              "node of an input.",
              {"path"},
              "the size of an image is known only when it is read: this can only be the first node of an "
              "input, which is given one item at a time");
  op.traits.image_source = ImageSource::path;
  return op;
}

}  // namespace

std::vector<OpDef> image_decode_ops() {
  return {imdecode(), imread(), read_image()};
}

}  // namespace mxinfer::ops
