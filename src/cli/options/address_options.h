// The options for fetching models from addresses: --sha256, --cache, --header, and --remote for the rest.
//
//   AddressOptions options;
//   add_address_options(command, options);
//   ...
//   load.remote = remote_options(options);
#pragma once

#include <mxinfer/remote_options.h>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mxinfer::cli {

struct AddressOptions {
  std::vector<std::string> sha256;
  std::string cache;  ///< empty: as set by --remote cache=NAME
  std::vector<std::string> headers;
  std::vector<std::string> settings;  ///< "NAME=VALUE"
};

void add_address_options(CLI::App& command, AddressOptions& options);

/// Shows a progress bar on the terminal. UsageError for unknown settings and invalid values.
RemoteOptions remote_options(const AddressOptions& options);

}  // namespace mxinfer::cli
