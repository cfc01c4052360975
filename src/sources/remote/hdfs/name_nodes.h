// NameNodes: the name nodes of one cluster, one of which is active. Their answers show which one.
//
//   NameNodes nodes({"http://nn1.example:9870", "http://nn2.example:9870"}, options.retries);
//   const std::string node = nodes.active();
//   ...                                                          // it is a standby
//   if (nodes.turn_from(node, NameNodes::Refusal::standby, why)) ...  // after that pause, ask nodes.active()
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mxinfer::sources {

/// Several threads may call every function at once.
class NameNodes {
 public:
  enum class Refusal {
    unreachable,  ///< no connection, or the proxy in front of it has none
    standby,      ///< another name node is active
    not_ready,    ///< it is starting or in safe mode: it or another node will answer later
  };

  /// `rounds`: how often all of them are asked again, if there is none that is active.
  NameNodes(std::vector<std::string> nodes, int rounds);

  [[nodiscard]] std::string active() const;
  /// Whether the address is at one of them.
  [[nodiscard]] bool has(std::string_view address) const;
  /// Call after a refusal of the node at the address (of the active one, if the address is none of them).
  /// Returns the pause before asking active() again: 0, or increasing pauses once all of them have refused.
  /// nullopt when the rounds are over, when there is only this node, which will not do better, and when none
  /// can be reached, which is retried like any failed connection.
  std::optional<std::chrono::milliseconds> turn_from(std::string_view address, Refusal refusal,
                                                     const std::string& why);
  /// Confirms that active() is active.
  void succeeded();
  /// "http://nn1.example:9870 (in state standby), http://nn2.example:9870"
  [[nodiscard]] std::string described() const;

 private:
  [[nodiscard]] std::size_t index_of(std::string_view address) const;
  std::chrono::milliseconds pause_before_round() const;

  const std::vector<std::string> nodes_;
  const int rounds_;
  mutable std::mutex mutex_;
  std::vector<std::string> whys_;  ///< the last refusal of each
  std::size_t active_ = 0;
  int turns_ = 0;  ///< since one was known to be active
};

}  // namespace mxinfer::sources
