// Loads files into ModelData.
#pragma once

#include <mxinfer/model.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/arrays/named_array.h"
#include "formats/files/archived_model.h"
#include "formats/json/symbol_json.h"
#include "model/model_data.h"
#include "sources/opener.h"

namespace mxinfer::api {

enum class Purpose {
  run,      ///< every operator must be supported and every parameter present; the graph is optimised
  inspect,  ///< the graph stays as the file has it, and may have operators that are not supported
  report,   ///< likewise, and what else is wrong with it is listed: it may lack its parameters
};

/// The files as read, before they are interpreted.
struct RawModel {
  std::string name;
  formats::ParsedSymbol symbol;
  std::vector<formats::NamedParameter> params;
  bool has_params_file = false;
  std::vector<formats::NodeProblem> problems{};  ///< of a report
  std::vector<std::string> labels;
  std::vector<std::string> warnings;
  std::string kind = "symbol and parameters";  ///< of file, for people
  /// What the model's archive says besides the model; see formats::ArchivedModel.
  std::vector<formats::DescribedShape> described_inputs{}, described_outputs{};
  std::vector<std::string> graphs{};
  std::string graph{};
  /// The weights that its archive has packed; nullptr if there are none.
  std::shared_ptr<const PackedFile> packed{};
  /// The opener of its files; nullptr if there were none.
  std::shared_ptr<const sources::Opener> opener{};
};

RawModel read_model(const std::string& uri, const LoadOptions& options, Purpose purpose = Purpose::run);
RawModel read_files(const std::string& symbol_path, const std::string& params_path,
                    const LoadOptions& options, Purpose purpose = Purpose::run);
RawModel read_sources(const ModelSources& given, const LoadOptions& options);
RawModel read_memory(ByteSpan symbol_json, ByteSpan params, Purpose purpose = Purpose::run);

/// Binds parameters, prunes training inputs, takes the outputs asked for, numbers the inputs and takes the
/// signature from the file, or guesses it.
std::unique_ptr<ModelData> build_model(RawModel raw, const LoadOptions& options,
                                       Purpose purpose = Purpose::run);

}  // namespace mxinfer::api
