#include "runtime/batch_runner.h"

#include "base/fail.h"

namespace mxinfer::runtime {

std::vector<std::exception_ptr> BatchRunner::try_each(std::size_t count, Body body) {
  std::vector<std::exception_ptr> errors(count);
  const auto attempt = [&](std::size_t i) {
    try {
      isolate([&] { body(i); });
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  arena_.execute([&] {
    parallel_for(static_cast<std::int64_t>(count), 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) attempt(static_cast<std::size_t>(i));
    });
  });
  return errors;
}

void BatchRunner::for_each(std::size_t count, Body body, std::vector<ItemError>* errors) {
  const auto thrown = try_each(count, body);
  for (std::size_t i = 0; i < count; ++i) {
    if (!thrown[i]) continue;
    if (errors == nullptr) std::rethrow_exception(thrown[i]);
    errors->push_back({i, as_error(thrown[i])});
  }
}

}  // namespace mxinfer::runtime
