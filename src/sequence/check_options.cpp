#include "sequence/check_options.h"

#include "base/fail.h"
#include "base/text/suggest.h"
#include "model/check_inputs.h"
#include "tensor/write_element.h"

namespace mxinfer::api {

std::size_t index_named(const std::vector<DataDesc>& descs, const std::string& name, const char* option,
                        const char* side, const std::string& network) {
  std::vector<std::string> names;
  for (const DataDesc& desc : descs) {
    if (desc.name == name) return names.size();
    names.push_back(desc.name);
  }
  fail(ErrorCode::invalid_argument, option, " names '", printable(name), "', which is not an ", side, " of ",
       network, "; its ", side, "s are ", names_of(descs), did_you_mean(name, names));
}

void check_buckets(const std::vector<std::int64_t>& buckets, const char* option) {
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (buckets[i] < 1) {
      fail(ErrorCode::invalid_argument, option, "[", i, "] is ", buckets[i],
           "; expected a length of 1 or more");
    }
    if (i > 0 && buckets[i] <= buckets[i - 1]) {
      fail(ErrorCode::invalid_argument, option, "[", i, "] is ", buckets[i], ", but the one before is ",
           buckets[i - 1], "; the lengths of buckets must rise");
    }
  }
}

void check_pad_value(double value, const DataDesc& input, std::optional<std::int64_t> rows,
                     const char* option, const std::string& network) {
  if (!holds(input.dtype, value)) {
    fail(ErrorCode::invalid_argument, option, " is ", value, ", which input '", printable(input.name),
         "' of ", network, ", ", to_string(input.dtype), ", cannot hold");
  }
  if (rows && (value < 0 || value >= static_cast<double>(*rows))) {
    fail(ErrorCode::invalid_argument, option, " is ", value, "; the Embedding of input '",
         printable(input.name), "' of ", network, " has rows for 0 to ", *rows - 1);
  }
}

}  // namespace mxinfer::api
