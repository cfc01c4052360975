#include <mxinfer/version.h>
#include <mxinfer_c/version.h>

#include <nlohmann/json.hpp>

#include "c_api/call.h"

using namespace mxinfer::c_api;

int32_t mxinfer_c_abi_version(void) {
  return MXINFER_C_ABI_VERSION;
}

const char* mxinfer_version(void) {
  return mxinfer::version();
}

mxinfer_status mxinfer_build_info(char** out) {
  return call([&] {
    char*& text = need(out, "out");
    const mxinfer::BuildInfo build = mxinfer::build_info();
    const nlohmann::ordered_json json = {{"version", build.version},
                                         {"commit", build.commit},
                                         {"compiler", build.compiler},
                                         {"targets", build.targets},
                                         {"best_target", build.best_target}};
    text = copy_text(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  });
}
