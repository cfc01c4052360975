// Inputs of a model and MXNet's outputs, as .npz files hold them: "input/<name>", "output/<i>".
#pragma once

#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "formats/arrays/npz.h"
#include "support/run_op.h"

namespace mxinfer::test {

struct Golden {
  std::map<std::string, Tensor> inputs;
  std::vector<Tensor> outputs;
};

inline Golden read_golden(const std::filesystem::path& path) {
  Golden golden;
  for (auto& array : formats::load_npz(path.string())) {
    if (array.name.rfind("input/", 0) == 0)
      golden.inputs.emplace(array.name.substr(6), std::move(array.tensor));
    if (array.name.rfind("output/", 0) == 0) {
      const auto index = static_cast<std::size_t>(std::stoi(array.name.substr(7)));
      if (golden.outputs.size() <= index) golden.outputs.resize(index + 1);
      golden.outputs[index] = std::move(array.tensor);
    }
  }
  return golden;
}

/// Every output within `tolerance` of MXNet's, relative to its largest magnitude.
inline void expect_golden(const Predictor& predictor, const Golden& golden, double tolerance) {
  std::vector<TensorView> inputs;
  for (const DataDesc& desc : predictor.model().signature().inputs) {
    ASSERT_TRUE(golden.inputs.count(desc.name)) << "the golden has no input " << desc.name;
    inputs.push_back(golden.inputs.at(desc.name).view());
  }
  const auto outputs = predictor.predict(Span<const TensorView>(inputs));
  ASSERT_EQ(outputs.size(), golden.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_LE(relative_difference(outputs[i], golden.outputs[i]), tolerance)
        << predictor.model().signature().outputs[i].name << ": " << to_string(outputs[i].shape())
        << ", MXNet gave " << to_string(golden.outputs[i].shape());
  }
}

}  // namespace mxinfer::test
