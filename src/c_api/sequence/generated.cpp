// Generated sequences, whole and token by token.
#include "c_api/sequence/generated.h"

#include <vector>

#include "c_api/call.h"
#include "c_api/sequence/handles.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

namespace {

const char* finish_text(Finish finish) {
  switch (finish) {
    case Finish::end:
      return "end";
    case Finish::length:
      return "length";
    case Finish::stopped:
      break;
  }
  return "stopped";
}

}  // namespace

mxinfer_generated_sequence c_api::struct_of(const Generated& generated) {
  return {0,
          generated.ids.data(),
          generated.ids.size(),
          generated.text.c_str(),
          generated.score,
          generated.log_probability,
          finish_text(generated.finish),
          generated.end_id.value_or(-1)};
}

size_t mxinfer_generated_prompts(const mxinfer_generated* generated) {
  return generated == nullptr ? 0 : generated->prompts.size();
}

size_t mxinfer_generated_count(const mxinfer_generated* generated, size_t prompt) {
  return prompt < mxinfer_generated_prompts(generated) ? generated->prompts[prompt].size() : 0;
}

mxinfer_status mxinfer_generated_get(const mxinfer_generated* generated, size_t prompt, size_t index,
                                     mxinfer_generated_sequence* out) {
  return call([&] {
    const auto& prompts = need(generated, "generated").prompts;
    if (prompt >= prompts.size()) no_such("prompt", prompt, prompts.size());
    const std::vector<Generated>& sequences = prompts[prompt];
    if (index >= sequences.size()) no_such("sequence", index, sequences.size());
    write_struct(need(out, "out"), struct_of(sequences[index]));
  });
}

void mxinfer_generated_free(mxinfer_generated* generated) {
  delete generated;
}

mxinfer_status mxinfer_generation_next(mxinfer_generation* generation, int32_t* id) {
  return call([&] {
    Generation& self = need(generation, "generation").generation;
    int32_t& place = need(id, "id");
    place = self.next().value_or(-1);
  });
}

const char* mxinfer_generation_piece(const mxinfer_generation* generation) {
  return generation == nullptr ? "" : generation->generation.piece().c_str();
}

mxinfer_status mxinfer_generation_result(const mxinfer_generation* generation,
                                         mxinfer_generated_sequence* out) {
  return call(
      [&] { write_struct(need(out, "out"), struct_of(need(generation, "generation").generation.result())); });
}

void mxinfer_generation_free(mxinfer_generation* generation) {
  delete generation;
}
