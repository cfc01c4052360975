#include "cli/inputs/item_run.h"

namespace mxinfer::cli {

void ItemReport::add_json(Json item, const Json& facts) {
  item.update(facts);
  if (ndjson_) {
    print_json_line(item);
  } else {
    items_.push_back(std::move(item));
  }
}

void ItemReport::add_error(Json item, const Error& error, const std::string& place) {
  all_good_ = false;
  std::cerr << "mxinfer: " << place << (place.empty() ? "" : ": ") << error.what() << '\n';
  if (is_text()) return;
  add_json(std::move(item), {{"error", {{"code", to_string(error.code())}, {"message", error.what()}}}});
}

int ItemReport::finish() const {
  if (json_) print_json({{list_, items_}});
  return all_good_ ? 0 : 1;
}

}  // namespace mxinfer::cli
