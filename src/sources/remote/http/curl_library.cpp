#include "sources/remote/http/curl_library.h"

#include <dlfcn.h>

#include "base/fail.h"

namespace mxinfer::sources {
namespace {

template <typename Function>
bool find_curl(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

struct LoadedCurl {
  Curl functions;
  std::string problem;

  // Never closed: transfers may run until the process ends. The second is what Debian calls the build with
  // GnuTLS.
  LoadedCurl() {
    void* library = nullptr;
    for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
      if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) {
      problem = ::dlerror();
      return;
    }
    Curl& f = functions;
    const bool complete = find_curl(library, "curl_global_init", f.global_init) &&
                          find_curl(library, "curl_easy_init", f.easy_init) &&
                          find_curl(library, "curl_easy_cleanup", f.easy_cleanup) &&
                          find_curl(library, "curl_easy_reset", f.easy_reset) &&
                          find_curl(library, "curl_easy_perform", f.easy_perform) &&
                          find_curl(library, "curl_easy_strerror", f.easy_strerror) &&
                          find_curl(library, "curl_easy_setopt", f.easy_setopt) &&
                          find_curl(library, "curl_easy_getinfo", f.easy_getinfo) &&
                          find_curl(library, "curl_slist_append", f.slist_append) &&
                          find_curl(library, "curl_slist_free_all", f.slist_free_all);
    if (!complete) {
      problem = "it lacks functions";
    } else if (const CURLcode code = f.global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK) {
      problem = f.easy_strerror(code);
    }
  }
};

}  // namespace

const Curl& curl_library() {
  static const LoadedCurl& loaded = *new LoadedCurl;
  if (!loaded.problem.empty()) {
    fail(ErrorCode::unsupported, "addresses are fetched by libcurl, which could not be loaded (",
         loaded.problem,
         "); install it (Debian: libcurl4), or fetch the files by other means and give their path");
  }
  return loaded.functions;
}

}  // namespace mxinfer::sources
