// Lists of texts as NumPy writes them into .npy files: arrays of texts of a fixed width, and arrays of Python
// objects, which are pickled. A pickle is a program that creates objects. This reader creates only texts and
// lists, and never calls anything that the pickle names.
//
//   std::vector<std::string> words = read_npy_texts(bytes_of_idx_to_token_npy);
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer::text {

/// The elements of a .npy file of texts ("<U7", "|S7", "|O"), in order. Throws Error(malformed) if the bytes
/// are not such a file, or if objects are not texts.
std::vector<std::string> read_npy_texts(Span<const std::byte> bytes);

/// The texts of the only list of texts in a pickle, as in that of an array of objects.
std::vector<std::string> read_pickled_texts(Span<const std::byte> pickle);

}  // namespace mxinfer::text
