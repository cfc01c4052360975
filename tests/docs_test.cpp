// The documentation says what the tree says: excerpts of files are in these files, links lead somewhere.
// (That its programs compile is tests/package's business.)
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = MXINFER_SOURCE_DIR;

std::vector<fs::path> documents() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path());
  }
  for (const char* folder : {"docs", "models", "tests/oracle"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".md") paths.push_back(entry.path());
    }
  }
  return paths;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << "cannot read " << path;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// "```cpp from=src/ops/nn/normalization/normalization.cpp" begins an excerpt of that file.
std::string excerpt_source(const std::string& line) {
  static const std::regex pattern("^```\\w+ from=(\\S+)$");
  std::smatch match;
  return std::regex_match(line, match, pattern) ? match[1].str() : "";
}

TEST(Documentation, ExcerptsAreInTheFilesTheyAreFrom) {
  int excerpts = 0;
  for (const fs::path& document : documents()) {
    const std::vector<std::string> lines = lines_of(document);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string source = excerpt_source(lines[i]);
      if (source.empty()) continue;
      ++excerpts;
      const std::vector<std::string> all = lines_of(kRoot / source);
      const std::set<std::string> known(all.begin(), all.end());
      for (++i; i < lines.size() && lines[i] != "```"; ++i) {
        EXPECT_EQ(known.count(lines[i]), 1u)
            << document.filename() << " line " << i + 1 << ": " << source << " has no line\n"
            << lines[i];
      }
    }
  }
  EXPECT_GT(excerpts, 0);
}

TEST(Documentation, LinksLeadSomewhere) {
  static const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  for (const fs::path& document : documents()) {
    bool code = false;
    for (const std::string& line : lines_of(document)) {
      if (line.rfind("```", 0) == 0) code = !code;
      if (code) continue;
      for (std::sregex_iterator found(line.begin(), line.end(), link), end; found != end; ++found) {
        const std::string target = (*found)[1];
        if (target.find("://") != std::string::npos) continue;
        EXPECT_TRUE(fs::exists(document.parent_path() / target))
            << document.filename() << " links to " << target;
      }
    }
  }
}

// A blank line in a table makes text of the rows behind it.
TEST(Documentation, EveryRowIsInATable) {
  static const std::regex ruler(R"(^\|(-+\|)+$)");
  int tables = 0;
  for (const fs::path& document : documents()) {
    const std::vector<std::string> lines = lines_of(document);
    bool code = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].rfind("```", 0) == 0) code = !code;
      const bool first_row =
          !code && lines[i].rfind('|', 0) == 0 && (i == 0 || lines[i - 1].rfind('|', 0) != 0);
      if (!first_row) continue;
      ++tables;
      EXPECT_TRUE(i + 1 < lines.size() && std::regex_match(lines[i + 1], ruler))
          << document.filename() << " line " << i + 1 << " begins a table without a ruler below it:\n"
          << lines[i];
    }
  }
  EXPECT_GT(tables, 10);
}

TEST(Documentation, NoMarkerIsLeft) {
  for (const fs::path& document : documents()) {
    for (const std::string& line : lines_of(document)) {
      EXPECT_EQ(line.find("TODO"), std::string::npos) << document << ": " << line;
    }
  }
}

}  // namespace
