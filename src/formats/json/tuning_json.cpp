#include "formats/json/tuning_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "base/text/strict_json.h"
#include "formats/json_fields.h"
#include "sources/source.h"

namespace mxinfer::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kFormat = "mxinfer tuning";
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostChoices = 100'000;
constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;
constexpr std::int64_t kMostThreads = 1 << 20;

double milliseconds(const std::string& kernel, const json& value) {
  const std::string what = "\"" + printable(kernel) + "\"";
  if (!value.is_number()) reject_json(what, value, "milliseconds, a positive number");
  const double ms = value.get<double>();
  if (!std::isfinite(ms) || ms <= 0) reject_json(what, value, "milliseconds, a positive number");
  return ms;
}

TunedChoice read_choice(const json& value) {
  json_object("a choice", value);
  TunedChoice choice;
  choice.shape = json_text("\"shape\"", json_require(value, "shape"));
  choice.kernel = json_text("\"kernel\"", json_require(value, "kernel"));
  for (const auto& [kernel, ms] : json_object("\"ms\"", json_require(value, "ms")).items())
    choice.times.push_back({kernel, milliseconds(kernel, ms)});
  return choice;
}

void check_format(const json& root) {
  const std::string& format = json_text("\"format\"", json_require(root, "format"));
  if (format != kFormat) {
    fail(ErrorCode::malformed, "\"format\" is \"", printable(format), "\"; expected \"", kFormat, "\"");
  }
  const json& version = json_require(root, "version");
  if (version.is_number_integer() && version == kVersion) return;
  fail(ErrorCode::unsupported, "\"version\" is ", json_excerpt(version), "; expected version ", kVersion,
       ". Tune again with this mxinfer");
}

}  // namespace

std::string write_tuning(const Tuning& tuning) {
  ordered_json choices = ordered_json::array();
  for (const TunedChoice& choice : tuning.choices) {
    ordered_json ms = ordered_json::object();
    for (const KernelTime& time : choice.times) ms[time.kernel] = time.ms;
    choices.push_back({{"shape", choice.shape}, {"kernel", choice.kernel}, {"ms", ms}});
  }
  const ordered_json root = {
      {"format", kFormat},
      {"version", kVersion},
      {"machine", {{"cpu", tuning.cpu}, {"target", tuning.target}, {"cores", tuning.cores}}},
      {"threads", tuning.threads},
      {"choices", choices}};
  return root.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Tuning read_tuning(std::string_view text) {
  JsonLimits limits;
  limits.values = 2'000'000;
  const json root = parse_strict_json(text, limits);
  json_object("a tuning", root);
  check_format(root);
  Tuning tuning;
  const json& machine = json_object("\"machine\"", json_require(root, "machine"));
  tuning.cpu = json_text("\"cpu\"", json_require(machine, "cpu"));
  tuning.target = json_text("\"target\"", json_require(machine, "target"));
  tuning.cores = static_cast<int>(json_integer("\"cores\"", json_require(machine, "cores"), 1, kMostThreads));
  tuning.threads =
      static_cast<int>(json_integer("\"threads\"", json_require(root, "threads"), 1, kMostThreads));
  std::set<std::string> shapes;
  for (const json& value : json_list("\"choices\"", json_require(root, "choices"), kMostChoices)) {
    in_context([&] { return concat("choice ", tuning.choices.size()); },
               [&] {
                 tuning.choices.push_back(read_choice(value));
                 const std::string& shape = tuning.choices.back().shape;
                 if (!shapes.insert(shape).second)
                   fail(ErrorCode::malformed, "\"", printable(shape), "\" appears twice");
               });
  }
  return tuning;
}

}  // namespace mxinfer::formats

namespace mxinfer {

void MXINFER_ABI::save_tuning(const Tuning& tuning, const std::string& path) try {
  write_file_atomically(path, formats::write_tuning(tuning));
} catch (...) {
  throw_as_error();
}

Tuning MXINFER_ABI::load_tuning(const std::string& path) try {
  return in_context([&] { return "tuning file " + printable(path); },
                    [&] {
                      const auto file = sources::open_file(path);
                      return formats::read_tuning(sources::read_text(*file, formats::kMostBytes));
                    });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
