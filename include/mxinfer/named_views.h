// NamedViews: a function parameter that is a set of arrays by name. Pass {{"data", a}, {"rois", b}}, or a
// std::map whose values convert to views.
//
//   predictor.predict({{"data", image}, {"im_info", info}});
//
// Use it for parameters only: the arrays must live until the call returns.
#pragma once

#include <mxinfer/error.h>
#include <mxinfer/export.h>

#include <initializer_list>
#include <map>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Views of arrays by name.
template <typename View>
class NamedViews {
 public:
  /// If a name occurs twice, the first view is used.
  NamedViews(std::initializer_list<std::pair<std::string, View>> list) {
    for (const auto& [name, view] : list) add(name, view);
  }
  template <typename Map, typename Value = typename std::decay_t<Map>::mapped_type,
            typename = std::enable_if_t<std::is_convertible_v<Value&, View>>>
  NamedViews(Map&& map) {
    for (auto& [name, value] : map) add(name, value);
  }

  [[nodiscard]] const std::map<std::string, View>& map() const noexcept { return views_; }

 private:
  void add(const std::string& name, const View& view) try {
    views_.emplace(name, view);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for a list of views was refused");
  }

  std::map<std::string, View> views_{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
