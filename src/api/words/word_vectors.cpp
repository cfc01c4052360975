#include <mxinfer/sequence/word_vectors.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <mutex>
#include <utility>

#include "api/words/read_word_vectors.h"
#include "base/fail.h"
#include "base/text/suggest.h"
#include "text/words/nearest_rows.h"
#include "text/words/vocabulary_data.h"
#include "text/words/word_vectors_access.h"

namespace mxinfer {

// Hidden, because a class nested in an exported one would be exported too.
struct __attribute__((visibility("hidden"))) WordVectors::Impl : api::WordVectorParts {
  explicit Impl(api::WordVectorParts parts) : api::WordVectorParts(std::move(parts)) {}

  /// Computed by the first caller; others wait.
  const std::vector<double>& row_scales() const {
    std::call_once(scales_once, [this] { arena->execute([&] { scales = text::row_scales(matrix); }); });
    return scales;
  }
  std::int32_t known_id(std::string_view word) const;
  std::vector<NearWord> search(Span<const float> vector, int k, const NearestOptions& options,
                               Span<const std::int32_t> given) const;
  /// Adds factor * the vector of length 1 of row `id`.
  void add_direction(std::int32_t id, double factor, std::vector<float>& sum) const;

  mutable std::once_flag scales_once;
  mutable std::vector<double> scales;
};

namespace {

char first_letter(std::string_view word) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(word.front())));
}

/// Words spelled like this one. Searching a large vocabulary would be slow, so it compares only words of
/// about the same length with the same first letter.
std::string written_alike(const Vocabulary& vocabulary, const std::string& word) {
  if (word.empty()) return "";
  const std::size_t slack = std::max<std::size_t>(1, word.size() / 3);
  std::vector<std::string> names;
  for (std::size_t id = 0; id < vocabulary.size() && names.size() < 20'000; ++id) {
    const std::string& name = vocabulary.word(static_cast<std::int32_t>(id));
    if (name.empty() || first_letter(name) != first_letter(word)) continue;
    if (name.size() + slack >= word.size() && name.size() <= word.size() + slack) names.push_back(name);
  }
  return did_you_mean(word, names);
}

}  // namespace

WordVectors::WordVectors(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}
WordVectors::WordVectors(const WordVectors&) noexcept = default;
WordVectors& WordVectors::operator=(const WordVectors&) noexcept = default;
WordVectors::~WordVectors() = default;

WordVectors WordVectors::load(const std::string& uri, const WordVectorsOptions& options) try {
  return WordVectors(std::make_shared<Impl>(api::load_word_vectors(uri, options)));
} catch (...) {
  throw_as_error();
}

WordVectors WordVectors::parse(ByteSpan bytes, const WordVectorsOptions& options) try {
  return WordVectors(std::make_shared<Impl>(api::parse_word_vectors(bytes, options)));
} catch (...) {
  throw_as_error();
}

WordVectors::WordVectors(const Vocabulary& vocabulary, Tensor matrix, int threads) try {
  auto arena = api::word_vector_arena(threads);
  if (matrix.dtype() != DType::float32 || matrix.shape().rank() != 2) {
    fail(ErrorCode::invalid_argument, "word vectors are a matrix (rows, dimensions) of float32, got ",
         to_string(matrix.dtype()), " ", to_string(matrix.shape()));
  }
  impl_ = std::make_shared<Impl>(
      api::WordVectorParts(vocabulary, text::WordMatrix(std::move(matrix)), std::move(arena)));
} catch (...) {
  throw_as_error();
}

const Vocabulary& WordVectors::vocabulary() const noexcept {
  return impl_->vocabulary;
}

std::int64_t WordVectors::dimensions() const noexcept {
  return impl_->matrix.columns();
}

TensorView WordVectors::matrix() const noexcept {
  return impl_->matrix.view();
}

std::size_t WordVectors::skipped() const noexcept {
  return impl_->skipped;
}

Span<const float> WordVectors::vector(std::string_view word) const try {
  return impl_->matrix.row(impl_->vocabulary.id(word));
} catch (...) {
  throw_as_error();
}

Span<const float> WordVectors::vector(std::int32_t id) const try {
  if (id < 0 || id >= impl_->matrix.rows()) {
    fail(ErrorCode::invalid_argument, "there is no vector with the id ", id, "; there are ",
         impl_->matrix.rows());
  }
  return impl_->matrix.row(id);
} catch (...) {
  throw_as_error();
}

Tensor WordVectors::rows(Span<const std::int32_t> ids) const try {
  Tensor rows = Tensor::uninitialized(DType::float32, {static_cast<std::int64_t>(ids.size()), dimensions()});
  auto* dst = rows.data<float>();
  for (const std::int32_t id : ids) {
    const Span<const float> row = vector(id);
    dst = std::copy(row.begin(), row.end(), dst);
  }
  return rows;
} catch (...) {
  throw_as_error();
}

Tensor WordVectors::rows(Span<const std::string> words) const try {
  return rows(vocabulary().ids(words));
} catch (...) {
  throw_as_error();
}

std::int32_t WordVectors::Impl::known_id(std::string_view word) const {
  if (const std::optional<std::int32_t> id = vocabulary.find(word)) return *id;
  const std::string text(word);
  fail(ErrorCode::not_found, "there is no vector for the word ", text::quoted(text),
       written_alike(vocabulary, text));
}

std::vector<NearWord> WordVectors::Impl::search(Span<const float> vector, int k,
                                                const NearestOptions& options,
                                                Span<const std::int32_t> given) const {
  if (k < 1) fail(ErrorCode::invalid_argument, "k is ", k, "; expected 1 or more");
  const std::vector<double>& lengths = row_scales();
  const std::size_t all = vocabulary.size();
  const auto accept = [&](std::int64_t row) {
    const auto id = static_cast<std::int32_t>(row);
    if (vocabulary.word(id).empty()) return false;
    return options.include_given || std::find(given.begin(), given.end(), id) == given.end();
  };
  std::vector<text::NearRow> rows;
  arena->execute([&] {
    const std::size_t first = options.first == 0 ? all : std::min(options.first, all);
    rows = text::nearest_rows({matrix, lengths, vector, static_cast<std::size_t>(k),
                               static_cast<std::int64_t>(first), options.min_score, accept});
  });
  std::vector<NearWord> words;
  for (const text::NearRow& row : rows) {
    const auto id = static_cast<std::int32_t>(row.row);
    words.push_back({vocabulary.word(id), row.score, id});
  }
  return words;
}

void WordVectors::Impl::add_direction(std::int32_t id, double factor, std::vector<float>& sum) const {
  const double scale = row_scales()[static_cast<std::size_t>(id)];
  if (scale == 0) return;  // its numbers may not be finite
  const Span<const float> row = matrix.row(id);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<float>(factor * scale * row[i]);
}

float WordVectors::similarity(std::string_view a, std::string_view b) const try {
  const std::int32_t first = impl_->known_id(a), second = impl_->known_id(b);
  const std::vector<double>& scales = impl_->row_scales();
  const double scale = scales[static_cast<std::size_t>(first)] * scales[static_cast<std::size_t>(second)];
  if (scale == 0) return 0;
  const Span<const float> left = impl_->matrix.row(first), right = impl_->matrix.row(second);
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += static_cast<double>(left[i]) * right[i];
  return std::clamp(static_cast<float>(sum * scale), -1.0f, 1.0f);
} catch (...) {
  throw_as_error();
}

std::vector<NearWord> WordVectors::nearest(std::string_view word, int k, const NearestOptions& options) const
    try {
  const std::int32_t id = impl_->known_id(word);
  std::vector<float> vector(static_cast<std::size_t>(dimensions()));
  impl_->add_direction(id, 1, vector);
  return impl_->search(vector, k, options, std::array{id});
} catch (...) {
  throw_as_error();
}

std::vector<NearWord> WordVectors::nearest(Span<const float> vector, int k,
                                           const NearestOptions& options) const try {
  const bool finite = std::all_of(vector.begin(), vector.end(), [](float x) { return std::isfinite(x); });
  if (static_cast<std::int64_t>(vector.size()) != dimensions() || !finite) {
    fail(ErrorCode::invalid_argument, "a vector of ", vector.size(), " ", finite ? "" : "not all finite ",
         "numbers; expected ", dimensions(), " finite ones");
  }
  return impl_->search(vector, k, options, {});
} catch (...) {
  throw_as_error();
}

std::vector<NearWord> WordVectors::analogy(std::string_view a, std::string_view b, std::string_view c, int k,
                                           const NearestOptions& options) const try {
  const std::array ids = {impl_->known_id(a), impl_->known_id(b), impl_->known_id(c)};
  std::vector<float> wanted(static_cast<std::size_t>(dimensions()));
  impl_->add_direction(ids[0], -1, wanted);
  impl_->add_direction(ids[1], 1, wanted);
  impl_->add_direction(ids[2], 1, wanted);
  return impl_->search(wanted, k, options, ids);
} catch (...) {
  throw_as_error();
}

WordVectors WordVectorsAccess::load(const std::string& uri, const Vocabulary& vocabulary) {
  return WordVectors(std::make_shared<WordVectors::Impl>(api::load_word_vectors(uri, {}, &vocabulary)));
}

std::shared_ptr<const Parameter> WordVectorsAccess::parameter(const WordVectors& vectors) {
  return vectors.impl_->matrix.parameter();
}

}  // namespace mxinfer
