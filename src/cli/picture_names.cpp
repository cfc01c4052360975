#include "cli/picture_names.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/image_list.h"
#include "sources/address.h"

namespace mxinfer::cli {
namespace {

namespace fs = std::filesystem;

/// Without links and dots, so that two names of one file are the same text.
std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path result = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal().string() : result.string();
}

/// The last name in a path or an address.
fs::path file_name(const std::string& place) {
  const std::string path =
      sources::is_remote(place) ? sources::percent_decoded(sources::parse_address(place).path) : place;
  const fs::path name = fs::path(path).filename();
  return name.empty() || name == "." || name == ".." ? fs::path("image") : name;
}

}  // namespace

PictureNames::PictureNames(std::string folder, const std::vector<std::string>& images, bool replace)
    : folder_(std::move(folder)), replace_(replace) {
  for (const std::string& image : images) taken_.insert(canonical(image));
}

std::string PictureNames::next(const std::string& place) {
  if (!sources::is_remote(place)) taken_.insert(canonical(place));
  const fs::path name = file_name(place);
  const std::string ending = has_image_ending(name.string()) ? name.extension().string() : ".png";
  const std::string stem = has_image_ending(name.string()) ? name.stem().string() : name.string();
  std::string path = (fs::path(folder_) / (stem + ending)).string();
  for (int number = 2; !is_free(path); ++number)
    path = (fs::path(folder_) / (stem + '-' + std::to_string(number) + ending)).string();
  taken_.insert(canonical(path));
  return path;
}

bool PictureNames::is_free(const std::string& path) const {
  std::error_code error;
  return taken_.count(canonical(path)) == 0 && (replace_ || !fs::exists(path, error));
}

}  // namespace mxinfer::cli
