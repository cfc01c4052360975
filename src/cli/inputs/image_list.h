// ImageList: the images that a command was given, one after another: files and addresses, the images in
// folders, the lines of lists, whose writer may still be at work, and an image on standard input.
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
  std::optional<Error> problem{};  ///< why there is none at it, where that is known before it is read
  std::shared_ptr<const std::vector<std::byte>> file{};  ///< of standard input
};

inline constexpr const char* kStandardInput = "-";

/// Of a folder those files are taken whose names end in .jpg, .jpeg or .png, in the order of their names;
/// hidden ones, and folders in it, are left out. A folder without images stands for itself: reading
/// it gives the error. An address that ends in "/" is a folder too, whose scheme must be able to list.
class ImageList {
 public:
  /// `from` is the file of --from, or its address; empty if there is none. The opener outlives the list.
  ImageList(const std::vector<std::string>& given, const std::string& from, const sources::Opener& opener);

  /// How many there are, if no list is among them.
  std::optional<std::size_t> size() const;
  /// Those of this machine that are known by now: of lists, whose lines are not read yet, none.
  std::vector<std::string> known_files() const;
  /// Up to `most` images; fewer if one would have to wait for more. None at the end. An image on standard
  /// input comes alone. Errors of LineReader, behind the images that were read before.
  std::vector<ListedImage> next(std::size_t most);

 private:
  struct Item {
    ListedImage image;
    bool is_list = false;
    std::string option{};  ///< that named the list
  };

  std::vector<ListedImage> expanded(const std::string& place) const;
  std::vector<ListedImage> images_at(const std::string& folder) const;
  bool begin_list(std::vector<ListedImage>& batch);
  void read_line();
  void end_list();

  const sources::Opener& opener_;
  std::deque<Item> items_;
  std::optional<LineReader> reader_;  ///< of the list in front of items_
  bool is_list_known_ = false;        ///< whether that is known to be no image
  std::exception_ptr failure_;        ///< of that reader, for the next call
};

/// Whether a name ends in .jpg, .jpeg or .png, in capitals or not.
bool has_image_ending(const std::string& name);

}  // namespace mxinfer::cli
