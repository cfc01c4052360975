// LoadOptions: what a caller says of a model that is loaded. All fields have defaults; most models need none.
//
//   mxinfer::LoadOptions options;
//   options.epoch = 12;                                        // of resnet18-0012.params
//   options.inputs = {{"data", {-1, 3, 224, 224}}};            // if the file does not say it
//   options.outputs = {"flatten0_output"};                     // features instead of scores
//   mxinfer::Model model = mxinfer::Model::load("models/digits", {});
#pragma once

#include <mxinfer/byte_source.h>
#include <mxinfer/export.h>
#include <mxinfer/remote_options.h>
#include <mxinfer/signature.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What becomes of operators that draw random numbers, such as _image_random_flip_left_right, which MXNet
/// runs at inference too.
enum class RandomTransforms {
  reject,    ///< Error(unsupported) naming the nodes
  identity,  ///< images stay as they are; crops take the centre; with boxes the whole is resized
  execute,   ///< they draw from a generator started with LoadOptions::seed
};

struct LoadOptions {
  /// The number in the name of the .params file. Without it the one file there is is taken; several are an
  /// error.
  std::optional<int> epoch{};
  /// Descriptors of the inputs, if the file carries none or others than the caller wants. Names must be
  /// inputs of the network; those left out keep what the file says.
  std::vector<DataDesc> inputs{};
  /// Variables that will be given values, by name. They are inputs even if they stand for a parameter of a
  /// layer (the beta of a LayerNorm), which would otherwise be one that the file lacks; and if the file
  /// has a value for them, which is then not used. Names of other things mean nothing here.
  std::vector<std::string> input_names{};
  /// Inner values to give as outputs instead of the network's own, by the names of `mxinfer inspect`:
  /// "fc1_output", or "fc1" for the first output of a node. Of several values of one name each has its index
  /// behind it ("conv0_output#1"), and the bare name is an Error(invalid_argument) that lists them.
  std::vector<std::string> outputs{};
  /// Class names, instead of those in the file or in synset.txt beside the model.
  std::vector<std::string> labels{};
  /// false: leaves off the transforms in front of and behind the network, and gives the bare network, bit for
  /// bit as if it had never had any. Nothing to do for models without transforms.
  bool load_transforms = true;
  /// Runs the sample stored in the file, if there is one, and compares with the output stored beside it;
  /// Error(malformed) if they differ, as with a damaged file, or a processor that computes wrongly.
  bool verify = false;
  RandomTransforms random_transforms = RandomTransforms::reject;
  std::uint64_t seed = 0;  ///< for RandomTransforms::execute
  /// false: large weights of a .params file are read when a plan first needs them, which starts sooner and
  /// takes less memory. The file is held open; it may be renamed, replaced by another or deleted, but not
  /// written to: a predict that then needs weights it has not read yet, for inputs of another size for
  /// instance, is Error(malformed), and what has been planned before goes on. A large file at an address may
  /// still be on its way when the model is there: a predict then waits for the weights that it needs, and is
  /// Error(network) if they cannot be had. true: all is read at once, and the file not needed any more.
  /// Models from memory and from archives always are.
  bool read_weights_at_once = false;
  /// Which network of a bundle (.mxz), by its name; empty: the one that the bundle says is the default.
  std::string graph{};
  /// SHA-256 of the model's files, in hexadecimal: every file that is read, the labels too, must have one of
  /// these, which is seen to before anything is made of it. Empty: any. "#sha256=..." behind an address says
  /// the same, with commas between several. Not for models from memory.
  std::vector<std::string> sha256{};
  /// How addresses are fetched.
  RemoteOptions remote{};
  /// What opens addresses of other schemes, by the scheme's name: "gs" for gs://. They come before the
  /// library's own.
  std::map<std::string, std::shared_ptr<const SourceScheme>> schemes{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
