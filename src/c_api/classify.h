// Shared by all classifying functions of the C interface.
#pragma once

#include <mxinfer/item_error.h>

#include <memory>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/handles.h"

namespace mxinfer::c_api {

/// classify(classifier, errors) gives the classes of each item; `errors` is NULL without collect_errors.
template <typename Handle, typename Classify>
mxinfer_status classify_list(const Handle* classifier, int collect_errors, mxinfer_classes** out,
                             Classify classify, const char* function = __builtin_FUNCTION()) {
  return call(
      [&] {
        const auto& self = need(classifier, "classifier").classifier;
        mxinfer_classes*& classes = need(out, "out");
        auto made = std::make_unique<mxinfer_classes>();
        made->samples = classify(self, collect_errors != 0 ? &made->errors : nullptr);
        classes = made.release();
      },
      function);
}

/// classify(classifier) gives the classes of one item.
template <typename Handle, typename Classify>
mxinfer_status classify_one(const Handle* classifier, mxinfer_classes** out, Classify classify,
                            const char* function = __builtin_FUNCTION()) {
  const auto classify_it = [&](const auto& self, std::vector<ItemError>*) {
    std::vector<std::vector<Classification>> samples;
    samples.push_back(classify(self));
    return samples;
  };
  return classify_list(classifier, 0, out, classify_it, function);
}

}  // namespace mxinfer::c_api
