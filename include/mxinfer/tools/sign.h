// sign: writes a model's inputs and outputs into its symbol file, so that programs that load it need not
// state them.
//
//   mxinfer::SignOptions options;
//   options.inputs = {{"data", {-1, 3, 224, 224}, mxinfer::DType::float32, "NCHW"}};   // else inferred
//   options.labels = mxinfer::load_labels("synset.txt");
//   options.output_prefix = "signed/resnet18_v1";
//   mxinfer::sign_model("resnet18_v1", options);
//
// MXNet loads signed models as before: the signature is a graph attribute, which it ignores.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/signature.h>

#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What to write, and where.
struct SignOptions {
  std::optional<int> epoch{};  ///< as LoadOptions::epoch
  /// Descriptors of inputs by name. Inputs that you leave out are as in the file, or inferred.
  std::vector<DataDesc> inputs{};
  /// Descriptors of outputs by their names. Meaning and layout are used, and the shape and dtype if the
  /// network does not determine them. Or a descriptor for each output, in order, with a new name.
  std::vector<DataDesc> outputs{};
  /// Class names. Empty: those in the file, or in synset.txt beside the model.
  std::vector<std::string> labels{};
  /// Ignores the signature in the file, which may then be invalid. What it records about transforms is lost.
  /// Its key "sequence" stays if the network has the inputs that it names.
  bool replace = false;
  /// Where the signed model is written: <output_prefix>-symbol.json, and a copy of the parameters beside it.
  std::string output_prefix{};
  /// Instead of output_prefix: replaces the symbol file itself, in one step.
  bool in_place = false;
};

/// What was written.
struct SignedModel {
  Signature signature;
  std::vector<std::string> labels;
  std::string symbol_path;
  std::string params_path;  ///< empty if the model has no parameters
  std::vector<std::string> warnings;
};

/// Signs a model. Each file is written completely or not at all. Throws as Model::load. Throws
/// Error(invalid_argument) if a descriptor contradicts the network, if neither or both of output_prefix and
/// in_place are set, or if a file cannot be written.
MXINFER_API SignedModel sign_model(const std::string& uri, const SignOptions& options);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
