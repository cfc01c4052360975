// Memory and counters of models, predictors and queues, for the metrics of a service.
//
//   mxinfer_memory memory = {sizeof memory};
//   mxinfer_predictor_memory(predictor, &memory);
//   if (memory.idle_workspaces > 64000000) mxinfer_predictor_trim(predictor, NULL);
#ifndef MXINFER_C_METRICS_H
#define MXINFER_C_METRICS_H

#include <mxinfer_c/status.h>
#include <stddef.h>

/// Bytes.
typedef struct mxinfer_memory {
  size_t struct_size;
  uint64_t stored_weights;   ///< parameters in memory, without those not yet read from the file
  uint64_t packed_weights;   ///< forms of weights that plans packed for their kernels
  uint64_t plans;            ///< steps and descriptions, approximately; 0 for a model
  uint64_t workspaces;       ///< the memory that calls work in, idle ones included; 0 for a model
  uint64_t idle_workspaces;  ///< the part of them that waits for a call
} mxinfer_memory;

/// Counters of a predictor and of the handles that share its plans.
typedef struct mxinfer_stats {
  size_t struct_size;
  uint64_t calls;           ///< runs of a plan that have begun, those of warmup included
  uint64_t plan_misses;     ///< calls and shape queries that found no plan
  uint64_t plans_made;      ///< if it is much larger than `plans`, the option max_plans is too small
  uint64_t plans;           ///< plans kept now
  uint64_t running;         ///< calls that run now
  uint64_t idle_executors;  ///< workspaces that wait for a call
  uint64_t executor_bytes;  ///< memory of all workspaces
  uint64_t weight_bytes;    ///< memory of the model's weights
} mxinfer_stats;

/// Counters of the calls of a predictor, synchronous and asynchronous, or of a queue. The text for Prometheus
/// has the histograms of times.
typedef struct mxinfer_call_metrics {
  size_t struct_size;
  uint64_t submitted;  ///< waiting + running + done + failed + cancelled + expired
  uint64_t waiting;    ///< now
  uint64_t running;    ///< now
  uint64_t done;
  uint64_t failed;
  uint64_t cancelled;
  uint64_t expired;
  uint64_t refused;                             ///< not accepted; not part of `submitted`
  uint64_t batches;                             ///< batches of several calls
  uint64_t batched;                             ///< calls that ran in such a batch
  double queue_p50_seconds, queue_p99_seconds;  ///< from submission to start, approximately
  double run_p50_seconds, run_p99_seconds;      ///< from start to end, approximately
} mxinfer_call_metrics;

#endif
