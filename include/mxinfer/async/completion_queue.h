// CompletionQueue: collects predictions as they end, whichever ends first, for one loop that submits and
// answers.
//
//   mxinfer::CompletionQueue<std::vector<mxinfer::Classification>> done;
//   done.add(1, classifier.classify_async(images[0], 5));       // the tag is the caller's
//   done.add(2, classifier.classify_async(images[1], 5));
//   while (auto next = done.next()) show(next->prediction.get());
//   watch(done.fd());                                           // for epoll: readable when one has ended
#pragma once

#include <mxinfer/async/prediction.h>
#include <mxinfer/error.h>
#include <mxinfer/export.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace mxinfer {
inline namespace MXINFER_ABI {
namespace detail {

/// One prediction that was added, in a list of those that have ended.
class MXINFER_API Completed : public Continuation {
 public:
  virtual ~Completed() = default;
  Completed(const Completed&) = delete;
  Completed& operator=(const Completed&) = delete;

 protected:
  Completed() noexcept = default;

 private:
  friend class CompletionList;
  void request_ended() noexcept final;

  class CompletionList* list_ = nullptr;
  Completed* next_ = nullptr;
};

/// What a CompletionQueue has that does not depend on the type of its results. Thread-safe.
class MXINFER_API CompletionList {
 public:
  CompletionList();
  /// Waits for what has not ended, and destroys all.
  ~CompletionList();
  CompletionList(const CompletionList&) = delete;
  CompletionList& operator=(const CompletionList&) = delete;

  /// Takes it; it is in the list when `request` has ended.
  void add(std::unique_ptr<Completed> completed, Request& request);
  std::unique_ptr<Completed> try_next() noexcept;
  /// Null if none has ended by then, and at once if none was added that is still to come.
  std::unique_ptr<Completed> next_until(Deadline time);
  std::size_t size() const noexcept;
  int fd();

 private:
  friend class Completed;
  void push(Completed& completed) noexcept;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace detail

template <typename T, typename Tag = std::uint64_t>
class CompletionQueue {
 public:
  struct Completion {
    Tag tag;
    Prediction<T> prediction;  ///< ready: get() does not wait
  };

  /// Error(out_of_memory).
  CompletionQueue() = default;
  /// Waits until all that was added has ended, and drops the results that were not taken. Cancel first what
  /// should not be waited for.
  ~CompletionQueue() = default;
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  /// Any thread may add while others take. Error(invalid_argument): an empty handle.
  void add(Tag tag, Prediction<T> prediction) try {
    detail::Request* const request = prediction.state();
    if (request == nullptr) {
      throw Error(ErrorCode::invalid_argument,
                  "an empty Prediction was added to a CompletionQueue; submit first");
    }
    auto entry = std::make_unique<Entry>(std::move(tag), std::move(prediction));
    list_.add(std::move(entry), *request);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "the memory for a completion was refused");
  }
  /// One that has ended, the first that did; nothing if there is none. Never waits for a prediction.
  [[nodiscard]] std::optional<Completion> try_next() { return unpack(list_.try_next()); }
  /// Waits for one, at most so long. Nothing, and at once, if all that was added was taken.
  template <typename Rep, typename Period>
  [[nodiscard]] std::optional<Completion> next(std::chrono::duration<Rep, Period> time) {
    return unpack(list_.next_until(deadline_after(time)));
  }
  /// The same without a limit.
  [[nodiscard]] std::optional<Completion> next() { return unpack(list_.next_until(kNoDeadline)); }
  /// Those that were added and not taken, ended or not.
  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  /// A file descriptor that is readable while one that has ended waits to be taken (an eventfd), for epoll,
  /// poll and select. It is the queue's: do not read or close it. Error(out_of_memory) if the process has no
  /// more descriptors.
  [[nodiscard]] int fd() { return list_.fd(); }

 private:
  struct Entry final : detail::Completed {
    Entry(Tag t, Prediction<T> p) : completion{std::move(t), std::move(p)} {}
    Completion completion;
  };
  static std::optional<Completion> unpack(const std::unique_ptr<detail::Completed>& completed) {
    if (completed == nullptr) return std::nullopt;
    return std::move(static_cast<Entry&>(*completed).completion);
  }
  detail::CompletionList list_{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
