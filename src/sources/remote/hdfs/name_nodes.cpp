#include "sources/remote/hdfs/name_nodes.h"

#include <algorithm>
#include <utility>

namespace mxinfer::sources {

NameNodes::NameNodes(std::vector<std::string> nodes, int rounds)
    : nodes_(std::move(nodes)), rounds_(rounds), whys_(nodes_.size()) {}

std::string NameNodes::active() const {
  const std::lock_guard lock(mutex_);
  return nodes_[active_];
}

std::size_t NameNodes::index_of(std::string_view address) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const std::string& node) {
    return address.starts_with(node) && (address.size() == node.size() || address[node.size()] == '/');
  });
  return static_cast<std::size_t>(found - nodes_.begin());
}

bool NameNodes::has(std::string_view address) const {
  return index_of(address) < nodes_.size();
}

std::optional<std::chrono::milliseconds> NameNodes::turn_from(std::string_view address, Refusal refusal,
                                                              const std::string& why) {
  constexpr std::chrono::milliseconds kAtOnce{0};
  const std::lock_guard lock(mutex_);
  const std::size_t found = index_of(address);
  const std::size_t index = found < nodes_.size() ? found : active_;
  whys_[index] = why;
  if (index != active_) return kAtOnce;  // another thread has turned from it
  const auto count = static_cast<int>(nodes_.size());
  active_ = (active_ + 1) % nodes_.size();
  ++turns_;
  if (turns_ % count != 0) return kAtOnce;
  if (refusal == Refusal::unreachable) return std::nullopt;
  if (refusal == Refusal::standby && count == 1) return std::nullopt;
  if (turns_ / count > rounds_) return std::nullopt;
  return pause_before_round();
}

/// 0.5, 1, 2, 4, 8 s: a standby takes some seconds until it is active.
std::chrono::milliseconds NameNodes::pause_before_round() const {
  const int round = turns_ / static_cast<int>(nodes_.size());
  return std::chrono::milliseconds(500) * (1 << std::min(round - 1, 4));
}

void NameNodes::succeeded() {
  const std::lock_guard lock(mutex_);
  turns_ = 0;
}

std::string NameNodes::described() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    text += (i == 0 ? "" : ", ") + nodes_[i];
    if (!whys_[i].empty()) text += " (" + whys_[i] + ")";
  }
  return text;
}

}  // namespace mxinfer::sources
