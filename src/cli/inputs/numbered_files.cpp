#include "cli/inputs/numbered_files.h"

#include <mxinfer/error.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

namespace mxinfer::cli {
namespace {

namespace fs = std::filesystem;

/// 3 of "3.npy"; nothing for names that no run writes.
std::optional<std::size_t> number_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
  if (error != std::errc() || end != stem.data() + stem.size()) return std::nullopt;
  return file.filename() == std::to_string(number) + ".npy" ? std::optional<std::size_t>(number)
                                                            : std::nullopt;
}

/// The numbers from `count` on, in order; none if the folder does not exist.
std::vector<std::size_t> numbers_beyond(const std::string& folder, std::size_t count) {
  std::vector<std::size_t> numbers;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::optional<std::size_t> number = number_of(entry->path());
    if (number && *number >= count) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

std::string numbered_file(const std::string& folder, std::size_t number) {
  return (fs::path(folder) / (std::to_string(number) + ".npy")).string();
}

void reject_files_beyond(const std::string& folder, std::size_t count) {
  const std::vector<std::size_t> numbers = numbers_beyond(folder, count);
  if (numbers.empty()) return;
  std::string files = "'" + numbered_file(folder, numbers[0]) + "'";
  if (numbers.size() > 1) files += " and " + std::to_string(numbers.size() - 1) + " more";
  throw Error(ErrorCode::invalid_argument, "--output: the folder holds " + files +
                                               " of an earlier run, but this run has " +
                                               std::to_string(count) + (count == 1 ? " output" : " outputs") +
                                               "; choose another folder, or pass --force to remove them");
}

void remove_files_beyond(const std::string& folder, std::size_t count) {
  for (const std::size_t number : numbers_beyond(folder, count)) fs::remove(numbered_file(folder, number));
}

}  // namespace mxinfer::cli
