// libcurl, loaded when an address is first fetched: it depends on some twenty libraries, and most programs
// only read files.
//
//   const Curl& curl = curl_library();
//   CURL* transfer = curl.easy_init();
#pragma once

#include <curl/curl.h>

#include <string>

namespace mxinfer::sources {

/// The functions that are used, by their names without "curl_".
struct Curl {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_reset) easy_reset = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  CURLcode (*easy_setopt)(CURL*, CURLoption, ...) = nullptr;
  CURLcode (*easy_getinfo)(CURL*, CURLINFO, ...) = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
};

/// Thread-safe. Throws Error(unsupported), which says how to get it.
const Curl& curl_library();

}  // namespace mxinfer::sources
