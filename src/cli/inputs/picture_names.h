// PictureNames: which file of a folder the picture of each image goes to.
//
//   PictureNames names("out", {"photos/street.jpg", "more/street.jpg"}, true);
//   names.next("photos/street.jpg");    // "out/street.jpg"
//   names.next("more/street.jpg");      // "out/street-2.jpg"
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace mxinfer::cli {

/// No name is given twice, and none is that of an image, so that no image is written over.
class PictureNames {
 public:
  /// `images`: those of this machine that are known beforehand. With `replace`, files that are there from an
  /// earlier run are written anew; without it, as for a list whose images are not known yet, no file is.
  PictureNames(std::string folder, const std::vector<std::string>& images, bool replace);

  /// For the image at a path or an address, or on standard input (kStandardInput), which has its name from
  /// there. It has the image's own name, and ends in .png if that ends in nothing that can be written.
  std::string next(const std::string& place);
  /// The same for a file beside it: the image's name without its ending, `suffix` and `ending`.
  std::string next(const std::string& place, const std::string& suffix, const std::string& ending);

 private:
  std::string next_of(const std::string& stem, const std::string& ending);
  bool is_free(const std::string& path) const;

  std::string folder_;
  bool replace_;
  std::set<std::string> taken_;  ///< canonical paths
  /// Of each name, the number that the last of its pictures has.
  std::map<std::string, int> numbers_;
};

}  // namespace mxinfer::cli
