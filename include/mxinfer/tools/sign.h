// sign: writes into a model's symbol file what it takes and gives, so that programs that load it need not say
// it.
//
//   mxinfer::SignOptions options;
//   options.inputs = {{"data", {-1, 3, 224, 224}, mxinfer::DType::float32, "NCHW"}};   // else inferred
//   options.labels = mxinfer::load_labels("synset.txt");
//   options.output_prefix = "signed/resnet18_v1";
//   mxinfer::sign_model("resnet18_v1", options);
//
// MXNet loads signed models as it loads others: the signature is a graph attribute, which it passes over.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/signature.h>

#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

struct SignOptions {
  std::optional<int> epoch{};  ///< as LoadOptions::epoch
  /// Descriptors of inputs by name; those left out are what the file says, or are guessed.
  std::vector<DataDesc> inputs{};
  /// Outputs by the names they have: meaning and layout are taken, and the shape if the network does not
  /// determine it. Or all of them in order with new names.
  std::vector<DataDesc> outputs{};
  /// Class names; left empty, those that the model has in its file or in synset.txt beside it.
  std::vector<std::string> labels{};
  /// Passes over the signature that is in the file, which may then be broken. What it records of how
  /// transforms were made is lost; its key "sequence" stays, if the network has the inputs that it names.
  bool replace = false;
  /// Where the signed model goes: <output_prefix>-symbol.json, and a copy of the parameters beside it.
  std::string output_prefix{};
  /// Instead of that: the symbol file itself is replaced, at once.
  bool in_place = false;
};

struct SignedModel {
  Signature signature;
  std::vector<std::string> labels;
  std::string symbol_path;
  std::string params_path;  ///< empty if the model has none
  std::vector<std::string> warnings;
};

/// Errors as Model::load; and invalid_argument if a descriptor contradicts the network, if neither or
/// both of output_prefix and in_place are given, and if a file cannot be written. A file is written whole
/// or not at all.
MXINFER_API SignedModel sign_model(const std::string& uri, const SignOptions& options);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
