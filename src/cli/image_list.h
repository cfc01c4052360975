// ImageList: the images that a command was given, one after another: files, the images in folders, and
// the lines of lists, whose writer may still be at work.
//
//   ImageList list({"a.jpg", "photos", "-"}, "more.txt");   // "-": a list on standard input
//   for (auto batch = list.next(8); !batch.empty(); batch = list.next(8)) ...
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "cli/line_reader.h"

namespace mxinfer::cli {

/// Of a folder those files are taken whose names end in .jpg, .jpeg or .png, in the order of their names;
/// hidden ones, and folders in it, are left out. A folder without images stands for itself: reading
/// it gives the error.
class ImageList {
 public:
  /// `from` is the file of --from; empty if there is none.
  ImageList(const std::vector<std::string>& given, const std::string& from);

  /// How many there are, if no list is among them.
  std::optional<std::size_t> size() const;
  /// Up to `most` paths; fewer if one would have to wait for more. None at the end. Errors of LineReader,
  /// behind the paths that were read before.
  std::vector<std::string> next(std::size_t most);

 private:
  struct Item {
    std::string path;
    bool is_list = false;
    std::string option{};  ///< that named the list
  };

  void read_line();

  std::deque<Item> items_;
  std::optional<LineReader> reader_;  ///< of the list in front of items_
  std::exception_ptr failure_;        ///< of that reader, for the next call
};

}  // namespace mxinfer::cli
