// The parts of mxinfer._native, one file each.
#pragma once

#include <nanobind/nanobind.h>

namespace mxinfer::python {

void bind_log(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_submitted(nanobind::module_& module);
void bind_images(nanobind::module_& module);
void bind_predictor(nanobind::module_& module);
void bind_classifiers(nanobind::module_& module);
void bind_detector(nanobind::module_& module);
void bind_segmenter(nanobind::module_& module);
void bind_pinned(nanobind::module_& module);
void bind_tools(nanobind::module_& module);
void bind_tables(nanobind::module_& module);
void bind_vocabulary(nanobind::module_& module);
void bind_tokenizer(nanobind::module_& module);
void bind_word_vectors(nanobind::module_& module);
void bind_bucketed_model(nanobind::module_& module);
void bind_sequence_predictor(nanobind::module_& module);
void bind_text_classifier(nanobind::module_& module);
void bind_generator(nanobind::module_& module);
void bind_ctc(nanobind::module_& module);

/// The library is silent from now on. Precondition: the thread has the interpreter's lock.
void stop_logging();

}  // namespace mxinfer::python
