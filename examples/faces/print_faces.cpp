#include <cstdio>
#include <iomanip>
#include <limits>
#include <ostream>

#include "faces/face.h"

namespace faces {
namespace {

/// The text as a JSON string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += std::string("\\") + c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      result += escaped;
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

void print_table(std::ostream& out, const std::string& image, const std::vector<Face>& found) {
  out << image << ": " << found.size() << (found.size() == 1 ? " face\n" : " faces\n") << std::fixed;
  if (!found.empty()) {
    out << " score    left     top   right  bottom       left eye      right eye           nose     mouth "
           "left    mouth right\n";
  }
  for (const Face& face : found) {
    out << std::setprecision(4) << std::setw(6) << face.score << std::setprecision(1);
    for (const float edge : {face.box.left, face.box.top, face.box.right, face.box.bottom})
      out << std::setw(8) << edge;
    for (const mxinfer::Point& point : face.landmarks)
      out << std::setw(8) << point.x << ',' << std::setw(6) << point.y;
    out << '\n';
  }
}

void print_json(std::ostream& out, const std::string& image, const std::vector<Face>& found) {
  out << std::defaultfloat << std::setprecision(std::numeric_limits<float>::max_digits10);
  out << "{\"image\": " << quoted(image) << ", \"faces\": [";
  const char* between_faces = "";
  for (const Face& face : found) {
    const mxinfer::Box& box = face.box;
    out << between_faces << "{\"score\": " << face.score << ", \"box\": [" << box.left << ", " << box.top
        << ", " << box.right << ", " << box.bottom << "], \"landmarks\": [";
    const char* between_points = "";
    for (const mxinfer::Point& point : face.landmarks) {
      out << between_points << '[' << point.x << ", " << point.y << ']';
      between_points = ", ";
    }
    out << "]}";
    between_faces = ", ";
  }
  out << "]}\n";
}

}  // namespace faces
