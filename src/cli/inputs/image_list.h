// ImageList: the images of a command line, one after another: files and addresses, the images in folders, the
// lines of lists, which may still be being written, and an image on standard input.
//
//   ImageList list({"a.jpg", "photos", "s3://photos/2026/", "-"}, "more.txt", opener);   // "-": standard input
//   for (auto batch = list.next(8); !batch.empty(); batch = list.next(8)) ...
#pragma once

#include <mxinfer/error.h>

#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/inputs/line_reader.h"
#include "sources/opener.h"

namespace mxinfer::cli {

struct ListedImage {
  std::string place;               ///< a path, an address, or kStandardInput
  std::optional<Error> problem{};  ///< why there is no image, if that is known before reading
  std::shared_ptr<const std::vector<std::byte>> file{};  ///< the image on standard input
};

inline constexpr const char* kStandardInput = "-";

/// A folder stands for its files that end in .jpg, .jpeg or .png, and for images without an ending, ordered
/// by name; hidden files and subfolders are left out. A folder without images stays in the list: reading it
/// gives the error. An address that ends in "/" is a folder too, if its scheme can list folders.
class ImageList {
 public:
  /// `from` is the path or address of --from, or empty. The opener must outlive the list.
  ImageList(const std::vector<std::string>& given, const std::string& from, const sources::Opener& opener);

  /// The number of images; no value if it is unknown because of a list.
  std::optional<std::size_t> size() const;
  /// The paths of the local images known so far, without those of lists that were not read yet.
  std::vector<std::string> known_files() const;
  /// Up to `most` images; fewer if getting more would block; none at the end. An image on standard input
  /// comes alone. Throws the errors of LineReader, after it has returned the images before them.
  std::vector<ListedImage> next(std::size_t most);

 private:
  struct Item {
    ListedImage image;
    bool is_list = false;
    std::string option{};  ///< the option that named the list
  };

  std::vector<ListedImage> expanded(const std::string& place) const;
  std::vector<ListedImage> images_at(const std::string& folder) const;
  bool begin_list(std::vector<ListedImage>& batch);
  void read_line();
  void end_list();

  const sources::Opener& opener_;
  std::deque<Item> items_;
  std::optional<LineReader> reader_;  ///< reads the first of items_, a list
  bool is_list_known_ = false;        ///< whether that item is known not to be an image
  std::exception_ptr failure_;        ///< the reader's error, for the next call
};

/// Whether a name ends in .jpg, .jpeg or .png, in upper or lower case.
bool has_image_ending(const std::string& name);

}  // namespace mxinfer::cli
