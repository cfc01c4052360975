#include "load/load_buckets.h"

#include "base/fail.h"
#include "formats/arrays/params.h"
#include "formats/files/bucket_files.h"
#include "formats/files/labels.h"
#include "load/load_model.h"
#include "sources/address.h"
#include "sources/digest.h"
#include "sources/source.h"

namespace mxinfer::api {
namespace {

formats::BucketFiles required_files(const std::string& uri, const LoadOptions& options) {
  if (sources::is_remote(uri)) {
    fail(ErrorCode::unsupported, "'", printable(uri),
         "' is an address; a bucketed model is read from local files: fetch them first");
  }
  auto files = formats::find_buckets(uri, options.epoch);
  if (files) return std::move(*files);
  fail(ErrorCode::not_found, "no bucketed model '", printable(uri), "': neither '", printable(uri),
       ".buckets' nor files '", printable(uri),
       "-<length>-symbol.json' with parameters are there, nor a folder with them; load a single network with "
       "Model::load");
}

std::vector<formats::NamedParameter> read_shared(const formats::BucketFiles& files,
                                                 const LoadOptions& options,
                                                 std::vector<std::string>& warnings) {
  const std::shared_ptr<const sources::Source> source = sources::open_file(files.params);
  sources::check_digest(*source, options.sha256);
  return formats::load_params(source, options.read_weights_at_once, &warnings);
}

}  // namespace

LoadedBuckets load_buckets(const std::string& uri, const LoadOptions& options) {
  const formats::BucketFiles files = required_files(uri, options);
  std::vector<std::string> warnings;
  const std::vector<formats::NamedParameter> params = read_shared(files, options, warnings);
  std::vector<std::string> labels;
  if (!files.labels.empty()) labels = formats::read_labels(*sources::open_file(files.labels));
  const auto weights = std::make_shared<plan::WeightStore>();

  LoadedBuckets loaded{files.prefix, {}};
  for (const auto& [key, symbol] : files.symbols) {
    RawModel raw = read_files(symbol, {}, options);
    raw.has_params_file = true;
    raw.params = params;  // shared values: no network changes them while others hold them
    raw.labels = labels;
    raw.warnings = warnings;
    std::unique_ptr<ModelData> data = build_model(std::move(raw), options);
    data->weights = weights;
    loaded.networks.emplace_back(key, std::move(data));
  }
  return loaded;
}

}  // namespace mxinfer::api
