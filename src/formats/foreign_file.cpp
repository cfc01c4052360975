#include "formats/foreign_file.h"

#include <cctype>

#include "base/fail.h"
#include "formats/first_bytes.h"

namespace mxinfer::formats {

using namespace std::string_view_literals;

std::string recognize_foreign(std::string_view bytes) {
  const auto starts = [&](std::string_view with) { return bytes.substr(0, with.size()) == with; };
  if (starts("version https://git-lfs")) {
    return "a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'";
  }
  if (starts("<!DOCTYPE") || starts("<!doctype") || starts("<html") || starts("<HTML")) {
    return "a web page, probably saved in place of the file";
  }
  if (starts("<?xml")) return "an XML document, probably an error that a server answered with";
  if (starts("\x1f\x8b"sv)) return "compressed with gzip; unpack it first (gunzip)";
  if (starts("\x89HDF"sv)) return "an HDF5 file (Keras)";
  return {};
}

void reject_foreign_symbol(std::string_view text) {
  if (text.empty()) fail(ErrorCode::malformed, "the symbol file is empty");
  const std::string what = recognize_foreign(text);
  if (!what.empty()) fail(ErrorCode::malformed, "this is not a symbol file but ", what);
  if (begins_like_zip(text)) {
    fail(ErrorCode::malformed,
         "this is not a symbol file but a zip archive; if it holds the model, give it alone, as the model "
         "(load, or load_archive from memory)");
  }
  if (begins_like_params(text)) {
    fail(ErrorCode::malformed,
         "this is not a symbol file but an MXNet .params file; give the -symbol.json file here");
  }
}

}  // namespace mxinfer::formats
