// How models at addresses are fetched, on the command line: --sha256, --cache, --header, and --remote for
// every other setting of the library's.
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
  std::string cache;  ///< empty: as the settings say
  std::vector<std::string> headers;
  std::vector<std::string> settings;  ///< "NAME=VALUE"
};

void add_address_options(CLI::App& command, AddressOptions& options);

/// With a bar on the terminal for what takes a while. A UsageError for settings that there are not, or that
/// do not take their value.
RemoteOptions remote_options(const AddressOptions& options);

}  // namespace mxinfer::cli
