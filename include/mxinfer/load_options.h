// LoadOptions: how to load a model. All fields have defaults, and most models need none of them.
//
//   mxinfer::LoadOptions options;
//   options.epoch = 12;                                        // of resnet18-0012.params
//   options.inputs = {{"data", {-1, 3, 224, 224}}};            // if the file does not state it
//   options.outputs = {"flatten0_output"};                     // features instead of scores
//   mxinfer::Model model = mxinfer::Model::load("resnet18", options);
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

/// How to run operators that draw random numbers, such as _image_random_flip_left_right or _sample_normal.
/// MXNet runs them at inference too.
enum class RandomTransforms {
  reject,  ///< throws Error(unsupported), which names the nodes
  /// Images stay as they are; crops take the centre, or resize the whole image if there are boxes. Throws
  /// Error(unsupported) if an operator draws from a distribution, such as _sample_normal.
  identity,
  execute,  ///< operators draw from a generator seeded with LoadOptions::seed
};

/// How to load a model.
struct LoadOptions {
  /// The number in the name of the .params file. If it is not set, the only .params file is loaded; several
  /// are an Error(invalid_argument).
  std::optional<int> epoch{};
  /// Descriptors of inputs, if the file has none or you want others. Each name must be an input of the
  /// network. Inputs that you leave out keep the descriptors of the file.
  std::vector<DataDesc> inputs{};
  /// The names of variables that you will pass values for. They become inputs even if they are the parameter
  /// of a layer, such as the beta of a LayerNorm, which the file would otherwise have to contain. If the file
  /// contains a value, it is not used. The name of a node that draws random numbers, such as _sample_normal,
  /// makes it an input too: you pass the numbers. Other names are ignored.
  std::vector<std::string> input_names{};
  /// Inner values to return instead of the network's outputs, by the names that `mxinfer inspect --nodes`
  /// prints: "fc1_output", or "fc1" for the first output of a node. If several values have one name, append
  /// the index of the value ("conv0_output#1"); the bare name is then an Error(invalid_argument) that lists
  /// them.
  std::vector<std::string> outputs{};
  /// Class names to use instead of those in the file or in synset.txt beside the model.
  std::vector<std::string> labels{};
  /// false: loads the network without the transforms before and after it. The results have the same bits as
  /// if the model had never had transforms. No effect on models without transforms.
  bool load_transforms = true;
  /// Runs the sample stored in the file, if there is one, and compares the results with the stored outputs.
  /// Throws Error(malformed) if they differ, which a damaged file or a faulty processor can cause.
  bool verify = false;
  RandomTransforms random_transforms = RandomTransforms::reject;
  std::uint64_t seed = 0;  ///< the seed of RandomTransforms::execute
  /// false: reads each large weight of a .params file when a plan first needs it. Loading is faster and takes
  /// less memory. The file stays open. You may rename, replace or delete it, but not write to it. If it is
  /// written to, a predict that needs weights that are not read yet, such as for another input size, throws
  /// Error(malformed); existing plans go on. If a large file at an address is still being fetched, a predict
  /// waits for the weights that it needs. If they cannot be fetched, it throws Error(network).
  ///
  /// true: reads the whole file at once and closes it. Models from memory and from archives are always read
  /// so, except from bundles with packed weights (docs/how-to/bundle.md), which are then not used.
  bool read_weights_at_once = false;
  /// The name of a network in a bundle (.mxz). Empty: the bundle's default.
  std::string graph{};
  /// SHA-256 digests in hexadecimal. Every file that is read, labels included, must have one of them; this is
  /// checked before the file is parsed. Empty: no check. "#sha256=..." at the end of an address does the
  /// same, with commas between several digests. No effect on models from memory.
  std::vector<std::string> sha256{};
  /// How files at addresses are fetched.
  RemoteOptions remote{};
  /// Your own URL schemes by name, such as "gs" for gs://. They take precedence over the library's.
  std::map<std::string, std::shared_ptr<const SourceScheme>> schemes{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
