#include "simt/kernel_name.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace mxinfer::simt {
namespace {

template <typename T>
T read_at(const std::string& file, std::size_t at) {
  T value{};
  if (at + sizeof value <= file.size()) std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

/// The symbol of the function that starts at `address` of the file.
std::string symbol_in(const std::string& file, std::uintptr_t address) {
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
  std::ifstream stream(info.dli_fname, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
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
