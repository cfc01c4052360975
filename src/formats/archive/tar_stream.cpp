#include "formats/archive/tar_stream.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "formats/first_bytes.h"

namespace mxinfer::formats {
namespace {

// Extension headers with more about a member: names, owners, comments.
constexpr std::int64_t kMostTarText = std::int64_t{1} << 20;

template <typename... Parts>
[[noreturn]] void no_tar(const Parts&... parts) {
  fail(ErrorCode::malformed, "not a complete tar archive: ", parts...);
}

// A tar file ends with blocks of zeros. It is readable without them, but only they reveal a cut between two
// members. (A truncated gzip file fails to inflate.)
void require_end_mark(const sources::Source& source) {
  constexpr auto kBlock = static_cast<std::int64_t>(kTarBlock);
  std::array<char, kTarBlock> last{};
  if (source.size() >= kBlock) source.read(source.size() - kBlock, last.data(), last.size());
  const bool zeros = std::all_of(last.begin(), last.end(), [](char c) { return c == 0; });
  if (source.size() < 2 * kBlock || !zeros) no_tar("it was cut short");
}

// One of a model's files, packed by itself ("net-symbol.json.gz").
void reject_single_file(std::string_view first) {
  const bool is_symbol = first.starts_with('{');
  const bool is_params = begins_like_params(first);
  if (!is_symbol && !is_params) return;
  fail(ErrorCode::malformed, "this is not an archive but ", is_symbol ? "a symbol file" : "a .params file",
       " that is compressed with gzip; unpack it first (gunzip)");
}

// Types that POSIX does not know are files, it says.
ArchiveEntry::Type tar_type(char type, const std::string& name) {
  switch (type) {
    case '1':
    case '2':
      return ArchiveEntry::Type::link;
    case '3':
    case '4':
    case '6':
      return ArchiveEntry::Type::special;
    case '5':
    case 'D':  // GNU tar's folders, with a list of what is in them
      return ArchiveEntry::Type::folder;
    default:  // old tools mark folders by their names alone
      return name.ends_with('/') ? ArchiveEntry::Type::folder : ArchiveEntry::Type::file;
  }
}

// Links, devices and folders have no contents, even if a size is stated.
bool has_contents(char type) {
  return type < '1' || type > '6';
}

}  // namespace

TarStream::TarStream(const sources::Source& source, bool gzip, Allowance allowance)
    : input_(source, gzip, std::move(allowance)), is_gzip_(gzip) {
  if (!gzip) require_end_mark(source);
}

// The next header; nullopt at the end.
std::optional<TarHeader> TarStream::read_header() {
  const std::int64_t start = input_.position();
  const std::string block = input_.read_some(kTarBlock);
  if (block.empty() && any_header_) return std::nullopt;
  if (start == 0 && is_gzip_) reject_single_file(block);
  if (block.size() < kTarBlock) no_tar("it ends inside the header at byte ", start);
  if (block.find_first_not_of('\0') == std::string::npos) return std::nullopt;
  if (!is_tar_header(block))
    no_tar("the header at byte ", start, " has a wrong checksum; the archive is damaged");
  any_header_ = true;
  TarHeader header = parse_tar_header(block);
  bytes_ = has_contents(header.type) ? header.bytes : 0;
  padding_ = round_up(bytes_, std::int64_t{kTarBlock}) - bytes_;
  return header;
}

void TarStream::skip_rest() {
  input_.skip(std::exchange(bytes_, 0));
  input_.skip(std::exchange(padding_, 0));
}

std::string TarStream::read_text(const TarHeader& header) {
  if (header.bytes > kMostTarText)
    no_tar("a header that describes a member has ", header.bytes, " bytes; the limit is ", kMostTarText);
  std::string text = input_.read_some(static_cast<std::size_t>(header.bytes));
  bytes_ -= static_cast<std::int64_t>(text.size());
  skip_rest();
  return text;
}

// Whether the header describes the next one; reads it if so.
bool TarStream::read_about_next(const TarHeader& header, PaxFields& next, bool& pending) {
  switch (header.type) {
    case 'x':
    case 'X':  // that of Solaris
      read_pax_records(read_text(header), next);
      break;
    case 'g':
      read_pax_records(read_text(header), global_);
      return true;
    case 'L': {
      std::string name = read_text(header);
      name.erase(name.find_last_not_of('\0') + 1);
      if (!next.path) next.path = std::move(name);
      break;
    }
    case 'K':  // where a link points
    case 'A':  // who may do what
      skip_rest();
      break;
    case 'V':  // a name of the archive
      skip_rest();
      return true;
    default:
      return false;
  }
  pending = true;
  return true;
}

ArchiveEntry TarStream::entry_of(TarHeader header, PaxFields next) {
  if (!next.path) next.path = global_.path;
  if (!next.bytes) next.bytes = global_.bytes;
  ArchiveEntry entry;
  entry.name = next.path ? std::move(*next.path) : std::move(header.name);
  entry.type = tar_type(header.type, entry.name);
  const std::string where = "member '" + printable(entry.name) + "'";
  if (header.type == 'S' || next.sparse || global_.sparse)
    fail(ErrorCode::malformed, where, kTrail,
         "the member has gaps (it is a sparse file); make the archive without --sparse");
  if (header.type == 'M')
    fail(ErrorCode::malformed, where, kTrail, "it continues a file that begins in another archive");
  if (next.bytes && has_contents(header.type)) {
    bytes_ = *next.bytes;
    padding_ = round_up(bytes_, std::int64_t{kTarBlock}) - bytes_;
  }
  return entry;
}

std::optional<ArchiveEntry> TarStream::next() {
  skip_rest();
  PaxFields about;
  bool pending = false;
  while (const auto header = read_header()) {
    if (!read_about_next(*header, about, pending)) return entry_of(*header, std::move(about));
  }
  if (pending) no_tar("it ends after a header that describes a member, without the member");
  input_.finish();
  return std::nullopt;
}

std::vector<std::byte> TarStream::unpack() {
  std::vector<std::byte> bytes = input_.read(std::exchange(bytes_, 0));
  skip_rest();
  return bytes;
}

}  // namespace mxinfer::formats
