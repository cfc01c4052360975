#include "cli/inputs/image_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "sources/address.h"

namespace mxinfer::cli {
namespace {

namespace fs = std::filesystem;

bool is_image(const fs::path& path) {
  return path.filename().string()[0] != '.' && has_image_ending(path.filename().string());
}

// For names without an ending, the first bytes decide: downloads are often named by a number.
bool holds_image(const fs::path& path) {
  if (path.filename().string()[0] == '.' || path.has_extension()) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> first{};
  file.read(first.data(), first.size());
  const std::string_view bytes(first.data(), static_cast<std::size_t>(file.gcount()));
  return bytes.substr(0, 3) == "\xff\xd8\xff" || bytes == "\x89PNG";
}

std::vector<std::string> images_in(const std::string& folder) {
  std::vector<std::string> images;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) continue;
    if (is_image(entry->path()) || (entry->is_regular_file(ignored) && holds_image(entry->path())))
      images.push_back(entry->path().string());
  }
  std::sort(images.begin(), images.end());
  return images;
}

Error no_image_in(const std::string& folder) {
  return {ErrorCode::not_found, folder + ": no image (.jpg, .jpeg or .png) in this folder"};
}

std::vector<ListedImage> as_images(std::vector<std::string> places) {
  std::vector<ListedImage> images;
  for (std::string& place : places) images.push_back({std::move(place)});
  return images;
}

}  // namespace

bool has_image_ending(const std::string& name) {
  static constexpr std::array<std::string_view, 3> kEndings = {".jpg", ".jpeg", ".png"};
  std::string ending = fs::path(name).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

ImageList::ImageList(const std::vector<std::string>& given, const std::string& from,
                     const sources::Opener& opener)
    : opener_(opener) {
  for (const std::string& word : given) {
    if (word == kStandardInput) {
      items_.push_back({{word}, true, "IMAGE"});
    } else {
      for (ListedImage& image : expanded(word)) items_.push_back({std::move(image)});
    }
  }
  if (!from.empty()) items_.push_back({{from}, true, "--from"});
}

/// The images in a folder at an address.
std::vector<ListedImage> ImageList::images_at(const std::string& folder) const {
  std::optional<std::vector<std::string>> names = opener_.list(folder);
  const std::string shown = sources::shown(folder);
  sources::Address address = sources::parse_address(folder);
  const std::string path = address.path;
  if (!names) {
    throw Error(ErrorCode::unsupported, shown + ": folders cannot be listed over " + address.scheme +
                                            "; pass the images, or a list of them with --from");
  }
  names->erase(
      std::remove_if(names->begin(), names->end(), [](const std::string& name) { return !is_image(name); }),
      names->end());
  if (names->empty()) throw no_image_in(shown);
  std::sort(names->begin(), names->end());
  for (std::string& name : *names) {
    address.path = path + sources::name_in_address(name);
    name = sources::to_string(address);
  }
  return as_images(std::move(*names));
}

std::vector<ListedImage> ImageList::expanded(const std::string& place) const {
  try {
    if (sources::is_remote(place)) {
      const bool is_folder = sources::parse_address(place).path.ends_with("/");
      return is_folder ? images_at(place) : as_images({place});
    }
    const std::string path = sources::path_of_file(place);
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return as_images({path});
    std::vector<std::string> images = images_in(path);
    if (images.empty()) throw no_image_in(path);
    return as_images(std::move(images));
  } catch (const Error& e) {
    return {{place, e}};
  }
}

std::optional<std::size_t> ImageList::size() const {
  const bool open = std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.is_list; });
  return open ? std::nullopt : std::optional<std::size_t>(items_.size());
}

std::vector<std::string> ImageList::known_files() const {
  std::vector<std::string> files;
  for (const Item& item : items_) {
    if (!item.is_list && !item.image.problem && !sources::is_remote(item.image.place))
      files.push_back(item.image.place);
  }
  return files;
}

std::vector<ListedImage> ImageList::next(std::size_t most) {
  if (failure_) std::rethrow_exception(failure_);
  std::vector<ListedImage> batch;
  while (batch.size() < most && !items_.empty() && !failure_) {
    if (!items_.front().is_list) {
      batch.push_back(std::move(items_.front().image));
      items_.pop_front();
      continue;
    }
    try {
      if (!reader_) reader_.emplace(items_.front().option, items_.front().image.place, opener_);
      if (!batch.empty() && !reader_->ready()) break;
      if (!is_list_known_ && !begin_list(batch)) break;
      read_line();
    } catch (const Error&) {
      if (batch.empty()) throw;
      failure_ = std::current_exception();  // the images before it are returned first
    }
  }
  return batch;
}

/// Whether the first item is really a list. If it is an image on standard input, the image goes into the
/// batch or, if the batch is not empty, into the next one.
bool ImageList::begin_list(std::vector<ListedImage>& batch) {
  const Item& item = items_.front();
  is_list_known_ = !reader_->is_image();
  if (is_list_known_) return true;
  if (item.image.place != kStandardInput) {
    throw Error(ErrorCode::invalid_argument,
                item.option + ": '" + sources::shown(item.image.place) +
                    "' is an image, expected a list of images; pass it as IMAGE");
  }
  if (!batch.empty()) return false;
  auto file = std::make_shared<const std::vector<std::byte>>(reader_->read_all());
  batch.push_back({kStandardInput, std::nullopt, std::move(file)});
  end_list();
  return false;
}

void ImageList::end_list() {
  reader_.reset();
  is_list_known_ = false;
  items_.pop_front();
}

/// Inserts the images of the list's next line before the list, or removes the list at its end.
void ImageList::read_line() {
  const std::optional<std::string> line = reader_->next();
  if (!line) return end_list();
  if (line->empty()) return;
  std::vector<ListedImage> images = expanded(*line);
  for (auto image = images.rbegin(); image != images.rend(); ++image) items_.push_front({std::move(*image)});
}

}  // namespace mxinfer::cli
