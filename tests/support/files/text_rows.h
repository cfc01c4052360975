// Texts as arrays have them: a row of bytes each, zeros behind the text.
#pragma once

#include <mxinfer/tensor.h>

#include <cstring>
#include <string>
#include <vector>

namespace mxinfer::test {

/// Precondition: no text is longer than `width`.
inline Tensor text_tensor(const std::vector<std::string>& rows, std::size_t width) {
  Tensor tensor(DType::uint8, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(width)});
  std::uint8_t* to = tensor.data<std::uint8_t>();
  if (tensor.elements() > 0) std::memset(to, 0, static_cast<std::size_t>(tensor.elements()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].empty()) std::memcpy(to + i * width, rows[i].data(), rows[i].size());
  return tensor;
}

inline std::vector<std::string> texts_of(const Tensor& tensor) {
  std::vector<std::string> texts;
  const auto width = static_cast<std::size_t>(tensor.shape()[1]);
  for (std::int64_t row = 0; row < tensor.shape()[0]; ++row) {
    std::string text(
        reinterpret_cast<const char*>(tensor.data<std::uint8_t>()) + static_cast<std::size_t>(row) * width,
        width);
    texts.push_back(text.substr(0, text.find_last_not_of('\0') + 1));
  }
  return texts;
}

}  // namespace mxinfer::test
