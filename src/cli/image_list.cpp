#include "cli/image_list.h"

#include <mxinfer/error.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace mxinfer::cli {
namespace {

namespace fs = std::filesystem;

bool is_image(const fs::path& path) {
  static constexpr std::array<std::string_view, 3> kEndings = {".jpg", ".jpeg", ".png"};
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return path.filename().string()[0] != '.' &&
         std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

std::vector<std::string> images_in(const std::string& folder) {
  std::vector<std::string> images;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (is_image(entry->path()) && !entry->is_directory(ignored)) images.push_back(entry->path().string());
  }
  std::sort(images.begin(), images.end());
  return images;
}

std::vector<std::string> expanded(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<std::string> images = images_in(path);
  return images.empty() ? std::vector<std::string>{path} : images;
}

}  // namespace

ImageList::ImageList(const std::vector<std::string>& given, const std::string& from) {
  for (const std::string& word : given) {
    if (word == "-") {
      items_.push_back({word, true, "IMAGE"});
    } else {
      for (std::string& image : expanded(word)) items_.push_back({std::move(image)});
    }
  }
  if (!from.empty()) items_.push_back({from, true, "--from"});
}

std::optional<std::size_t> ImageList::size() const {
  const bool open = std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.is_list; });
  return open ? std::nullopt : std::optional<std::size_t>(items_.size());
}

std::vector<std::string> ImageList::next(std::size_t most) {
  if (failure_) std::rethrow_exception(failure_);
  std::vector<std::string> batch;
  while (batch.size() < most && !items_.empty() && !failure_) {
    if (!items_.front().is_list) {
      batch.push_back(std::move(items_.front().path));
      items_.pop_front();
      continue;
    }
    try {
      if (!reader_) reader_.emplace(items_.front().option, items_.front().path);
      if (!batch.empty() && !reader_->ready()) break;
      read_line();
    } catch (const Error&) {
      if (batch.empty()) throw;
      failure_ = std::current_exception();  // what was found before it is not lost with it
    }
  }
  return batch;
}

/// Puts what the next line of the list names in front of the list, or takes the list away at its end.
void ImageList::read_line() {
  const std::optional<std::string> line = reader_->next();
  if (!line) {
    reader_.reset();
    items_.pop_front();
    return;
  }
  if (line->empty()) return;
  std::vector<std::string> images = expanded(*line);
  for (auto image = images.rbegin(); image != images.rend(); ++image) items_.push_front({std::move(*image)});
}

}  // namespace mxinfer::cli
