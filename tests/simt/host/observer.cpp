#include "simt/host/observer.h"

#include "simt/host/context.h"

namespace mxinfer::simt {

Observer* observer = nullptr;

void note_access(const void* address, std::size_t bytes, Access kind, const void* code) {
  const Thread* const thread = self;
  if (thread == nullptr || observer == nullptr) return;
  const auto* at = static_cast<const std::byte*>(address);
  const auto* bottom = static_cast<const std::byte*>(thread->context->bottom);
  if (at >= bottom && at < bottom + thread->context->size) return;
  observer->access(*thread, address, bytes, kind, code);
}

}  // namespace mxinfer::simt
