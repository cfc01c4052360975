#include "cli/inputs/picture_names.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/inputs/image_list.h"
#include "sources/address.h"

namespace mxinfer::cli {
namespace {

namespace fs = std::filesystem;

/// The path without links and dots, so that two names of one file are equal.
std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path result = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal().string() : result.string();
}

/// The last component of a path or an address, as a valid file name.
std::string file_name(const std::string& place) {
  if (place == kStandardInput) return "standard-input";
  const std::string path =
      sources::is_remote(place) ? sources::percent_decoded(sources::parse_address(place).path) : place;
  std::string name = fs::path(path).filename().string();
  std::replace(name.begin(), name.end(), '\0', '_');
  return name.empty() || name == "." || name == ".." ? "image" : name;
}

std::string stem_of(const std::string& name) {
  return has_image_ending(name) ? fs::path(name).stem().string() : name;
}

}  // namespace

PictureNames::PictureNames(std::string folder, const std::vector<std::string>& images, bool replace)
    : folder_(std::move(folder)), replace_(replace) {
  for (const std::string& image : images) taken_.insert(canonical(image));
}

std::string PictureNames::next(const std::string& place) {
  const std::string name = file_name(place);
  return next(place, "", has_image_ending(name) ? fs::path(name).extension().string() : ".png");
}

std::string PictureNames::next(const std::string& place, const std::string& suffix,
                               const std::string& ending) {
  if (!sources::is_remote(place) && place != kStandardInput) taken_.insert(canonical(place));
  return next_of(stem_of(file_name(place)) + suffix, ending);
}

std::string PictureNames::next_of(const std::string& stem, const std::string& ending) {
  int& number = numbers_.try_emplace(stem + ending, 0).first->second;
  std::string path;
  do {
    ++number;
    std::string name = stem;
    if (number > 1) name.append("-").append(std::to_string(number));
    name += ending;
    path = (fs::path(folder_) / name).string();
  } while (!is_free(path));
  taken_.insert(canonical(path));
  return path;
}

bool PictureNames::is_free(const std::string& path) const {
  std::error_code error;
  return taken_.count(canonical(path)) == 0 && (replace_ || !fs::exists(path, error));
}

}  // namespace mxinfer::cli
