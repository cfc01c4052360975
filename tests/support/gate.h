// Gate: work that is held until a test lets it go.
//
//   auto held = queue.submit(gate.hold());
//   gate.wait_until_entered(1);            // it runs
//   gate.open();
#pragma once

#include <atomic>
#include <future>
#include <thread>

namespace mxinfer::test {

class Gate {
 public:
  void open() { opened_.set_value(); }
  /// Of work that waits for it.
  auto hold() {
    return [this] {
      ++entered_;
      future_.wait();
    };
  }
  void wait_until_entered(int times) const {
    while (entered_ < times) std::this_thread::yield();
  }

 private:
  std::promise<void> opened_;
  std::shared_future<void> future_{opened_.get_future()};
  std::atomic<int> entered_{0};
};

}  // namespace mxinfer::test
