// SequencePredictor as Python holds it, and the sequences that it is given.
#pragma once

#include <mxinfer/sequence/sequence_predictor.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/handles.h"
#include "core/option_fields.h"
#include "core/read_items.h"
#include "sequence/sequence_argument.h"

namespace mxinfer::python {

struct SequencePredictorHandle : PredictorHandle {
  using PredictorHandle::PredictorHandle;
};
struct TextClassifierHandle : SequencePredictorHandle {
  using SequencePredictorHandle::SequencePredictorHandle;
};

using BucketedModelHandle = Handle<BucketedModel>;

/// Those of a dict, and `common`.
SequenceOptions sequence_options(const OptionFields& fields, const Options& common);

/// Ids, one array, or arrays by name. Made and destroyed with the interpreter's lock.
class SequenceArgument {
 public:
  using Ids = std::vector<std::int32_t>;

  /// Whole numbers in one dimension are ids; `what` is for messages, the model for the dtypes of lists.
  SequenceArgument(nanobind::handle sequence, const char* what, const Model& model);

  [[nodiscard]] const Ids* ids() const noexcept { return std::get_if<Ids>(&sequence_); }
  [[nodiscard]] const HeldArray* array() const noexcept { return std::get_if<HeldArray>(&sequence_); }
  [[nodiscard]] const NamedArrays* named() const noexcept { return std::get_if<NamedArrays>(&sequence_); }

 private:
  std::variant<Ids, HeldArray, NamedArrays> sequence_;
};

/// Many, of one kind.
class SequenceArguments {
 public:
  /// Those that are wrong, or of another kind than the first, are errors of items if these are collected.
  SequenceArguments(const nanobind::list& sequences, const char* what, const Model& model, bool collect);

  [[nodiscard]] const ReadItems<SequenceArgument>& items() const noexcept { return items_; }
  /// Calls what fits their kind; of no sequences, of_ids.
  template <typename OfIds, typename OfViews, typename OfNamed>
  auto visit(OfIds&& of_ids, OfViews&& of_views, OfNamed&& of_named) const {
    if (!items_.values.empty() && items_.values.front().named() != nullptr) return of_named(named_);
    if (!items_.values.empty() && items_.values.front().array() != nullptr) return of_views(views_);
    return of_ids(ids_);
  }

 private:
  void add(const SequenceArgument& sequence);
  ReadItems<SequenceArgument> items_{};
  std::vector<SequenceArgument::Ids> ids_{};
  std::vector<TensorView> views_{};
  std::vector<NamedViews<TensorView>> named_{};
};

void bind_session(nanobind::module_& module);

}  // namespace mxinfer::python
