// Every operator against outputs recorded from real MXNet: tests/golden/ops/<family>.npz, made by
// tests/oracle/record_ops.py from the cases in tests/oracle/op_cases.
//
// One test a case and target, such as Golden/GoldenOp.EqualsMxnet/pooling_max_3x3_avx2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/fail.h"
#include "formats/arrays/npz.h"
#include "support/kernel_label.h"
#include "support/recorded_cases.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Members = std::map<std::string, Tensor>;

struct GoldenCase {
  std::string family, name;
  kernels::Target target = kernels::Target::ref;
  std::shared_ptr<const Members> members;  // of the whole family
  std::string load_error;                  // the family's file could not be read

  const Tensor& member(const std::string& what) const {
    const auto found = members->find(name + "." + what);
    if (found == members->end()) fail(ErrorCode::malformed, "member '", name, ".", what, "' is missing");
    return found->second;
  }
};

// GoogleTest prints a case it has no words for byte by byte.
void PrintTo(const GoldenCase& golden, std::ostream* out) {
  *out << golden.family << '.' << golden.name;
}

void append_family(const std::filesystem::path& path, std::vector<GoldenCase>& cases) {
  GoldenCase golden;
  golden.family = path.stem().string();
  auto members = std::make_shared<Members>();
  try {
    for (auto& array : formats::load_npz(path.string()))
      members->emplace(array.name, std::move(array.tensor));
  } catch (const Error& e) {
    golden.name = "file";
    golden.load_error = e.what();
    cases.push_back(golden);
    return;
  }
  golden.members = members;
  const std::string suffix = ".meta";
  for (const auto& [key, tensor] : *members) {
    if (!std::string_view(key).ends_with(suffix)) continue;
    golden.name = key.substr(0, key.size() - suffix.size());
    for (kernels::Target target : test::targets()) {
      golden.target = target;
      cases.push_back(golden);
    }
  }
}

std::vector<GoldenCase> all_cases() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(MXINFER_SOURCE_DIR "/tests/golden/ops")) {
    if (entry.path().extension() == ".npz") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<GoldenCase> cases;
  for (const auto& path : paths) append_family(path, cases);
  return cases;
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

class GoldenOp : public testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenOp, EqualsMxnet) {
  const GoldenCase& golden = GetParam();
  ASSERT_EQ(golden.load_error, "");
  const Tensor& text = golden.member("meta");
  const auto* begin = reinterpret_cast<const char*>(text.data<std::uint8_t>());
  const auto meta = nlohmann::json::parse(begin, begin + text.elements());

  std::vector<const Tensor*> inputs;
  for (std::size_t i = 0; i < meta.at("inputs"); ++i)
    inputs.push_back(&golden.member("in" + std::to_string(i)));
  const std::string op = meta.at("op");
  const auto attrs = meta.at("attrs").get<std::map<std::string, std::string>>();
  std::string kernel;
  test::RunOpOptions options;
  options.target = golden.target;
  options.parameters = meta.at("parameters").get<std::vector<std::size_t>>();
  options.numpy_shapes = meta.value("np_shape", false);
  options.kernel = &kernel;
  int overwrites = 0;
  options.overwrites = &overwrites;
  SCOPED_TRACE(op + " " + meta.at("attrs").dump());

  const std::vector<Tensor> outputs = test::run_op(op, attrs, inputs, options);
  const std::size_t recorded = meta.at("outputs");
  ASSERT_GE(outputs.size(), recorded);
  EXPECT_EQ(test::label_fault(kernel, golden.target), "") << kernel;
  for (std::size_t i = 0; i < recorded; ++i) {
    const Tensor& expected = golden.member("out" + std::to_string(i));
    const Tensor& actual = outputs[i];
    SCOPED_TRACE("output " + std::to_string(i) + ", kernel " + kernel);
    ASSERT_STREQ(to_string(actual.dtype()), to_string(expected.dtype()));
    ASSERT_EQ(to_string(actual.shape()), to_string(expected.shape()));
    const double limit = meta.value("tol", test::recorded_tolerance(expected.dtype()));
    if (limit > 0 && test::recorded_tolerance(expected.dtype()) > 0) {
      EXPECT_LE(test::relative_difference(actual, expected), limit);
    } else {
      EXPECT_TRUE(same_bytes(actual, expected));
    }
  }

  // The same bits at any thread count.
  options.threads = 2;
  const std::vector<Tensor> threaded = test::run_op(op, attrs, inputs, options);
  ASSERT_EQ(threaded.size(), outputs.size());
  for (std::size_t i = 0; i < recorded; ++i) {
    EXPECT_TRUE(same_bytes(threaded[i], outputs[i]))
        << "output " << i << " differs with 2 threads, kernel " << kernel;
  }

  // And where an output is written over an input, as the plan does it where nothing else needs the input.
  for (options.overwrite = 0; options.overwrite < overwrites; ++options.overwrite) {
    const std::vector<Tensor> in_place = test::run_op(op, attrs, inputs, options);
    for (std::size_t i = 0; i < recorded; ++i) {
      EXPECT_TRUE(same_bytes(in_place[i], outputs[i]))
          << "output " << i << " differs in place, kernel " << kernel;
    }
  }
}

std::string test_name(const testing::TestParamInfo<GoldenCase>& info) {
  return info.param.family + "_" + info.param.name + "_" + kernels::to_string(info.param.target);
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenOp, testing::ValuesIn(all_cases()), test_name);

}  // namespace
}  // namespace mxinfer
