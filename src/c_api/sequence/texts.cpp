// Lists of ids and of texts.
#include "c_api/sequence/texts.h"

#include <mxinfer_c/texts.h>

#include "c_api/call.h"
#include "c_api/sequence/handles.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

std::vector<std::vector<std::int32_t>> c_api::id_lists(const mxinfer_id_list* lists, std::size_t count,
                                                       const char* name) {
  std::vector<std::vector<std::int32_t>> copies;
  if (count > 0) need(lists, name);
  for (std::size_t i = 0; i < count; ++i) {
    const mxinfer_id_list given = read_element(lists, i);
    const Span<const std::int32_t> ids = need_span(given.ids, given.count, "ids of a list");
    copies.emplace_back(ids.begin(), ids.end());
  }
  return copies;
}

size_t mxinfer_ids_count(const mxinfer_ids* ids) {
  return ids == nullptr ? 0 : ids->list.size();
}

const int32_t* mxinfer_ids_data(const mxinfer_ids* ids) {
  return mxinfer_ids_count(ids) == 0 ? nullptr : ids->list.data();
}

void mxinfer_ids_free(mxinfer_ids* ids) {
  delete ids;
}

size_t mxinfer_texts_count(const mxinfer_texts* texts) {
  return texts == nullptr ? 0 : texts->list.size();
}

const char* mxinfer_texts_get(const mxinfer_texts* texts, size_t index) {
  return index < mxinfer_texts_count(texts) ? texts->list[index].c_str() : nullptr;
}

void mxinfer_texts_free(mxinfer_texts* texts) {
  delete texts;
}
