#include <mxinfer_c/generator.h>

#include <string>
#include <utility>
#include <vector>

#include "c_api/call.h"
#include "c_api/sequence/generate_options.h"
#include "c_api/sequence/generated.h"
#include "c_api/sequence/handles.h"
#include "c_api/sequence/texts.h"
#include "c_api/structs.h"

using namespace mxinfer;
using namespace mxinfer::c_api;

mxinfer_sequence_generator::mxinfer_sequence_generator(const SequenceGenerator& g)
    : generator(g), base{g}, vocabulary{g.vocabulary()} {
  const GeneratorOptions& found = generator.found();
  if (found.tokenizer) tokenizer.emplace(*found.tokenizer);
  for (const StateNames& state : found.states) {
    state_inputs.push_back(state.input.c_str());
    state_outputs.push_back(state.output.c_str());
  }
  begin_id = found.begin_id.value_or(-1);
  end_id = found.end_id.value_or(-1);
}

namespace {

/// generate(generator, options) gives the sequences of each prompt.
template <typename Generate>
mxinfer_status generate_list(const mxinfer_sequence_generator* generator,
                             const mxinfer_generate_options* options, mxinfer_generated** out,
                             Generate generate, const char* function = __builtin_FUNCTION()) {
  return give(
      out,
      [&] {
        const SequenceGenerator& self = need(generator, "generator").generator;
        return new mxinfer_generated{generate(self, generate_options_of(options))};
      },
      function);
}

/// generate(generator, options) gives the sequences of one prompt.
template <typename Generate>
mxinfer_status generate_one(const mxinfer_sequence_generator* generator,
                            const mxinfer_generate_options* options, mxinfer_generated** out,
                            Generate generate, const char* function = __builtin_FUNCTION()) {
  const auto generate_it = [&](const SequenceGenerator& self, const GenerateOptions& how) {
    return std::vector<std::vector<Generated>>{generate(self, how)};
  };
  return generate_list(generator, options, out, generate_it, function);
}

}  // namespace

mxinfer_status mxinfer_sequence_generator_create(const mxinfer_model* model,
                                                 const mxinfer_generator_options* about,
                                                 const mxinfer_options* options,
                                                 mxinfer_sequence_generator** out) {
  return give(out, [&] {
    return new mxinfer_sequence_generator(
        SequenceGenerator(need(model, "model").model, generator_options_of(about, settings_of(options))));
  });
}

mxinfer_status mxinfer_sequence_generator_open(const char* uri, const mxinfer_generator_options* about,
                                               const mxinfer_options* options,
                                               mxinfer_sequence_generator** out) {
  return give(out, [&] {
    const Settings& settings = settings_of(options);
    return new mxinfer_sequence_generator(SequenceGenerator(
        need_text(uri, "uri"), generator_options_of(about, settings), settings.load_options()));
  });
}

void mxinfer_sequence_generator_free(mxinfer_sequence_generator* generator) {
  delete generator;
}

const mxinfer_predictor* mxinfer_sequence_generator_predictor(const mxinfer_sequence_generator* generator) {
  return generator == nullptr ? nullptr : &generator->base;
}

mxinfer_status mxinfer_sequence_generator_generate_ids(const mxinfer_sequence_generator* generator,
                                                       const int32_t* prompt, size_t count,
                                                       const mxinfer_generate_options* options,
                                                       mxinfer_generated** out) {
  return generate_one(generator, options, out,
                      [&](const SequenceGenerator& self, const GenerateOptions& how) {
                        return self.generate(need_span(prompt, count, "prompt"), how);
                      });
}

mxinfer_status mxinfer_sequence_generator_generate_text(const mxinfer_sequence_generator* generator,
                                                        const char* prompt,
                                                        const mxinfer_generate_options* options,
                                                        mxinfer_generated** out) {
  return generate_one(generator, options, out,
                      [&](const SequenceGenerator& self, const GenerateOptions& how) {
                        return self.generate_text(need_text(prompt, "prompt"), how);
                      });
}

mxinfer_status mxinfer_sequence_generator_generate_ids_list(const mxinfer_sequence_generator* generator,
                                                            const mxinfer_id_list* prompts, size_t count,
                                                            const mxinfer_generate_options* options,
                                                            mxinfer_generated** out) {
  return generate_list(generator, options, out,
                       [&](const SequenceGenerator& self, const GenerateOptions& how) {
                         const auto lists = id_lists(prompts, count, "prompts");
                         return self.generate_batch(Span<const std::vector<std::int32_t>>(lists), how);
                       });
}

mxinfer_status mxinfer_sequence_generator_generate_texts(const mxinfer_sequence_generator* generator,
                                                         const char* const* prompts, size_t count,
                                                         const mxinfer_generate_options* options,
                                                         mxinfer_generated** out) {
  return generate_list(generator, options, out,
                       [&](const SequenceGenerator& self, const GenerateOptions& how) {
                         const auto texts = need_texts(prompts, count, "prompts", "text of prompts");
                         return self.generate_texts(Span<const std::string>(texts), how);
                       });
}

mxinfer_status mxinfer_sequence_generator_ids(const mxinfer_sequence_generator* generator, const char* text,
                                              mxinfer_ids** out) {
  return give(out, [&] {
    const SequenceGenerator& self = need(generator, "generator").generator;
    return new mxinfer_ids{self.ids(need_text(text, "text"))};
  });
}

mxinfer_status mxinfer_sequence_generator_text(const mxinfer_sequence_generator* generator,
                                               const int32_t* ids, size_t count, char** out) {
  return give(out, [&] {
    return copy_text(need(generator, "generator").generator.text(need_span(ids, count, "ids")));
  });
}

const mxinfer_vocabulary* mxinfer_sequence_generator_vocabulary(const mxinfer_sequence_generator* generator) {
  return generator == nullptr ? nullptr : &generator->vocabulary;
}

mxinfer_status mxinfer_sequence_generator_found(const mxinfer_sequence_generator* generator,
                                                mxinfer_generator_options* out) {
  return call([&] { write_struct(need(out, "out"), found_options(need(generator, "generator"))); });
}

mxinfer_status mxinfer_sequence_generator_start_ids(const mxinfer_sequence_generator* generator,
                                                    const int32_t* prompt, size_t count,
                                                    const mxinfer_generate_options* options,
                                                    mxinfer_generation** out) {
  return give(out, [&] {
    const SequenceGenerator& self = need(generator, "generator").generator;
    return new mxinfer_generation{
        self.start(need_span(prompt, count, "prompt"), generate_options_of(options))};
  });
}

mxinfer_status mxinfer_sequence_generator_start_text(const mxinfer_sequence_generator* generator,
                                                     const char* prompt,
                                                     const mxinfer_generate_options* options,
                                                     mxinfer_generation** out) {
  return give(out, [&] {
    const SequenceGenerator& self = need(generator, "generator").generator;
    return new mxinfer_generation{self.start_text(need_text(prompt, "prompt"), generate_options_of(options))};
  });
}
