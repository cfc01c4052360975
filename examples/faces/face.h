// The faces that examples/mtcnn and examples/retinaface find, and functions that print them.
#pragma once

#include <mxinfer/mxinfer.h>

#include <cmath>
#include <iosfwd>
#include <string>
#include <vector>

namespace faces {

struct Face {
  float score = 0;
  mxinfer::Box box;  ///< its edges, in pixels of the image: the first pixel is from 0 to 1
  mxinfer::FaceLandmarks landmarks{};
};

/// Whether all of its numbers are finite: a damaged network returns others.
inline bool is_finite(const Face& face) {
  bool finite = std::isfinite(face.score);
  for (const float edge : {face.box.left, face.box.top, face.box.right, face.box.bottom})
    finite = finite && std::isfinite(edge);
  for (const mxinfer::Point& point : face.landmarks)
    finite = finite && std::isfinite(point.x) && std::isfinite(point.y);
  return finite;
}

/// Prints the image's name, and a row for each face: score, box (left, top, right, bottom), and x,y of the
/// eyes, the nose and the corners of the mouth.
void print_table(std::ostream& out, const std::string& image, const std::vector<Face>& found);

/// Prints the same as a line of JSON:
/// {"image": ..., "faces": [{"score": ..., "box": [...], "landmarks": [[x, y], ...]}, ...]}.
void print_json(std::ostream& out, const std::string& image, const std::vector<Face>& found);

}  // namespace faces
