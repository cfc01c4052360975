#include "simt/host/kernel_name.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace mxinfer::simt {
namespace {

/// A file, mapped.
class File {
 public:
  explicit File(const char* path) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor < 0) return;
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
      bytes_ = static_cast<std::size_t>(status.st_size);
      data_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (data_ == MAP_FAILED) bytes_ = 0;
    }
    close(descriptor);
  }
  ~File() {
    if (bytes_ > 0) munmap(data_, bytes_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string_view text() const { return {static_cast<const char*>(data_), bytes_}; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

template <typename T>
T read_at(std::string_view file, std::size_t at) {
  T value{};
  if (at + sizeof value <= file.size()) std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

/// The symbol of the function that starts at `address` of the file.
std::string symbol_in(std::string_view file, std::uintptr_t address) {
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  for (std::size_t s = 0; s < header.e_shnum; ++s) {
    const auto table = read_at<Elf64_Shdr>(file, header.e_shoff + s * sizeof(Elf64_Shdr));
    if (table.sh_type != SHT_SYMTAB) continue;
    const auto strings = read_at<Elf64_Shdr>(file, header.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read_at<Elf64_Sym>(file, table.sh_offset + at);
      if (symbol.st_value != address || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
      const std::size_t name = strings.sh_offset + symbol.st_name;
      return name < file.size() ? std::string(file.data() + name) : "";
    }
  }
  return "";
}

std::string mangled_name(const void* function) {
  Dl_info info{};
  if (sizeof(void*) != 8 || dladdr(function, &info) == 0 || info.dli_fname == nullptr) return "";
  const File mapped(info.dli_fname);
  const std::string_view file = mapped.text();
  if (file.size() < sizeof(Elf64_Ehdr)) return "";
  const bool is_fixed = read_at<Elf64_Ehdr>(file, 0).e_type == ET_EXEC;
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  return symbol_in(file, is_fixed ? address : address - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
}

void erase_all(std::string& text, const std::string& part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
}

/// "void mxinfer::kernels::cuda::(anonymous namespace)::f<int>(int*)" as "f<int>".
std::string shortened(std::string name) {
  erase_all(name, "(anonymous namespace)::");
  erase_all(name, "mxinfer::kernels::cuda::");
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);
  int open = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++open;
    if (name[i] == '>') --open;
    if (name[i] == '(' && open == 0) return name.substr(0, i);
  }
  return name;
}

}  // namespace

std::string kernel_name(const void* function) {
  const std::string mangled = mangled_name(function);
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  if (demangled != nullptr) {
    const std::string name = shortened(demangled);
    std::free(demangled);
    return name;
  }
  if (!mangled.empty()) return mangled;
  char address[32];
  std::snprintf(address, sizeof address, "at %p", function);
  return address;
}

}  // namespace mxinfer::simt
