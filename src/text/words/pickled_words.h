// Lists of texts as NumPy writes them into .npy files: arrays of texts of a fixed width, and arrays of Python
// objects, which are pickled. A pickle is a program that makes objects; here only texts and lists are made,
// and nothing that it names is called.
//
//   std::vector<std::string> words = read_npy_texts(bytes_of_idx_to_token_npy);
#pragma once

#include <mxinfer/span.h>

#include <cstddef>
#include <string>
#include <vector>

namespace mxinfer::text {

/// The elements of a .npy file of texts ("<U7", "|S7", "|O"), in order. Throws Error(malformed) for what is
/// none, or whose objects are not texts.
std::vector<std::string> read_npy_texts(Span<const std::byte> bytes);

/// The texts of the one list that a pickle has texts in, as that of an array of objects.
std::vector<std::string> read_pickled_texts(Span<const std::byte> pickle);

}  // namespace mxinfer::text
