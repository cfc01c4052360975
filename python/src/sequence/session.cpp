#include <mxinfer/sequence/session.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/arrays.h"
#include "core/calls.h"
#include "core/errors.h"
#include "core/handles.h"
#include "core/records.h"
#include "core/submitted.h"
#include "sequence/sequences.h"

namespace nb = nanobind;

namespace mxinfer::python {
namespace {

using Outputs = std::vector<Tensor>;

/// A session is for one thread at a time; those of Python wait for one another. The mutex is taken without
/// the interpreter's lock alone.
struct SharedSession {
  SharedSession(Session made, const Model& of) : session(std::move(made)), model(of) {}
  mutable std::mutex mutex{};
  mutable Session session;
  const Model model;  ///< for dtypes
};

using SessionHandle = Handle<SharedSession>;

SessionHandle session_of(const SequencePredictorHandle& self) {
  const SequencePredictor& predictor = self.as<SequencePredictor>();
  const WithoutGil released;
  return SessionHandle(std::make_unique<SharedSession>(predictor.session(), predictor.model()));
}

SessionHandle copy_of(const SessionHandle& self) {
  const WithoutGil released;
  const std::lock_guard lock(self->mutex);
  return SessionHandle(std::make_unique<SharedSession>(Session(self->session), self->model));
}

nb::object step_of_id(const SessionHandle& self, std::int32_t id) {
  Outputs outputs;
  {
    const WithoutGil released;
    const std::lock_guard lock(self->mutex);
    outputs = self->session.step(id);
  }
  return to_python(std::move(outputs));
}

nb::object step(const SessionHandle& self, const nb::object& value) {
  if (is_id(value)) return step_of_id(self, id_of(value, "piece"));
  const SequenceArgument piece(value, "piece", self->model);
  const std::map<std::string, TensorView> views =
      piece.named() == nullptr ? std::map<std::string, TensorView>() : piece.named()->views();
  Outputs outputs;
  {
    const WithoutGil released;
    const std::lock_guard lock(self->mutex);
    if (piece.ids() != nullptr) {
      outputs = self->session.step(*piece.ids());
    } else if (piece.array() != nullptr) {
      outputs = self->session.step(piece.array()->view());
    } else {
      outputs = self->session.step(NamedViews<TensorView>(views));
    }
  }
  return to_python(std::move(outputs));
}

void reset(const SessionHandle& self) {
  const WithoutGil released;
  const std::lock_guard lock(self->mutex);
  self->session.reset();
}

nb::object states(const SessionHandle& self) {
  std::map<std::string, Tensor> states;
  {
    const WithoutGil released;
    const std::lock_guard lock(self->mutex);
    states = self->session.states();
  }
  nb::dict dict;
  for (auto& [name, state] : states) dict[text_of(name)] = to_numpy(std::move(state));
  return dict;
}

std::vector<DataDesc> descs_of(const SharedSession& shared) {
  const WithoutGil released;
  const std::lock_guard lock(shared.mutex);
  return shared.session.state_descs();
}

void set_states(const SessionHandle& self, const nb::dict& dict) {
  const NamedArrays arrays(dict, "state", descs_of(*self), DType::float32);
  std::map<std::string, TensorView> views = arrays.views();
  const WithoutGil released;
  const std::lock_guard lock(self->mutex);
  self->session.set_states(views);
}

/// The locks of many sessions, in an order that is the same for all threads.
std::vector<std::unique_lock<std::mutex>> locked(std::vector<const SharedSession*> sessions) {
  std::sort(sessions.begin(), sessions.end(), std::less<>());
  sessions.erase(std::unique(sessions.begin(), sessions.end()), sessions.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  for (const SharedSession* const each : sessions) locks.emplace_back(each->mutex);
  return locks;
}

nb::object step_many(const SequencePredictorHandle& self, const std::vector<const SessionHandle*>& given,
                     const nb::list& values, bool collect) {
  const SequencePredictor& predictor = self.as<SequencePredictor>();
  const SequenceArguments pieces(values, "piece", predictor.model(), collect);
  std::vector<const SharedSession*> shared;
  std::vector<Session*> sessions;
  for (const std::size_t position : pieces.items().positions) {
    shared.push_back(&**given.at(position));
    sessions.push_back(&shared.back()->session);
  }
  const Span<Session* const> span(sessions);
  std::vector<ItemError> errors;
  std::vector<ItemError>* const to = collect ? &errors : nullptr;
  std::vector<Outputs> outputs;
  {
    const WithoutGil released;
    const auto locks = locked(shared);
    outputs = pieces.visit(
        [&](const std::vector<std::vector<std::int32_t>>& ids) { return predictor.step(span, ids, to); },
        [&](const std::vector<TensorView>& views) { return predictor.step(span, views, to); },
        [&](const std::vector<NamedViews<TensorView>>&) -> std::vector<Outputs> {
          throw Error(ErrorCode::invalid_argument,
                      "pieces by name are taken by Session.step alone; give ids or arrays");
        });
  }
  return results_of(pieces.items(), std::move(outputs), errors);
}

}  // namespace

void bind_session(nb::module_& module) {
  nb::class_<SessionHandle>(module, "Session")
      .def_static("make", session_of)
      .def("copy", copy_of)
      .def("step", step, nb::arg("piece").none())
      .def("reset", reset)
      .def("states", states)
      .def("set_states", set_states)
      .def("state_descs", [](const SessionHandle& self) { return to_python(descs_of(*self)); });
  module.def("step", step_many);
}

}  // namespace mxinfer::python
