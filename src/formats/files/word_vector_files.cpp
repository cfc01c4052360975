#include "formats/files/word_vector_files.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>

#include "base/checked.h"
#include "base/fail.h"
#include "base/text/suggest.h"
#include "base/utf8.h"
#include "formats/archive/archive_stream.h"
#include "formats/arrays/npz.h"
#include "formats/arrays/params.h"
#include "formats/first_bytes.h"
#include "formats/foreign_file.h"
#include "tensor/floating.h"
#include "tensor/npy.h"
#include "tensor/read_element.h"
#include "text/words/pickled_words.h"
#include "text/words/word_vector_text.h"

namespace mxinfer::formats {
namespace {

std::string_view chars_of(const FileBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

void require_matrix(DType dtype, const Shape& shape) {
  if (is_float(dtype) && shape.rank() == 2 && shape[1] > 0) return;
  fail(ErrorCode::invalid_argument, "an array of ", to_string(dtype), " ", to_string(shape),
       "; word vectors are a matrix (words, dimensions) of floating-point numbers");
}

/// As float32.
text::WordMatrix matrix_of(Tensor array) {
  require_matrix(array.dtype(), array.shape());
  if (array.dtype() == DType::float32) return text::WordMatrix(std::move(array));
  Tensor numbers = Tensor::uninitialized(DType::float32, array.shape());
  const ElementReader read = element_reader(array.dtype());
  auto* const dst = numbers.data<float>();
  for (std::int64_t i = 0; i < array.elements(); ++i) dst[i] = static_cast<float>(read(array.raw(), i));
  return text::WordMatrix(std::move(numbers));
}

/// The matrix in the bytes of the file, without a copy; nullopt if it must be copied.
std::optional<text::WordMatrix> matrix_in(const FileBytes& file, std::size_t offset, const Shape& shape) {
  const std::byte* const data = file.bytes.data() + offset;
  if (file.owner == nullptr || reinterpret_cast<std::uintptr_t>(data) % alignof(float) != 0)
    return std::nullopt;
  return text::WordMatrix(file.owner, reinterpret_cast<const float*>(data), shape[0], shape[1]);
}

text::WordMatrix read_npy_matrix(const FileBytes& file) {
  const NpyHeader header = read_npy_header(file.bytes);
  if (header.type == "<f4" && !header.fortran_order && header.shape.rank() == 2) {
    const auto bytes = checked_mul(header.shape[0], header.shape[1], std::int64_t{sizeof(float)});
    // read_npy reports sizes that do not match the bytes.
    const bool is_whole =
        bytes && *bytes > 0 && static_cast<std::size_t>(*bytes) == file.bytes.size() - header.start;
    if (is_whole) {
      if (auto matrix = matrix_in(file, header.start, header.shape)) return *matrix;
    }
  }
  return matrix_of(read_npy(file.bytes, "NumPy array"));
}

/// Bytes in memory that record reads: the read of a parameter that stays in its file reveals its offset. Used
/// by one thread.
class WatchedBytes final : public sources::Source {
 public:
  explicit WatchedBytes(Span<const std::byte> bytes) : bytes_(bytes) {}

  const std::string& name() const override { return name_; }
  std::int64_t size() const override { return static_cast<std::int64_t>(bytes_.size()); }
  void read(std::int64_t offset, void* dst, std::size_t bytes) const override {
    check_range(offset, bytes);
    last_ = offset;
    if (watching_ || bytes == 0) return;
    std::memcpy(dst, bytes_.data() + offset, bytes);
  }

  /// Where the elements of the parameter begin. Precondition: it was indexed in this source, and is not in
  /// memory.
  std::size_t place_of(const Parameter& parameter) {
    watching_ = true;
    parameter.copy_to(nullptr);
    watching_ = false;
    return static_cast<std::size_t>(last_);
  }

 private:
  Span<const std::byte> bytes_;
  std::string name_ = "parameters";
  bool watching_ = false;
  mutable std::int64_t last_ = 0;
};

std::string listed_arrays(const std::vector<NamedParameter>& arrays) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, arrays.size()); ++i)
    text += concat(i == 0 ? "" : ", ", printable(bare_name(arrays[i].name)), " ",
                   to_string(arrays[i].value->shape()));
  return arrays.size() > kShown ? text + concat(" and ", arrays.size() - kShown, " more") : text;
}

const NamedParameter& named(const std::vector<NamedParameter>& arrays, const std::string& name) {
  std::vector<std::string> names;
  for (const NamedParameter& array : arrays) {
    if (array.name == name || bare_name(array.name) == name) return array;
    names.push_back(bare_name(array.name));
  }
  fail(ErrorCode::invalid_argument, "there is no array '", printable(name), "'", did_you_mean(name, names),
       "; there are ", listed_arrays(arrays));
}

const NamedParameter& only_matrix(const std::vector<NamedParameter>& arrays) {
  const auto is_matrix = [](const NamedParameter& array) {
    return is_float(array.value->dtype()) && array.value->shape().rank() == 2;
  };
  const auto count = std::count_if(arrays.begin(), arrays.end(), is_matrix);
  if (count == 1) return *std::find_if(arrays.begin(), arrays.end(), is_matrix);
  fail(ErrorCode::invalid_argument, "the file has ", count,
       " matrices; choose with WordVectorsOptions::array ",
       "which of its arrays has the word vectors: ", listed_arrays(arrays));
}

text::WordMatrix read_params_matrix(const FileBytes& file, const std::string& name) {
  const auto source = std::make_shared<WatchedBytes>(file.bytes);
  std::vector<NamedParameter> arrays = index_params(source);
  const NamedParameter& array = name.empty() ? only_matrix(arrays) : named(arrays, name);
  std::shared_ptr<const Parameter> value = array.value;
  arrays.clear();
  require_matrix(value->dtype(), value->shape());
  if (!value->in_memory() && value->dtype() == DType::float32) {
    if (auto matrix = matrix_in(file, source->place_of(*value), value->shape())) return *matrix;
  }
  return matrix_of(Parameter::take(std::move(value)));
}

/// The members of an archive that have these names, without ".npy".
std::map<std::string, std::vector<std::byte>> unpack(const FileBytes& file,
                                                     const std::vector<std::string>& names) {
  const auto source = sources::from_memory(file.bytes, "NumPy archive");
  const auto limit = [] {
    fail(ErrorCode::invalid_argument, "the archive unpacks to more than ", kNpzByteLimit, " bytes");
  };
  const auto stream = open_archive_stream(*source, ArchiveKind::zip, {kNpzByteLimit, limit});
  std::map<std::string, std::vector<std::byte>> members;
  std::string seen;
  while (const auto entry = stream->next()) {
    seen += (seen.empty() ? "" : ", ") + printable(entry->name);
    for (const std::string& name : names) {
      if (entry->name == name + ".npy" && members.count(name) == 0) members[name] = stream->unpack();
    }
  }
  if (members.count(names[0]) == 0 || members.count(names[1]) == 0) {
    fail(ErrorCode::malformed, "the archive has ", printable(seen), "; expected ", names[0], ".npy and ",
         names[1], ".npy, as gluonnlp's TokenEmbedding.serialize() writes them");
  }
  return members;
}

WordVectorsFile read_gluonnlp(const FileBytes& file) {
  auto members = unpack(file, {"idx_to_token", "idx_to_vec", "unknown_token"});
  WordVectorsFile read;
  read.words = in_context([] { return "idx_to_token.npy"; },
                          [&] { return text::read_npy_texts(members.at("idx_to_token")); });
  if (const auto unknown = members.find("unknown_token"); unknown != members.end()) {
    const auto texts =
        in_context([] { return "unknown_token.npy"; }, [&] { return text::read_npy_texts(unknown->second); });
    if (!texts.empty() && !texts[0].empty()) read.unknown = texts[0];
  }
  read.matrix = matrix_of(read_npy(members.at("idx_to_vec"), "idx_to_vec.npy"));
  if (static_cast<std::size_t>(read.matrix.rows()) != read.words->size()) {
    fail(ErrorCode::malformed, "idx_to_token.npy has ", read.words->size(), " words, idx_to_vec.npy ",
         read.matrix.rows(), " vectors");
  }
  return read;
}

WordVectorsFile from_rows(text::WordRows rows) {
  WordVectorsFile read;
  read.words = std::move(rows.words);
  read.matrix = text::WordMatrix(std::move(rows.matrix));
  read.skipped = rows.skipped;
  return read;
}

/// Whether there are bytes in front that no text has.
bool has_binary(std::string_view text) {
  text = text.substr(0, 4096);
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
}

/// Whether the first line is that of word2vec's forms.
bool begins_with_counts(std::string_view bytes) {
  return text::counts_of(bytes.substr(0, bytes.substr(0, 64).find('\n'))).has_value();
}

WordVectorsFormat recognize_vectors(std::string_view bytes) {
  if (begins_like_zip(bytes)) return WordVectorsFormat::npz;
  if (begins_like_npy(bytes)) return WordVectorsFormat::npy;
  if (begins_like_params(bytes)) return WordVectorsFormat::params;
  const std::string foreign = recognize_foreign(bytes.substr(0, 4096));
  if (!foreign.empty()) fail(ErrorCode::malformed, "these are not word vectors but ", foreign);
  if (bytes.starts_with("{\""))
    fail(ErrorCode::malformed, "this is JSON, perhaps a vocabulary, and has no vectors");
  if (!has_binary(bytes)) return WordVectorsFormat::text;
  if (begins_with_counts(bytes)) return WordVectorsFormat::word2vec;
  fail(ErrorCode::malformed,
       "this does not begin like a file of word vectors; expected text (a word and its numbers per line, as "
       "in GloVe, word2vec and fastText), word2vec's binary form, gluonnlp's .npz, a .npy or a .params file");
}

WordVectorsFile read_text(std::string_view text) {
  return from_rows(text::read_vector_lines(without_byte_order_mark(text)));
}

WordVectorsFile read_binary(std::string_view bytes) {
  if (!begins_with_counts(bytes)) {
    fail(ErrorCode::malformed,
         "the first line of word2vec's binary form must hold the numbers of words and of ",
         "dimensions, got \"", printable(bytes.substr(0, 40)), "\"");
  }
  return from_rows(text::read_word2vec(bytes));
}

}  // namespace

WordVectorsFile read_word_vectors(const FileBytes& file, WordVectorsFormat format, const std::string& array) {
  const std::string_view bytes = chars_of(file);
  if (bytes.empty()) fail(ErrorCode::malformed, "the file of word vectors is empty");
  if (format == WordVectorsFormat::automatic) format = recognize_vectors(bytes);
  if (!array.empty() && format != WordVectorsFormat::params) {
    fail(ErrorCode::invalid_argument, "the array '", printable(array),
         "' was requested, but the file is not a .params file; only those have arrays by name");
  }
  WordVectorsFile read;
  switch (format) {
    case WordVectorsFormat::npz:
      return read_gluonnlp(file);
    case WordVectorsFormat::npy:
      read.matrix = read_npy_matrix(file);
      return read;
    case WordVectorsFormat::params:
      read.matrix = read_params_matrix(file, array);
      return read;
    case WordVectorsFormat::word2vec:
      return read_binary(bytes);
    default:
      return read_text(bytes);
  }
}

}  // namespace mxinfer::formats
