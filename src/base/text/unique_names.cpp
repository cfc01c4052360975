#include "base/text/unique_names.h"

#include <cstddef>
#include <map>
#include <set>

namespace mxinfer {

std::vector<std::string> unique_names(std::vector<std::string> names) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : names) ++counts[name];
  if (counts.size() == names.size()) return names;
  std::set<std::string> taken;
  for (const auto& [name, count] : counts) {
    if (count == 1) taken.insert(name);
  }
  std::map<std::string, std::size_t> next;
  for (std::string& name : names) {
    if (counts.at(name) == 1) continue;
    std::size_t& index = next[name];
    std::string numbered;
    do {
      numbered = name + "#" + std::to_string(index++);
    } while (!taken.insert(numbered).second);
    name = numbered;
  }
  return names;
}

}  // namespace mxinfer
