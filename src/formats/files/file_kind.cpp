#include "formats/files/file_kind.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "formats/archive/archive.h"
#include "formats/arrays/params.h"
#include "formats/files/listed_names.h"
#include "formats/first_bytes.h"

namespace mxinfer::formats {
namespace {

constexpr const char* kReadArrays =
    "read_arrays of mxinfer/tools/arrays.h (Python: mxinfer.mx_like.load_ndarray_file) reads them";

std::string described(const NamedParameter& array) {
  const std::string type = concat(to_string(array.value->dtype()), " ", to_string(array.value->shape()));
  return array.name.empty() ? type : concat("'", printable(array.name), "' ", type);
}

std::string described(const std::vector<NamedParameter>& arrays) {
  std::vector<std::string> texts;
  for (const NamedParameter& array : arrays) texts.push_back(described(array));
  return listed_names(texts);
}

bool all_named(const std::vector<NamedParameter>& arrays, bool (*is)(const std::string&)) {
  return std::all_of(arrays.begin(), arrays.end(),
                     [&](const NamedParameter& array) { return is(array.name); });
}

// SageMaker's k-means writes one array without a name, a row for each cluster.
bool is_k_means(const std::vector<NamedParameter>& arrays) {
  return arrays.size() == 1 && arrays[0].name.empty() && arrays[0].value->shape().rank() == 2;
}

// Its PCA writes these, and "mean" only if it subtracts one.
bool is_pca(const std::vector<NamedParameter>& arrays) {
  std::set<std::string> names;
  for (const NamedParameter& array : arrays) names.insert(array.name);
  names.erase("mean");
  return names == std::set<std::string>{"s", "v"};
}

bool is_role(const std::string& name) {
  return has_role(split_name(name).prefix);
}

bool is_dotted(const std::string& name) {
  return name.find('.') != std::string::npos && !is_role(name);
}

}  // namespace

FileKind recognize_file(const sources::Source& source) {
  if (recognize_archive(source) != ArchiveKind::none) return FileKind::archive;
  const std::string first = first_bytes(source);
  if (begins_like_params(first) || begins_like_npy(first)) return FileKind::arrays;
  return begins_like_json(first) ? FileKind::symbol : FileKind::unknown;
}

void fail_arrays_alone(const std::string& subject, const std::shared_ptr<const sources::Source>& source) {
  const std::vector<NamedParameter> arrays =
      in_context([&] { return subject; }, [&] { return index_params(source); });
  const std::string begin = concat(subject, " holds arrays and no network (", described(arrays), "). ");
  if (is_k_means(arrays)) {
    const Shape& shape = arrays[0].value->shape();
    fail(ErrorCode::unsupported, begin, "SageMaker's k-means writes such a file: the centres of ", shape[0],
         " clusters, of ", shape[1], " values each. There is nothing to run: a row of ", shape[1],
         " values belongs to the centre that is nearest to it; ", kReadArrays);
  }
  if (is_pca(arrays)) {
    fail(
        ErrorCode::unsupported, begin,
        "SageMaker's PCA writes such a file: 'v' are the components, 's' the "
        "singular values, 'mean' is subtracted first. There is nothing to run: a row less the mean, times v, "
        "is its projection; ",
        kReadArrays);
  }
  if (!arrays.empty() && all_named(arrays, is_dotted)) {
    fail(ErrorCode::not_found, begin, "A -symbol.json file would describe the network. ",
         advice_for_gluon(false));
  }
  if (!arrays.empty() && all_named(arrays, is_role)) {
    fail(ErrorCode::not_found, begin,
         "They are the parameters of a network that a -symbol.json file "
         "describes: give that file, and this one as its parameters (load_files; --params on the "
         "command line)");
  }
  fail(ErrorCode::unsupported, begin,
       "If they are parameters, give the -symbol.json file of their network, "
       "and this one as its parameters (load_files; --params on the command line); otherwise ",
       kReadArrays);
}

std::string advice_for_gluon(bool is_gluonts) {
  if (is_gluonts) {
    return "It is a predictor of GluonTS, which keeps its network as Python classes: load it there, and "
           "serialize what its as_symbol_block_predictor gives, which has such a file";
  }
  return "Parameters that Gluon's save_parameters wrote have none: call hybridize(), run the network once, "
         "and export() it";
}

bool is_gluonts_network(const std::string& name) {
  return std::string_view(name).ends_with("-network.json");
}

}  // namespace mxinfer::formats
