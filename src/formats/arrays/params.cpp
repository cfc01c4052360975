#include "formats/arrays/params.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "formats/arrays/array_record.h"
#include "formats/arrays/npz.h"
#include "formats/byte_cursor.h"
#include "formats/first_bytes.h"
#include "formats/foreign_file.h"
#include "tensor/npy.h"

namespace mxinfer::formats {
namespace {

constexpr std::uint64_t kContainer = 0x112;
constexpr std::uint64_t kSmallestRecord = 4;
constexpr std::uint64_t kSmallestName = 8;

enum class Kind { container, npz, npy };

Kind recognize(const sources::Source& source) {
  const std::string bytes = first_bytes(source);
  if (begins_like_zip(bytes)) return Kind::npz;
  if (begins_like_npy(bytes)) return Kind::npy;
  if (bytes.empty()) fail(ErrorCode::malformed, "the file is empty");
  const std::string foreign = recognize_foreign(bytes);
  if (!foreign.empty()) fail(ErrorCode::malformed, "this is not a .params file but ", foreign);
  if (bytes.starts_with('{')) {
    fail(ErrorCode::malformed,
         "this is not a .params file but JSON; give the .params file here, not the -symbol.json file");
  }
  return Kind::container;
}

class ContainerReader {
 public:
  ContainerReader(const sources::Source& source, const Keeper& keeper, const ParamsLimits& limits,
                  std::vector<std::string>* warnings)
      : source_(source), keeper_(keeper), limits_(limits), warnings_(warnings), cursor_(source) {}

  std::vector<NamedParameter> read() {
    const std::int64_t count = read_header();
    std::int64_t unpacked_left = unpacked_limit(source_.size(), limits_);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t start = cursor_.position();
      with_hint([&] {
        in_context([&] { return concat("array ", i, " of ", count, " (at byte ", start, ")"); },
                   [&] { read_array(i, unpacked_left); });
      });
    }
    with_hint([&] { read_names(); });
    if (cursor_.left() > 0 && warnings_ != nullptr) {
      warnings_->push_back(
          concat(printable(source_.name()), " has ", cursor_.left(), " bytes after its end"));
    }
    return std::move(arrays_);
  }

 private:
  std::int64_t read_header() {
    const auto magic = cursor_.read<std::uint64_t>("the header");
    if (magic != kContainer) {
      fail(ErrorCode::malformed, "this is not a .params file: it starts with the number ", magic,
           "; expected ", kContainer, ", or a .npz or .npy file");
    }
    cursor_.read<std::uint64_t>("the header");
    return read_count("arrays", kSmallestRecord, static_cast<std::uint64_t>(limits_.arrays));
  }

  // A count of items of at least `smallest` bytes each: rejects at once more than fit.
  std::int64_t read_count(const char* what, std::uint64_t smallest, std::uint64_t limit) {
    const std::int64_t start = cursor_.position();
    const auto count = cursor_.read<std::uint64_t>(what);
    const std::uint64_t possible = static_cast<std::uint64_t>(cursor_.left()) / smallest;
    if (count > possible) {
      fail(ErrorCode::malformed, "a count of ", count, " ", what, " at byte ", start, "; the ",
           cursor_.left(), " bytes that are left cannot hold more than ", possible);
    }
    if (count > limit) {
      fail(ErrorCode::malformed, "a count of ", count, " ", what, " at byte ", start, "; the limit is ",
           limit);
    }
    return static_cast<std::int64_t>(count);
  }

  void read_array(std::int64_t index, std::int64_t& unpacked_left) {
    ArrayRecord record = read_array_record(cursor_, unpacked_left, keeper_);
    if (record.without_dimensions) without_dimensions_ = index;
    arrays_.push_back({{}, std::move(record.value)});
  }

  void read_names() {
    const std::int64_t start = cursor_.position();
    const std::int64_t count = read_count("names", kSmallestName, static_cast<std::uint64_t>(limits_.arrays));
    if (count == 0) return;
    if (count != static_cast<std::int64_t>(arrays_.size())) {
      fail(ErrorCode::malformed, "there are ", arrays_.size(), " arrays and ", count, " names (at byte ",
           start, ")");
    }
    std::set<std::string_view> seen;
    for (std::int64_t i = 0; i < count; ++i) {
      std::string& name = arrays_[static_cast<std::size_t>(i)].name;
      name = read_name(i);
      if (!seen.insert(name).second) {
        fail(ErrorCode::malformed, "two arrays are named '", printable(name), "'");
      }
    }
  }

  std::string read_name(std::int64_t index) {
    const std::int64_t start = cursor_.position();
    const auto length = cursor_.read<std::uint64_t>("the length of a name");
    if (length > static_cast<std::uint64_t>(std::min(cursor_.left(), limits_.name_bytes))) {
      fail(ErrorCode::malformed, "the name of array ", index, " (at byte ", start, ") would have ", length,
           " bytes; ", cursor_.left(), " are left in the file and ", limits_.name_bytes, " are allowed");
    }
    std::string name(static_cast<std::size_t>(length), '\0');
    cursor_.read(name.data(), static_cast<std::int64_t>(length), "a name");
    return name;
  }

  // Some versions of MXNet wrote elements behind an array without dimensions, which no reader can tell from
  // the next array: then what follows is misread.
  template <typename Body>
  void with_hint(Body&& body) {
    try {
      body();
    } catch (const Error& e) {
      if (!without_dimensions_) throw;
      throw Error(
          e.code(),
          concat(e.what(), "; array ", *without_dimensions_,
                 " before it has no dimensions: if it was a scalar, MXNet wrote a file that cannot be "
                 "read (apache/mxnet#15988); save it as an array of shape (1,)"));
    }
  }

  const sources::Source& source_;
  const Keeper& keeper_;
  const ParamsLimits& limits_;
  std::vector<std::string>* warnings_;
  ByteCursor cursor_;
  std::vector<NamedParameter> arrays_;
  std::optional<std::int64_t> without_dimensions_;
};

std::vector<std::byte> read_all(const sources::Source& source) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(source.size()));
  source.read(0, bytes.data(), bytes.size());
  return bytes;
}

std::vector<NamedParameter> read_any(const sources::Source& source, const Keeper& keeper,
                                     const ParamsLimits& limits, std::vector<std::string>* warnings) {
  switch (recognize(source)) {
    case Kind::npz:
      return as_parameters(read_npz(read_all(source), "NumPy archive",
                                    static_cast<std::uint64_t>(unpacked_limit(source.size(), limits))));
    case Kind::npy:
      return {{{}, make_parameter(read_npy(read_all(source), "NumPy array"))}};
    case Kind::container:
      break;
  }
  return ContainerReader(source, keeper, limits, warnings).read();
}

}  // namespace

std::int64_t unpacked_limit(std::int64_t file_bytes, const ParamsLimits& limits) {
  const auto expanded = checked_mul(file_bytes, limits.ratio);
  const auto limit = expanded ? checked_add(*expanded, limits.free_bytes) : std::nullopt;
  return std::min(limits.unpacked_bytes, limit.value_or(limits.unpacked_bytes));
}

std::vector<NamedArray> read_params(const sources::Source& source, const ParamsLimits& limits,
                                    std::vector<std::string>* warnings) {
  std::vector<NamedParameter> parameters = in_context(
      [&] { return printable(source.name()); }, [&] { return read_any(source, nullptr, limits, warnings); });
  std::vector<NamedArray> arrays;
  for (NamedParameter& parameter : parameters)
    arrays.push_back({std::move(parameter.name), Parameter::take(std::move(parameter.value))});
  return arrays;
}

std::vector<NamedParameter> index_params(const std::shared_ptr<const sources::Source>& source,
                                         const ParamsLimits& limits, std::vector<std::string>* warnings) {
  return in_context([&] { return printable(source->name()); },
                    [&] { return read_any(*source, source, limits, warnings); });
}

std::vector<NamedParameter> load_params(const std::shared_ptr<const sources::Source>& source, bool at_once,
                                        std::vector<std::string>* warnings) {
  return at_once ? as_parameters(read_params(*source, {}, warnings)) : index_params(source, {}, warnings);
}

SplitName split_name(std::string_view name) {
  const auto colon = name.find(':');
  if (colon == std::string_view::npos) return {{}, name};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

bool has_role(std::string_view prefix) {
  return prefix == "arg" || prefix == "aux";
}

std::string bare_name(const std::string& name) {
  const SplitName split = split_name(name);
  return has_role(split.prefix) ? std::string(split.bare) : name;
}

}  // namespace mxinfer::formats
