// What the asynchronous twins of the classes that take images have in common.
#pragma once

#include <mxinfer/item_error.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "api/batched_request.h"

namespace mxinfer::api {

/// Gives each job its row, but for those whose image was wrong in this batch: alone they have their own
/// error.
template <typename Row>
void deliver_rows(std::vector<Row> rows, const std::vector<ItemError>& errors, const Deliver<Row>& deliver) {
  std::vector<bool> is_wrong(rows.size());
  for (const ItemError& error : errors) is_wrong[error.item] = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_wrong[i]) deliver(i, std::move(rows[i]));
  }
}

/// One member of each job.
template <typename Job, typename T>
std::vector<T> members_of(Span<const Job* const> jobs, T Job::*member) {
  std::vector<T> members;
  for (const Job* job : jobs) members.push_back(job->*member);
  return members;
}

}  // namespace mxinfer::api
