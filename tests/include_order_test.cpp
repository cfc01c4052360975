// The order of #includes, which keeps the folders apart:
//
//   kernels -> base -> {device, tensor} -> {image, text} -> graph -> ops -> shapes -> {passes, sources} ->
//   formats -> plan -> pipeline -> runtime -> model -> load -> compose -> {vision, sequence} -> api -> table ->
//   {c_api, c_predict, cli}
//
// A file includes only its own folder and what stands before it; the folders in braces do not include one
// another. Kernels see nothing of src/ or include/, and public headers nothing but one another and the
// standard library. The interfaces for C see public headers alone. The command sees public headers, and what
// guesses mistyped names, tells images from other files, reads and writes arrays (.npy and .npz files, and
// elements of any dtype), opens addresses, and cuts a text that still grows.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, int>& ranks() {
  static const std::map<std::string, int> table = {
      {"kernels", 0}, {"base", 1},    {"device", 2},   {"tensor", 2},    {"image", 3},
      {"text", 3},    {"graph", 4},   {"ops", 5},      {"shapes", 6},    {"passes", 7},
      {"sources", 7}, {"formats", 8}, {"plan", 9},     {"pipeline", 10}, {"runtime", 11},
      {"model", 12},  {"load", 13},   {"compose", 14}, {"vision", 15},   {"sequence", 15},
      {"api", 16},    {"table", 17},  {"cli", 18},     {"c_api", 18},    {"c_predict", 18}};
  return table;
}

/// The folder that each public header speaks for.
const std::map<std::string, std::string>& public_header_folders() {
  static const std::map<std::string, std::string> table = {{"export.h", "base"},
                                                           {"span.h", "base"},
                                                           {"byte_span.h", "base"},
                                                           {"error.h", "base"},
                                                           {"item_error.h", "base"},
                                                           {"version.h", "base"},
                                                           {"dtype.h", "tensor"},
                                                           {"shape.h", "tensor"},
                                                           {"tensor.h", "tensor"},
                                                           {"signature.h", "tensor"},
                                                           {"load_options.h", "tensor"},
                                                           {"remote_options.h", "base"},
                                                           {"vision/image.h", "image"},
                                                           {"vision/encode.h", "image"},
                                                           {"vision/point.h", "base"},
                                                           {"vision/draw.h", "vision"},
                                                           {"plan_info.h", "plan"},
                                                           {"tuning.h", "formats"},
                                                           {"tools/tune.h", "api"},
                                                           {"tools/quantize.h", "api"},
                                                           {"tools/calibration_method.h", "compose"},
                                                           {"tools/step_times.h", "api"},
                                                           {"tools/stepwise_run.h", "api"},
                                                           {"tools/arrays.h", "api"},
                                                           {"model.h", "model"},
                                                           {"predictor.h", "api"},
                                                           {"classifier.h", "api"},
                                                           {"vision/detect_options.h", "vision"},
                                                           {"vision/detect_report.h", "vision"},
                                                           {"vision/detections.h", "model"},
                                                           {"tools/bundle.h", "api"},
                                                           {"tools/remote_files.h", "sources"},
                                                           {"tools/transforms.h", "compose"},
                                                           {"tools/inspect.h", "api"},
                                                           {"vision/image_classifier.h", "api"},
                                                           {"vision/image_segmenter.h", "api"},
                                                           {"vision/keypoint_detector.h", "api"},
                                                           {"mxinfer.h", "api"},
                                                           {"vision/object_detector.h", "api"},
                                                           {"tools/sign.h", "api"},
                                                           {"tools/verify.h", "api"},
                                                           {"tools/model_builder.h", "api"},
                                                           {"activation.h", "tensor"},
                                                           {"options.h", "runtime"},
                                                           {"settings.h", "api"},
                                                           {"vision/preprocess.h", "model"},
                                                           {"vision/nms.h", "vision"},
                                                           {"vision/label_image.h", "image"},
                                                           {"vision/pose.h", "model"},
                                                           {"vision/face.h", "vision"},
                                                           {"vision/face_embedder.h", "api"},
                                                           {"predictor_stats.h", "runtime"},
                                                           {"memory_use.h", "model"},
                                                           {"byte_source.h", "base"},
                                                           {"log.h", "base"},
                                                           {"view_list.h", "base"},
                                                           {"named_views.h", "base"},
                                                           {"device.h", "tensor"},
                                                           {"async/async_options.h", "runtime"},
                                                           {"async/call_metrics.h", "runtime"},
                                                           {"async/request.h", "runtime"},
                                                           {"async/prediction.h", "runtime"},
                                                           {"async/completion_queue.h", "runtime"},
                                                           {"async/awaitable.h", "runtime"},
                                                           {"async/request_queue.h", "api"},
                                                           {"sequence/ctc.h", "text"},
                                                           {"sequence/side.h", "base"},
                                                           {"sequence/sequence_options.h", "formats"},
                                                           {"sequence/bucketed_model.h", "model"},
                                                           {"sequence/sequence_predictor.h", "api"},
                                                           {"sequence/session.h", "api"},
                                                           {"sequence/text_classifier.h", "api"},
                                                           {"sequence/generate_options.h", "sequence"},
                                                           {"sequence/generator.h", "api"},
                                                           {"table/arrow.h", "base"},
                                                           {"sequence/vocabulary.h", "text"},
                                                           {"sequence/tokenizer.h", "text"},
                                                           {"sequence/word_vectors.h", "text"},
                                                           {"table/table_predictor.h", "table"}};
  return table;
}

struct Include {
  std::string target;  ///< what stands between the quotes or brackets
  bool quoted = false;
  int line = 0;
};

struct SourceFile {
  std::string path;  ///< from the root of the repository, such as "src/ops/nn/pooling.cpp"
  std::vector<Include> includes;
};

std::vector<Include> read_includes(const fs::path& path) {
  static const std::regex pattern(R"rx(^\s*#\s*include\s+(["<])([^">]+)[">])rx");
  std::vector<Include> includes;
  std::ifstream file(path);
  int line_number = 0;
  for (std::string line; std::getline(file, line);) {
    ++line_number;
    std::smatch match;
    if (std::regex_search(line, match, pattern))
      includes.push_back({match[2], match[1] == "\"", line_number});
  }
  return includes;
}

std::vector<SourceFile> read_sources(const std::string& top) {
  const fs::path root = MXINFER_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp" && extension != ".inc" && extension != ".cu") continue;
    files.push_back({fs::relative(entry.path(), root).generic_string(), read_includes(entry.path())});
  }
  EXPECT_FALSE(files.empty()) << top << " holds no sources";
  return files;
}

std::string where(const SourceFile& file, const Include& include) {
  return file.path + ":" + std::to_string(include.line) + " includes " + include.target;
}

bool begins_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

/// The folder that an include belongs to; nothing for the standard library and for other libraries.
std::optional<std::string> folder_of(const Include& include) {
  if (begins_with(include.target, "mxinfer/")) {
    const auto found = public_header_folders().find(include.target.substr(8));
    return found == public_header_folders().end() ? "unknown public header" : found->second;
  }
  if (!include.quoted) return std::nullopt;
  return include.target.substr(0, include.target.find('/'));
}

TEST(IncludeOrder, EverySourceIncludesOnlyWhatComesBefore) {
  for (const SourceFile& file : read_sources("src")) {
    const std::string inside = file.path.substr(4);
    const std::string folder = inside.substr(0, inside.find('/'));
    const auto own = ranks().find(folder);
    ASSERT_NE(own, ranks().end()) << file.path << ": the folder has no place in the order; add it to ranks()";
    for (const Include& include : file.includes) {
      const std::optional<std::string> target = folder_of(include);
      if (!target) continue;
      const auto found = ranks().find(*target);
      if (found == ranks().end()) {
        ADD_FAILURE() << where(file, include) << ", which has no place in the order (" << *target << ")";
      } else {
        EXPECT_TRUE(*target == folder || found->second < own->second)
            << where(file, include) << ", which does not come before " << folder;
      }
    }
  }
}

TEST(IncludeOrder, KernelsSeeNothingOfTheLibrary) {
  // Kernels for GPUs compile for the tests' emulator too, and their library states the version it is of.
  const std::set<std::string> allowed{"simt/host/emulator.h", "simt/byte_products.h", "mxinfer/version.h"};
  for (const SourceFile& file : read_sources("kernels")) {
    for (const Include& include : file.includes) {
      if (file.path.find("kernels/cuda") != std::string::npos && allowed.count(include.target) > 0) continue;
      EXPECT_FALSE(begins_with(include.target, "mxinfer/")) << where(file, include);
      if (include.quoted) {
        EXPECT_TRUE(begins_with(include.target, "kernels/")) << where(file, include);
      }
    }
  }
}

TEST(IncludeOrder, PublicHeadersSeeOnlyOneAnotherAndTheStandardLibrary) {
  for (const SourceFile& file : read_sources("include/mxinfer")) {
    for (const Include& include : file.includes) {
      EXPECT_FALSE(include.quoted) << where(file, include) << " in quotes";
      const bool standard = include.target.find_first_of("./") == std::string::npos;
      EXPECT_TRUE(standard || begins_with(include.target, "mxinfer/")) << where(file, include);
    }
  }
}

TEST(IncludeOrder, HeadersOfCSeeOnlyOneAnotherAndTheStandardLibraryOfC) {
  for (const SourceFile& file : read_sources("include/mxinfer_c")) {
    for (const Include& include : file.includes) {
      const bool standard = include.target == "stddef.h" || include.target == "stdint.h";
      EXPECT_FALSE(include.quoted) << where(file, include) << " in quotes";
      EXPECT_TRUE(standard || begins_with(include.target, "mxinfer_c/")) << where(file, include);
    }
  }
}

TEST(IncludeOrder, TheCInterfacesUseThePublicOneAlone) {
  for (const std::string folder : {"c_api", "c_predict"}) {
    for (const SourceFile& file : read_sources("src/" + folder)) {
      for (const Include& include : file.includes) {
        if (!include.quoted) continue;
        EXPECT_TRUE(begins_with(include.target, folder + "/")) << where(file, include);
      }
    }
  }
}

TEST(IncludeOrder, EveryPublicHeaderHasAFolder) {
  for (const SourceFile& file : read_sources("include/mxinfer")) {
    EXPECT_EQ(public_header_folders().count(file.path.substr(std::string("include/mxinfer/").size())), 1u)
        << file.path << ": add it to public_header_folders()";
  }
}

TEST(IncludeOrder, TheCommandUsesPublicHeadersArraysAndAddressesOnly) {
  for (const SourceFile& file : read_sources("src/cli")) {
    for (const Include& include : file.includes) {
      if (!include.quoted) continue;
      EXPECT_TRUE(begins_with(include.target, "cli/") || include.target == "base/text/suggest.h" ||
                  include.target == "formats/arrays/npz.h" || include.target == "image/file_kind.h" ||
                  include.target == "tensor/npy.h" || include.target == "tensor/read_element.h" ||
                  include.target == "sources/address.h" || include.target == "sources/opener.h" ||
                  include.target == "text/unicode/settled_text.h")
          << where(file, include);
    }
  }
}

/// Removes the folders that include none of the others until none is left to remove: what stays is part of a
/// cycle or includes one.
std::map<std::string, std::set<std::string>> cyclic_part(std::map<std::string, std::set<std::string>> graph) {
  for (bool removed = true; removed;) {
    removed = false;
    for (auto folder = graph.begin(); folder != graph.end();) {
      const bool leaf = std::none_of(
          folder->second.begin(), folder->second.end(),
          [&](const std::string& other) { return other != folder->first && graph.count(other) > 0; });
      removed = removed || leaf;
      folder = leaf ? graph.erase(folder) : std::next(folder);
    }
  }
  return graph;
}

/// Expects that the folders directly in `top`, whose files are included as `prefix`<folder>/..., form no
/// cycle.
void expect_no_cycle(const std::string& top, const std::string& prefix, std::size_t least_folders) {
  const auto folder_in = [](const std::string& path, const std::string& start) -> std::optional<std::string> {
    const std::size_t end = path.find('/', start.size());
    if (!begins_with(path, start) || end == std::string::npos) return std::nullopt;
    return path.substr(start.size(), end - start.size());
  };
  std::map<std::string, std::set<std::string>> graph;
  for (const SourceFile& file : read_sources(top)) {
    const std::optional<std::string> folder = folder_in(file.path, top + "/");
    if (!folder) continue;
    graph[*folder];
    for (const Include& include : file.includes) {
      if (const auto target = folder_in(include.target, prefix)) graph[*folder].insert(*target);
    }
  }
  EXPECT_GE(graph.size(), least_folders);
  for (const auto& [folder, others] : cyclic_part(graph))
    ADD_FAILURE() << top << '/' << folder << " and " << testing::PrintToString(others)
                  << " include one another";
}

// kernels/cuda_library names the kernels of all families, and no family includes it.
TEST(IncludeOrder, FoldersOfKernelsFormNoCycle) {
  expect_no_cycle("kernels", "kernels/", 20);
}

TEST(IncludeOrder, FoldersOfOperatorsFormNoCycle) {
  expect_no_cycle("src/ops", "ops/", 10);
}

TEST(IncludeOrder, FoldersOfThePythonModuleFormNoCycle) {
  expect_no_cycle("python/src", "", 3);
}

TEST(Folders, HoldAtMostThirtyFiles) {
  constexpr int kMost = 30;
  std::map<std::string, int> files;
  for (const std::string top : {"src", "kernels", "include"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(MXINFER_SOURCE_DIR) / top)) {
      if (!entry.is_directory())
        ++files[fs::relative(entry.path().parent_path(), MXINFER_SOURCE_DIR).generic_string()];
    }
  }
  EXPECT_GT(files.size(), 50u);
  for (const auto& [folder, count] : files)
    EXPECT_LE(count, kMost) << folder
                            << ": give its subjects folders of their own (docs/design/architecture.md)";
}

}  // namespace
