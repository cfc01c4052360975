// CompletionQueue: collects predictions in the order in which they end, for one loop that submits and
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

/// A prediction that was added. Once it has ended, the CompletionList contains it.
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

/// The part of a CompletionQueue that does not depend on the type of its results. Thread-safe.
class MXINFER_API CompletionList {
 public:
  CompletionList();
  /// Waits until all predictions have ended, and destroys them.
  ~CompletionList();
  CompletionList(const CompletionList&) = delete;
  CompletionList& operator=(const CompletionList&) = delete;

  /// Takes over `completed`, which is in the list once `request` has ended.
  void add(std::unique_ptr<Completed> completed, Request& request);
  std::unique_ptr<Completed> try_next() noexcept;
  /// Returns null if no prediction has ended by `time`, or at once if there is none left to wait for.
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

/// Collects predictions as they end. Thread-safe, except for the constructor and destructor.
template <typename T, typename Tag = std::uint64_t>
class CompletionQueue {
 public:
  /// A prediction that has ended.
  struct Completion {
    Tag tag;                   ///< the tag that it was added with
    Prediction<T> prediction;  ///< has ended: get() does not wait
  };

  /// Throws Error(out_of_memory).
  CompletionQueue() = default;
  /// Waits until all predictions that were added have ended, and drops the results that were not taken.
  /// Cancel predictions first if you do not want to wait for them.
  ~CompletionQueue() = default;
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  /// Adds a prediction. Other threads may take predictions at the same time. Throws Error(invalid_argument)
  /// if the handle is empty.
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
  /// Returns the prediction that ended first, or nothing if none has ended. Never waits.
  [[nodiscard]] std::optional<Completion> try_next() { return unpack(list_.try_next()); }
  /// As try_next(), but waits for at most `time`. Returns nothing at once if all predictions were taken.
  template <typename Rep, typename Period>
  [[nodiscard]] std::optional<Completion> next(std::chrono::duration<Rep, Period> time) {
    return unpack(list_.next_until(deadline_after(time)));
  }
  /// As above, without a limit.
  [[nodiscard]] std::optional<Completion> next() { return unpack(list_.next_until(kNoDeadline)); }
  /// Returns how many predictions were added and not taken, ended or not.
  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  /// Returns a file descriptor (an eventfd) for epoll, poll and select. It is readable while an ended
  /// prediction waits to be taken. The queue owns it: do not read or close it. Throws Error(out_of_memory) if
  /// the process has no more descriptors.
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
