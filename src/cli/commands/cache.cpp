// mxinfer cache: lists and removes the copies on disk of files that were fetched.
#include <mxinfer/tools/remote_files.h>

#include <CLI/CLI.hpp>
#include <array>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/options/options.h"
#include "cli/options/value_checks.h"
#include "cli/output/output.h"
#include "cli/output/usage_error.h"

namespace mxinfer::cli {
namespace {

struct CacheOptions {
  std::string action;
  std::optional<std::int64_t> keep;
  bool json = false;
};

std::string time_text(std::chrono::system_clock::time_point time, const char* form, bool is_utc) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  if (is_utc) {
    gmtime_r(&seconds, &parts);
  } else {
    localtime_r(&seconds, &parts);
  }
  std::array<char, 40> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
}

std::string count_text(std::int64_t files, std::int64_t bytes) {
  return std::to_string(files) + (files == 1 ? " file, " : " files, ") +
         bytes_text(static_cast<double>(bytes));
}

int list_copies(const CacheOptions& options) {
  const std::vector<CachedFile> files = cached_files();
  std::int64_t bytes = 0;
  Json report = Json::array();
  Table table;
  for (const CachedFile& file : files) {
    bytes += file.size;
    report.push_back({{"address", file.address},
                      {"path", file.path},
                      {"size", file.size},
                      {"last_use", time_text(file.last_use, "%Y-%m-%dT%H:%M:%SZ", true)}});
    table.add({time_text(file.last_use, "%Y-%m-%d %H:%M", false), bytes_text(static_cast<double>(file.size)),
               clean(file.address)});
  }
  if (options.json) {
    print_json({{"files", report}, {"bytes", bytes}});
    return 0;
  }
  table.print(std::cout);
  std::cout << count_text(static_cast<std::int64_t>(files.size()), bytes);
  if (!files.empty())
    std::cout << " in " << clean(std::filesystem::path(files[0].path).parent_path().string());
  std::cout << '\n';
  return 0;
}

int clean_copies(const CacheOptions& options) {
  const CleanedCache removed = clean_cache({}, options.keep.value_or(0));
  if (options.json) {
    print_json({{"files", removed.files}, {"bytes", removed.bytes}});
  } else {
    std::cout << count_text(removed.files, removed.bytes) << " removed\n";
  }
  return 0;
}

int run_cache(const CacheOptions& options) {
  if (options.action == "clean") return clean_copies(options);
  if (options.keep)
    throw UsageError("--keep cannot be used with 'list', which removes nothing: use 'mxinfer cache clean'");
  return list_copies(options);
}

}  // namespace

void add_cache(CLI::App& app, Run& run) {
  auto options = std::make_shared<CacheOptions>();
  CLI::App* command = app.add_subcommand("cache", "List or remove the local copies of fetched files");
  one_of(command->add_option("ACTION", options->action,
                             "list: list the copies, the most recently used first; clean: remove them, and "
                             "files that killed processes left behind"),
         {"list", "clean"})
      ->required();
  byte_count(command->add_option("--keep", options->keep,
                                 "With clean, keep the most recently used copies up to this total size: "
                                 "bytes, or a size such as 500M or 2G (default 0)"))
      ->type_name("SIZE");
  add_general_options(*command, options->json);
  command->footer(
      "The copies are in the folder MXINFER_CACHE_DIR, else in XDG_CACHE_HOME/mxinfer, else in "
      "~/.cache/mxinfer. You may clean at any time: loaded models keep the data that they read, and copies "
      "that are being fetched stay.\n\n"
      "Examples:\n"
      "  mxinfer cache list\n"
      "  mxinfer cache clean --keep 2G");
  command->callback([&run, options] { run = [options] { return run_cache(*options); }; });
}

}  // namespace mxinfer::cli
