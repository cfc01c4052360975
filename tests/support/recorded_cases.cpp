#include "support/recorded_cases.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "formats/npz.h"

namespace mxinfer::test {
namespace {

void add_family(const std::string& path, std::map<std::string, RecordedCases>& cases) {
  std::map<std::string, Tensor> members;
  for (auto& array : formats::load_npz(path)) members.emplace(array.name, std::move(array.tensor));
  constexpr std::string_view kMeta = ".meta";
  for (const auto& [key, tensor] : members) {
    if (!std::string_view(key).ends_with(kMeta)) continue;
    const auto* text = reinterpret_cast<const char*>(tensor.data<std::uint8_t>());
    RecordedCases& recorded = cases[nlohmann::json::parse(text, text + tensor.elements()).at("op")];
    ++recorded.count;
    const std::string name = key.substr(0, key.size() - kMeta.size());
    for (const char* member : {".in0", ".out0"}) {
      const auto found = members.find(name + member);
      if (found == members.end()) continue;
      recorded.dtypes.insert(to_string(found->second.dtype()));
      break;
    }
  }
}

}  // namespace

std::map<std::string, RecordedCases> recorded_cases() {
  std::map<std::string, RecordedCases> cases;
  for (const auto& entry : std::filesystem::directory_iterator(MXINFER_SOURCE_DIR "/tests/golden/ops")) {
    if (entry.path().extension() == ".npz") add_family(entry.path().string(), cases);
  }
  return cases;
}

}  // namespace mxinfer::test
