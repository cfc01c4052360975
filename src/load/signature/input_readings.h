// InputReadings: the possible descriptions of a network's inputs. They come from the caller, from files that
// state those of some run, or from the network itself. If they differ, the first one that the network accepts
// is right.
//
//   InputReadings readings(graph, given, stated, result);     // result.signature.inputs: the likely reading
//   if (const auto fit = readings.choose()) ...               // one that fits, and the sizes that were tried
//   readings.warn();
#pragma once

#include <mxinfer/signature.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "load/signature/guess_batch.h"
#include "load/signature/guess_side.h"
#include "load/signature/guess_signature.h"
#include "load/signature/network_inputs.h"

namespace mxinfer::api {

/// Sizes that a network accepts, if its inputs leave some free.
struct FittingSizes {
  std::optional<GuessedSide> side{};  ///< if heights, widths or lengths are free
  std::int64_t side_tried = 224;
  TriedBatches tried{};
};

/// Parameters as those of guess_signature(). `graph` and `result` must outlive it.
class InputReadings {
 public:
  InputReadings(const graph::Graph& graph, const std::vector<DataDesc>& given,
                const std::vector<DataDesc>& stated, GuessedSignature& result);

  /// Sets the inputs of the signature to the first reading that the network accepts. If it accepts none, sets
  /// the likely one and returns nullopt.
  std::optional<FittingSizes> choose();

  /// Warns about statements of files that are not used.
  void warn();

 private:
  /// Of an input whose shape a file states.
  struct Read {
    std::size_t input;
    Shape stated;     ///< by the file
    Shape as_stated;  ///< with a free batch, and nothing else changed
    bool is_corrected;
  };

  void read_variables();
  void read_shape(std::size_t index, const Shape& stated);
  void forget_shape(std::size_t index);
  void take_layout(std::size_t index);
  void take_stated(const std::vector<DataDesc>& stated);
  void take_given(const std::vector<DataDesc>& given);
  void take_channels_last(std::size_t index);
  Shape shape_of_network(std::size_t index) const;
  std::size_t batch_of_network(std::size_t index) const;
  std::vector<std::int64_t> written_batches() const;

  const graph::Graph& graph_;
  GuessedSignature& result_;
  std::vector<NetworkInput> network_;
  std::vector<Read> read_{};
};

}  // namespace mxinfer::api
