// PictureNames: chooses the file for the picture of each image.
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

/// Never returns a name twice, nor that of an input image, so that no image is overwritten.
class PictureNames {
 public:
  /// `images`: the local images known beforehand. With `replace`, files of an earlier run may be overwritten.
  /// Without it, for lists whose images are not known yet, no existing file is.
  PictureNames(std::string folder, const std::vector<std::string>& images, bool replace);

  /// The path for the image at a path or an address, or on standard input (kStandardInput). It has the
  /// image's own name, followed by .png if that has no ending of a format that can be written.
  std::string next(const std::string& place);
  /// The same for another file: the image's name without its ending, then `suffix` and `ending`.
  std::string next(const std::string& place, const std::string& suffix, const std::string& ending);

 private:
  std::string next_of(const std::string& stem, const std::string& ending);
  bool is_free(const std::string& path) const;

  std::string folder_;
  bool replace_;
  std::set<std::string> taken_;  ///< canonical paths
  /// For each name, the number of its last picture.
  std::map<std::string, int> numbers_;
};

}  // namespace mxinfer::cli
