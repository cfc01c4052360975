// Tries whether a network accepts something.
//
//   const auto types = if_taken([&] { return batch_types(network, layout, 2, length); });
//   if (!types) ...                                    // it rejects a batch of two
#pragma once

#include <mxinfer/error.h>

#include <optional>
#include <type_traits>

namespace mxinfer::api {

/// Returns body(), or nullopt if it throws an Error. Lets out_of_memory through, which says nothing about the
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
