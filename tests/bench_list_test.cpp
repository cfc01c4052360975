// Every vectorised family has cases (tests/cases) and a bench that measures them: the first line of a header
// of cases names the files of kernels/ that it is for, and a bench includes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = MXINFER_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(ending)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The folder beneath kernels/.
std::string family_of(const fs::path& file) {
  return fs::relative(file, kRoot / "kernels").begin()->string();
}

/// Convolutions are measured whatever file has them: bench/kernels/conv_cases.h. `speed` measures the machine
/// itself, and `common` is part of the others.
bool is_measured_otherwise(const std::string& family) {
  return family.starts_with("conv") || family == "speed" || family == "common";
}

bool is_included_by_a_bench(const std::string& header) {
  const std::vector<fs::path> benches = files_in(kRoot / "bench", "_bench.cpp");
  return std::any_of(benches.begin(), benches.end(), [&](const fs::path& bench) {
    return text_of(bench).find("#include \"cases/" + header + "\"") != std::string::npos;
  });
}

/// The header of cases that names a file; empty: none does.
std::string cases_of(const fs::path& file) {
  for (const fs::path& header : files_in(kRoot / "tests" / "cases", "_cases.h")) {
    const std::string text = text_of(header), first = text.substr(0, text.find('\n'));
    if (first.find("kernels/" + family_of(file)) != std::string::npos &&
        first.find(file.filename().string()) != std::string::npos)
      return header.filename().string();
  }
  return "";
}

TEST(BenchList, EveryVectorisedFileHasCasesAndABench) {
  const std::vector<fs::path> files = files_in(kRoot / "kernels", "_simd.cpp");
  ASSERT_GE(files.size(), 10u);
  for (const fs::path& file : files) {
    if (is_measured_otherwise(family_of(file))) continue;
    const std::string cases = cases_of(file);
    EXPECT_NE(cases, "") << "no header of tests/cases names " << file << " in its first line";
    if (cases.empty()) continue;
    EXPECT_TRUE(is_included_by_a_bench(cases)) << "no bench includes cases/" << cases << ", for " << file;
  }
}

TEST(BenchList, EveryHeaderOfCasesIsMeasuredAndTested) {
  const std::vector<fs::path> tests = files_in(kRoot / "tests" / "kernels", "_test.cpp");
  for (const fs::path& header : files_in(kRoot / "tests" / "cases", "_cases.h")) {
    const std::string name = header.filename().string();
    EXPECT_TRUE(is_included_by_a_bench(name)) << name;
    EXPECT_TRUE(std::any_of(tests.begin(), tests.end(),
                            [&](const fs::path& test) {
                              return text_of(test).find("#include \"cases/" + name + "\"") !=
                                     std::string::npos;
                            }))
        << "no test includes cases/" << name;
  }
}

}  // namespace
