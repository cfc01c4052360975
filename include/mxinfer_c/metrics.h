// What models, predictors and queues hold and have done, for a service's metrics.
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
  uint64_t stored_weights;   ///< parameters as they are, without those that are read from the file yet
  uint64_t packed_weights;   ///< what plans made of them, for their kernels
  uint64_t plans;            ///< steps and descriptions, about; 0 of a model
  uint64_t workspaces;       ///< what calls work in, idle ones too; 0 of a model
  uint64_t idle_workspaces;  ///< of these, those that wait for a call
} mxinfer_memory;

/// Of a predictor and what shares its plans.
typedef struct mxinfer_stats {
  size_t struct_size;
  uint64_t calls;           ///< runs of a plan that were begun, those of warmup among them
  uint64_t plan_misses;     ///< of calls and of questions for shapes, those that found no plan
  uint64_t plans_made;      ///< many more than `plans` mean that the option max_plans is too small
  uint64_t plans;           ///< kept now
  uint64_t running;         ///< calls that run now
  uint64_t idle_executors;  ///< workspaces that wait for a call
  uint64_t executor_bytes;  ///< memory of all workspaces
  uint64_t weight_bytes;    ///< memory of the model's weights
} mxinfer_stats;

/// Of the calls of a predictor, synchronous and asynchronous, or of a queue. The histograms of times are in
/// the text for Prometheus.
typedef struct mxinfer_call_metrics {
  size_t struct_size;
  uint64_t submitted;  ///< waiting + running + done + failed + cancelled + expired
  uint64_t waiting;    ///< now
  uint64_t running;    ///< now
  uint64_t done;
  uint64_t failed;
  uint64_t cancelled;
  uint64_t expired;
  uint64_t refused;                             ///< not taken; none of submitted
  uint64_t batches;                             ///< that calls ran together in
  uint64_t batched;                             ///< calls that ran in one
  double queue_p50_seconds, queue_p99_seconds;  ///< from the submission to the start, about
  double run_p50_seconds, run_p99_seconds;      ///< from the start to the end, about
} mxinfer_call_metrics;

#endif
