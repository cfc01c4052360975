// Fetch: an address into a file, in parts, several at a time, each tried again from where it broke off.
//
//   const Fetch fetch(options);
//   TemporaryFile file = ...;
//   const Fetched fetched = fetch.into(file, {"https://models.example/digits-0000.params"}, known);
#pragma once

#include <mxinfer/remote_options.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sources/remote/origin.h"
#include "sources/remote/temporary_file.h"

namespace mxinfer::sources {

struct FetchRequest {
  std::string address;
  std::vector<std::string> headers{};
};

struct Fetched {
  enum class Outcome { whole, unchanged, absent };
  Outcome outcome = Outcome::whole;
  std::int64_t size = 0;
  Validators validators{};
};

class Fetch {
 public:
  explicit Fetch(const RemoteOptions& options) : options_(options) {}

  /// `known`: of the copy that is there; empty, if there is none. Absent are 404 and 410. Throws
  /// Error(network) with the server's status and words for others, or with what the last try failed with;
  /// Error(invalid_argument) if the file is too large.
  Fetched into(const TemporaryFile& file, const FetchRequest& request, const Validators& known) const;

 private:
  const RemoteOptions& options_;
};

}  // namespace mxinfer::sources
