#include "base/threads/call_context.h"

#include "base/fail.h"

namespace mxinfer {
namespace {

thread_local CallContext current;

}  // namespace

const CallContext& call_context() noexcept {
  return current;
}

CallScope::CallScope(const CallContext& context) noexcept : before_(current) {
  current = context;
}

CallScope::~CallScope() {
  current = before_;
}

void throw_if_cancelled() {
  if (is_cancelled()) fail(ErrorCode::cancelled, "the call was cancelled while it ran");
}

}  // namespace mxinfer
