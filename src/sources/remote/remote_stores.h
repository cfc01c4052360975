// The stores that fetch over the network. A build without libcurl has none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sources/store.h"

namespace mxinfer::sources {

/// nullptr: none is for the scheme.
std::unique_ptr<Store> remote_store(const std::string& scheme, const RemoteOptions& options);
std::vector<std::string> remote_schemes();
/// A sentence of advice if a scheme is missing because this build has none; else empty.
std::string remote_hint();

}  // namespace mxinfer::sources
