#include "fuzz/fuzz_targets.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"
#include "formats/archived_model.h"
#include "formats/params.h"
#include "formats/sample_json.h"
#include "formats/signature_json.h"
#include "formats/symbol_json.h"
#include "sources/source.h"

namespace mxinfer::test {
namespace {

// What must not happen, made visible to fuzzer and test alike.
[[noreturn]] void give_up(const char* what, const Error& error) {
  std::fprintf(stderr, "%s: %s\n", what, error.what());
  std::abort();
}

void check_code(const Error& error) {
  // A file can be wrong in no way that is our defect, nor may it make us ask for more memory than there is.
  if (error.code() == ErrorCode::internal || error.code() == ErrorCode::out_of_memory)
    give_up("wrong kind", error);
}

}  // namespace

void fuzz_params(Span<const std::uint8_t> bytes) {
  formats::ParamsLimits limits;
  limits.unpacked_bytes = 16 << 20;
  const Span<const std::byte> data(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  try {
    formats::read_params(*sources::from_memory(data, "fuzz.params"), limits);
  } catch (const Error& error) {
    check_code(error);
  }
}

void fuzz_archive(Span<const std::uint8_t> bytes) {
  formats::ArchiveLimits limits;
  limits.free_bytes = limits.bytes = 4 << 20;
  const Span<const std::byte> data(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
  try {
    formats::read_archived_model(*sources::from_memory(data, "fuzz.zip"), {}, limits);
  } catch (const Error& error) {
    check_code(error);
  }
}

void fuzz_symbol(Span<const std::uint8_t> bytes) {
  std::string written;
  try {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    written = formats::write_symbol(formats::parse_symbol(text).graph);
  } catch (const Error& error) {
    check_code(error);
    return;
  }
  try {
    if (formats::write_symbol(formats::parse_symbol(written).graph) != written) {
      give_up("written differently the second time", Error(ErrorCode::internal, written));
    }
  } catch (const Error& error) {
    give_up("what was written is not read", error);
  }
}

void fuzz_signature(Span<const std::uint8_t> bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  graph::Graph graph;
  graph.unknown_keys["inputs"] = text;
  graph.attrs[formats::kSampleAttribute] = {
      "str", nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
  try {
    formats::read_sample(graph);
  } catch (const Error& error) {
    check_code(error);
  }
  try {
    formats::read_signature(graph);
  } catch (const Error& error) {
    check_code(error);
  }
  std::string written;
  try {
    written = formats::signature_text(formats::parse_signature(text));
  } catch (const Error& error) {
    check_code(error);
    return;
  }
  try {
    if (formats::signature_text(formats::parse_signature(written)) != written) {
      give_up("written differently the second time", Error(ErrorCode::internal, written));
    }
  } catch (const Error& error) {
    give_up("what was written is not read", error);
  }
}

}  // namespace mxinfer::test
