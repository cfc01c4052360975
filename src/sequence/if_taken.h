// Trials of what a network takes.
//
//   const auto types = if_taken([&] { return batch_types(network, layout, 2, length); });
//   if (!types) ...                                    // it takes no batch of two
#pragma once

#include <mxinfer/error.h>

#include <optional>
#include <type_traits>

namespace mxinfer::api {

/// What body() gives; nothing if it throws an Error, but for out_of_memory, which says nothing of the
/// network.
template <typename Body>
std::optional<std::invoke_result_t<const Body&>> if_taken(const Body& body) {
  try {
    return body();
  } catch (const Error& e) {
    if (e.code() == ErrorCode::out_of_memory) throw;
    return std::nullopt;
  }
}

}  // namespace mxinfer::api
