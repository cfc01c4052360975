#include "c_api/source.h"

#include <array>
#include <string>

#include "c_api/call.h"
#include "c_api/structs.h"

namespace mxinfer::c_api {
namespace {

/// Calls release once.
class Released {
 public:
  explicit Released(const mxinfer_source& source) : source_(source) {}
  ~Released() {
    if (source_.release != nullptr) source_.release(source_.user);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  [[nodiscard]] const mxinfer_source& source() const { return source_; }

 private:
  mxinfer_source source_;
};

class CallerBytes final : public ByteSource {
 public:
  explicit CallerBytes(std::unique_ptr<Released> of) : of_(std::move(of)) {}

  [[nodiscard]] std::int64_t size() const override { return of_->source().bytes; }

  void read(std::int64_t offset, Span<std::byte> to) const override {
    std::array<char, 512> message{};
    const mxinfer_source& source = of_->source();
    const mxinfer_status status =
        source.read(source.user, offset, to.size(), to.data(), message.data(), message.size());
    if (status == MXINFER_OK) return;
    message.back() = '\0';
    throw Error(code_of(status), message[0] != '\0' ? message.data()
                                                    : std::string("a source of the program failed: ") +
                                                          mxinfer_status_name(status));
  }

 private:
  std::unique_ptr<Released> of_;
};

}  // namespace

std::shared_ptr<const ByteSource> source_of(const mxinfer_source* source) {
  if (source == nullptr) return nullptr;
  auto released = std::make_unique<Released>(read_struct(*source));
  if (released->source().read == nullptr) throw NullArgument{"read of a source"};
  if (released->source().bytes < 0)
    reject("a source has " + std::to_string(released->source().bytes) + " bytes; expected 0 or more");
  return std::make_shared<CallerBytes>(std::move(released));
}

}  // namespace mxinfer::c_api
