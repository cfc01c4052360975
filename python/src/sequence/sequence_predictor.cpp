#include <mxinfer/sequence/sequence_predictor.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "core/arrays.h"
#include "core/calls.h"
#include "core/handles.h"
#include "core/records.h"
#include "core/submitted.h"
#include "sequence/sequences.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using Outputs = std::vector<Tensor>;

/// make(options) without the interpreter's lock.
template <typename Make>
SequencePredictorHandle made(const SettingPairs& settings, const nb::dict& fields, Make&& make) {
  const SequenceOptions options = sequence_options(OptionFields(fields), settings_of(settings).options());
  const WithoutGil released;
  return SequencePredictorHandle(make(options));
}

SequencePredictorHandle make(const ModelHandle& model, const SettingPairs& settings, const nb::dict& fields) {
  return made(settings, fields, [&](const SequenceOptions& options) {
    return std::make_unique<SequencePredictor>(*model, options);
  });
}

SequencePredictorHandle make_bucketed(const BucketedModelHandle& model, const SettingPairs& settings,
                                      const nb::dict& fields) {
  return made(settings, fields, [&](const SequenceOptions& options) {
    return std::make_unique<SequencePredictor>(*model, options);
  });
}

SequencePredictorHandle open(const nb::bytes& uri, const SettingPairs& load, const SettingPairs& settings,
                             const nb::dict& fields) {
  const std::string path = bytes_of(uri);
  const LoadOptions load_options = settings_of(load).load_options();
  return made(settings, fields, [&](const SequenceOptions& options) {
    return std::make_unique<SequencePredictor>(path, options, load_options);
  });
}

nb::object predict_sequence(const SequencePredictorHandle& self, const nb::object& value) {
  const SequencePredictor& predictor = self.as<SequencePredictor>();
  const SequenceArgument sequence(value, "sequence", predictor.model());
  Outputs outputs;
  if (const auto* ids = sequence.ids()) {
    const WithoutGil released;
    outputs = predictor.predict_sequence(*ids);
  } else if (const auto* array = sequence.array()) {
    const WithoutGil released;
    outputs = predictor.predict_sequence(array->view());
  } else {
    std::map<std::string, TensorView> views = sequence.named()->views();
    const std::vector<NamedViews<TensorView>> one{NamedViews<TensorView>(views)};
    const WithoutGil released;
    outputs = std::move(predictor.predict_sequences(Span<const NamedViews<TensorView>>(one)).at(0));
  }
  return to_python(std::move(outputs));
}

nb::object predict_sequences(const SequencePredictorHandle& self, const nb::list& values, bool collect) {
  const SequencePredictor& predictor = self.as<SequencePredictor>();
  const SequenceArguments sequences(values, "sequence", predictor.model(), collect);
  std::vector<ItemError> errors;
  std::vector<ItemError>* const to = collect ? &errors : nullptr;
  std::vector<Outputs> outputs;
  {
    const WithoutGil released;
    outputs = sequences.visit(
        [&](const std::vector<std::vector<std::int32_t>>& ids) {
          return predictor.predict_sequences(ids, to);
        },
        [&](const std::vector<TensorView>& views) { return predictor.predict_sequences(views, to); },
        [&](const std::vector<NamedViews<TensorView>>& named) {
          return predictor.predict_sequences(Span<const NamedViews<TensorView>>(named), to);
        });
  }
  return results_of(sequences.items(), std::move(outputs), errors);
}

Submitted predict_sequence_async(const SequencePredictorHandle& self, const nb::object& future,
                                 const nb::object& value, const nb::object& deadline,
                                 const std::string& priority) {
  const SequencePredictor& predictor = self.as<SequencePredictor>();
  const SubmitOptions options = submit_options(deadline, priority);
  return submit<Outputs>(future, ids_of(value, "sequence"), [&](const std::vector<std::int32_t>& ids) {
    return predictor.predict_sequence_async(ids, options);
  });
}

Submitted predict_sequences_async(const SequencePredictorHandle& self, const nb::object& future,
                                  const nb::list& values, const nb::object& deadline,
                                  const std::string& priority) {
  using Ids = std::vector<std::int32_t>;
  const SequencePredictor& predictor = self.as<SequencePredictor>();
  const SubmitOptions options = submit_options(deadline, priority);
  ReadItems<Ids> read = read_items<Ids>(values, "sequence", false, ids_of);
  return submit<std::vector<Outputs>>(future, std::move(read.values), [&](const std::vector<Ids>& held) {
    return predictor.predict_sequences_async(held, options);
  });
}

void warmup_buckets(const SequencePredictorHandle& self) {
  const WithoutGil released;
  self.as<SequencePredictor>().warmup_buckets();
}

}  // namespace

void bind_sequence_predictor(nb::module_& module) {
  nb::class_<SequencePredictorHandle, PredictorHandle>(module, "SequencePredictor")
      .def_static("make", make)
      .def_static("make_bucketed", make_bucketed)
      .def_static("open", open)
      .def("model",
           [](const SequencePredictorHandle& self) {
             return ModelHandle(std::make_unique<Model>(self->model()));
           })
      .def("predict_sequence", predict_sequence, nb::arg("sequence").none())
      .def("predict_sequences", predict_sequences)
      .def("predict_sequence_async", predict_sequence_async, nb::arg("future"), nb::arg("sequence").none(),
           nb::arg("deadline").none(), nb::arg("priority"))
      .def("predict_sequences_async", predict_sequences_async, nb::arg("future"), nb::arg("sequences"),
           nb::arg("deadline").none(), nb::arg("priority"))
      .def("buckets",
           [](const SequencePredictorHandle& self) { return self.as<SequencePredictor>().buckets(); })
      .def("bucket_of", [](const SequencePredictorHandle& self,
                           std::int64_t length) { return self.as<SequencePredictor>().bucket_of(length); })
      .def("warmup_buckets", warmup_buckets);
  bind_session(module);
}

}  // namespace mxinfer::python
