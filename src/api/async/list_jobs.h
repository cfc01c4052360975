// Jobs that run as one list of items.
//
//   static void run_together(Span<const TextJob* const> jobs, const Deliver<Result>& deliver) {
//     const auto run_all = [&](std::vector<ItemError>* errors) {
//       return jobs[0]->self.classify_texts(members_of(jobs, &TextJob::text), jobs[0]->top_k, errors);
//     };
//     run_list_together(jobs, run_all, deliver);
//   }
#pragma once

#include <mxinfer/item_error.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "api/async/batched_request.h"

namespace mxinfer::api {

/// One member of each job.
template <typename Job, typename T>
std::vector<T> members_of(Span<const Job* const> jobs, T Job::*member) {
  std::vector<T> members;
  for (const Job* job : jobs) members.push_back(job->*member);
  return members;
}

/// The results of run_all by job; none for invalid items, or for all of them if the list failed.
template <typename Row, typename RunAll>
std::vector<std::optional<Row>> try_list(std::size_t count, const RunAll& run_all) {
  std::vector<std::optional<Row>> found(count);
  std::vector<ItemError> errors;
  try {
    std::vector<Row> rows = run_all(&errors);
    for (std::size_t i = 0; i < count; ++i) found[i] = std::move(rows[i]);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::out_of_memory) throw;  // says nothing about the network
    return std::vector<std::optional<Row>>(count);
  }
  for (const ItemError& error : errors) found[error.item].reset();
  return found;
}

/// Delivers rows = run_all(&errors), one for each job. An invalid item gets no result here: it runs alone and
/// gets its own error.
template <typename Job, typename RunAll>
void run_list_together(Span<const Job* const> jobs, const RunAll& run_all,
                       const Deliver<typename Job::Result>& deliver) {
  auto rows = try_list<typename Job::Result>(jobs.size(), run_all);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (rows[i]) deliver(i, std::move(*rows[i]));
  }
}

}  // namespace mxinfer::api
