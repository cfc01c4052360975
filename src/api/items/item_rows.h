// ItemRows: lists of items of any sizes become batches. Each item goes through its input's transforms and
// becomes a row, (1, ...), of the network behind them.
//
//   ItemRows item_rows(data, stages, memory, planner, batch_runner);
//   const std::vector<bool> good = item_rows.stack(lists, &errors, stacked);
#pragma once

#include <mxinfer/item_error.h>
#include <mxinfer/tensor.h>
#include <mxinfer/vision/image.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model_data.h"
#include "runtime/batch_runner.h"
#include "runtime/item_runner.h"

namespace mxinfer::api {

/// One list of items for each input of the model.
using ItemLists = Span<const std::vector<TensorView>>;

/// Thread-safe.
class ItemRows {
 public:
  /// `stages` are the model's after they have been optimised; null if it has none. References outlive it.
  ItemRows(const ModelData& model, const passes::Stages* stages,
           const std::shared_ptr<runtime::MemoryBudget>& memory, const runtime::Planner& planner,
           runtime::BatchRunner& runner);

  /// Whether each item is valid, and one batch of the valid ones for each input of Stages::rest; none if no
  /// item is valid. Items are transformed in parallel. Throws Error(unsupported) if the model has no stages,
  /// Error(invalid_argument) unless there is a list for each input, all of one length; and the first error of
  /// an item unless there are `errors`.
  std::vector<bool> stack(ItemLists inputs, std::vector<ItemError>* errors, std::vector<Tensor>& stacked);

  /// Whether the model has one input, whose items are transformed.
  bool takes_one_list() const;
  /// The pixels of a list of images, those of files decoded.
  struct ListedImages {
    std::vector<TensorView> views;
    std::vector<std::optional<Image>> decoded;  ///< owns the pixels of files
  };
  /// Nothing if an item is invalid. Precondition: takes_one_list().
  std::optional<ListedImages> read_images(const std::vector<TensorView>& items);

  /// Calls body(cache) for each cache of plans.
  template <typename Body>
  void for_each_cache(const Body& body) {
    for (const auto& transforms : transforms_) body(transforms->plans());
  }

 private:
  /// The source of an input of Stages::rest.
  struct RestInput {
    std::size_t input;                ///< of the model
    runtime::ItemRunner* transforms;  ///< nullptr if items become rows as they are
  };
  /// The rows of one batch; absent for invalid items.
  struct Rows {
    std::vector<std::optional<Tensor>> rows;
    /// One of the type that most rows have.
    const Tensor* usual() const;
    Tensor stack() const;
  };

  RestInput source_of(const passes::Stages& stages, const std::string& rest_input) const;
  TensorView checked(const RestInput& from, const TensorView& given) const;
  /// One item of an input as one row of the batch.
  Tensor make_row(std::size_t rest_input, const TensorView& given);
  /// Returns the exceptions by item.
  std::vector<std::exception_ptr> make_rows(ItemLists inputs, std::vector<Rows>& batches);

  const ModelData& model_;
  runtime::BatchRunner& runner_;
  std::vector<std::unique_ptr<runtime::ItemRunner>> transforms_;  ///< by stage
  std::vector<RestInput> rest_inputs_;                            ///< by input of Stages::rest
};

}  // namespace mxinfer::api
