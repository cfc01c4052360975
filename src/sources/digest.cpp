#include "sources/digest.h"

#include <dlfcn.h>

#include <algorithm>
#include <new>
#include <vector>

#include "base/fail.h"

namespace mxinfer::sources {
namespace {

/// The functions of libcrypto in use; all its types are opaque pointers here.
struct Crypto {
  void* (*make_context)() = nullptr;
  void (*free_context)(void*) = nullptr;
  const void* (*sha256)() = nullptr;
  const void* (*md5)() = nullptr;
  int (*init)(void*, const void*, void*) = nullptr;
  int (*update)(void*, const void*, std::size_t) = nullptr;
  int (*finish)(void*, unsigned char*, unsigned int*) = nullptr;
  std::string problem;

  // Never closed: calls may come until the process ends.
  Crypto() {
    void* library = nullptr;
    for (const char* name : {"libcrypto.so.3", "libcrypto.so.1.1"}) {
      if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) {
      problem = ::dlerror();
      return;
    }
    const bool complete =
        find(library, "EVP_MD_CTX_new", make_context) && find(library, "EVP_MD_CTX_free", free_context) &&
        find(library, "EVP_sha256", sha256) && find(library, "EVP_md5", md5) &&
        find(library, "EVP_DigestInit_ex", init) && find(library, "EVP_DigestUpdate", update) &&
        find(library, "EVP_DigestFinal_ex", finish);
    if (!complete) problem = "it lacks functions of EVP";
  }

  template <typename Function>
  static bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
  }
};

const Crypto& crypto() {
  static const Crypto& instance = *new Crypto;
  if (!instance.problem.empty()) {
    fail(ErrorCode::unsupported, "checksums need OpenSSL's libcrypto, which could not be loaded (",
         instance.problem, "); install it (Debian: libssl3)");
  }
  return instance;
}

constexpr std::size_t kSha256Bytes = 32;
constexpr std::size_t kBlockBytes = 64;

std::string sha256_bytes(std::string_view first, std::string_view second) {
  Digest digest(DigestKind::sha256);
  digest.add(first.data(), first.size());
  digest.add(second.data(), second.size());
  return digest.finish();
}

std::string normal_digest(const std::string& text) {
  std::string digest = text;
  for (char& c : digest) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  const bool is_hex = std::all_of(digest.begin(), digest.end(),
                                  [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (!is_hex || digest.size() != 2 * kSha256Bytes) {
    fail(ErrorCode::invalid_argument, "'", printable(text),
         "' is not a SHA-256; one has 64 hexadecimal digits, as sha256sum prints them");
  }
  return digest;
}

}  // namespace

Digest::Digest(DigestKind kind) : context_(crypto().make_context()) {
  if (context_ == nullptr) throw std::bad_alloc();
  const void* const method = kind == DigestKind::sha256 ? crypto().sha256() : crypto().md5();
  if (crypto().init(context_, method, nullptr) == 1) return;
  crypto().free_context(context_);
  fail(ErrorCode::unsupported, "libcrypto refuses ", kind == DigestKind::sha256 ? "SHA-256" : "MD5",
       ", perhaps because it is restricted to the algorithms that FIPS allows");
}

Digest::~Digest() {
  crypto().free_context(context_);
}

void Digest::add(const void* bytes, std::size_t count) {
  if (crypto().update(context_, bytes, count) != 1) throw std::bad_alloc();
}

std::string Digest::finish() {
  unsigned char bytes[64];
  unsigned int count = 0;
  if (crypto().finish(context_, bytes, &count) != 1) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(bytes), count};
}

std::string Digest::hex() {
  return to_hex(finish());
}

std::string to_hex(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {kHex[byte / 16], kHex[byte % 16]};
  }
  return text;
}

std::string sha256_hex(std::string_view text) {
  return to_hex(sha256_bytes(text, {}));
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::string block = key.size() > kBlockBytes ? sha256_bytes(key, {}) : std::string(key);
  block.resize(kBlockBytes, '\0');
  const auto masked = [&](char mask) {
    std::string result = block;
    for (char& c : result) c = static_cast<char>(c ^ mask);
    return result;
  };
  return sha256_bytes(masked(0x5c), sha256_bytes(masked(0x36), text));
}

std::string sha256_hex(const Source& source) {
  Digest digest(DigestKind::sha256);
  std::vector<std::byte> piece(std::size_t{1} << 20);
  for (std::int64_t at = 0; at < source.size();) {
    const auto count =
        static_cast<std::size_t>(std::min(source.size() - at, static_cast<std::int64_t>(piece.size())));
    source.read(at, piece.data(), count);
    digest.add(piece.data(), count);
    at += static_cast<std::int64_t>(count);
  }
  return digest.hex();
}

void check_digest(const Source& source, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return;
  std::vector<std::string> digests;
  for (const std::string& text : wanted) digests.push_back(normal_digest(text));
  const std::string found = sha256_hex(source);
  if (std::find(digests.begin(), digests.end(), found) != digests.end()) return;
  source.discard();
  std::string list;
  for (const std::string& digest : digests) list += (list.empty() ? "" : " or ") + digest;
  fail(ErrorCode::malformed, printable(source.name()), kTrail, "its SHA-256 is ", found, ", expected ", list,
       "; it is a different file, or was damaged or changed in transit. Every file of the model, including "
       "the labels, needs its own SHA-256");
}

}  // namespace mxinfer::sources
