#include "support/recorded_cases.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "formats/arrays/npz.h"

namespace mxinfer::test {
namespace {

using Members = std::map<std::string, Tensor>;

/// body(name, meta, members) for each case of a family.
template <typename Body>
void for_each_of_family(const std::string& path, const Body& body) {
  Members members;
  for (auto& array : formats::load_npz(path)) members.emplace(array.name, std::move(array.tensor));
  constexpr std::string_view kMeta = ".meta";
  for (const auto& [key, tensor] : members) {
    if (!std::string_view(key).ends_with(kMeta)) continue;
    const Tensor& meta = tensor;
    const auto* text = reinterpret_cast<const char*>(meta.data<std::uint8_t>());
    body(key.substr(0, key.size() - kMeta.size()), nlohmann::json::parse(text, text + meta.elements()),
         members);
  }
}

template <typename Body>
void for_each_case(const Body& body) {
  for (const std::string& family : recorded_families())
    for_each_of_family(MXINFER_SOURCE_DIR "/tests/golden/ops/" + family + ".npz", body);
}

}  // namespace

void for_each_recorded(const std::function<void(const RecordedCase&)>& body) {
  for (const std::string& family : recorded_families()) for_each_recorded_of(family, body);
}

void for_each_recorded_of(const std::string& family, const std::function<void(const RecordedCase&)>& body) {
  const auto with = [&](const std::string& name, const nlohmann::json& meta, const Members& members) {
    RecordedCase recorded{name, meta.at("op"), meta.at("attrs"), {}, meta.at("parameters"), {}};
    for (std::size_t i = 0; i < meta.at("inputs"); ++i)
      recorded.inputs.push_back(&members.at(name + ".in" + std::to_string(i)));
    for (std::size_t o = 0; o < meta.at("outputs"); ++o)
      recorded.outputs.push_back(&members.at(name + ".out" + std::to_string(o)));
    if (meta.contains("tol")) recorded.tolerance = meta.at("tol").get<double>();
    recorded.numpy_shapes = meta.value("np_shape", false);
    body(recorded);
  };
  for_each_of_family(MXINFER_SOURCE_DIR "/tests/golden/ops/" + family + ".npz", with);
}

std::vector<std::string> recorded_families() {
  std::vector<std::string> families;
  for (const auto& entry : std::filesystem::directory_iterator(MXINFER_SOURCE_DIR "/tests/golden/ops")) {
    if (entry.path().extension() == ".npz") families.push_back(entry.path().stem().string());
  }
  std::sort(families.begin(), families.end());
  return families;
}

double recorded_tolerance(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return 1e-5;
    case DType::float64:
      return 1e-12;
    case DType::float16:
      return 1e-3;
    case DType::bfloat16:
      return 8e-3;
    default:
      return 0;
  }
}

std::map<std::string, RecordedCases> recorded_cases() {
  std::map<std::string, RecordedCases> cases;
  for_each_case([&](const std::string& name, const nlohmann::json& meta, const Members& members) {
    RecordedCases& recorded = cases[meta.at("op")];
    ++recorded.count;
    for (const char* member : {".in0", ".out0"}) {
      const auto found = members.find(name + member);
      if (found == members.end()) continue;
      recorded.dtypes.insert(to_string(found->second.dtype()));
      break;
    }
  });
  return cases;
}

}  // namespace mxinfer::test
