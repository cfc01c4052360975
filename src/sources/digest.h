// SHA-256 and MD5, by OpenSSL's libcrypto. It is loaded on first use: only models with a checksum and those
// from addresses need it.
//
//   Digest digest(DigestKind::sha256);
//   digest.add(bytes, count);
//   digest.hex();      // "9f86d081..."
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sources/source.h"

namespace mxinfer::sources {

enum class DigestKind { sha256, md5 };

class Digest {
 public:
  /// Throws Error(unsupported) if the system has no libcrypto.
  explicit Digest(DigestKind kind);
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void add(const void* bytes, std::size_t count);
  /// The digest's bytes. No more may be added afterwards.
  std::string finish();
  /// The same in small hexadecimal digits.
  std::string hex();

 private:
  void* context_;
};

std::string to_hex(std::string_view bytes);
std::string sha256_hex(std::string_view text);
/// HMAC with SHA-256, as bytes: H((key ^ 0x5c..) + H((key ^ 0x36..) + text)).
std::string hmac_sha256(std::string_view key, std::string_view text);
/// The digest of all of a source's bytes.
std::string sha256_hex(const Source& source);

/// Throws Error(malformed) unless the source has one of the digests; Error(invalid_argument) if one of them
/// is invalid.
void check_digest(const Source& source, const std::vector<std::string>& wanted);

}  // namespace mxinfer::sources
