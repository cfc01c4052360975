// Requests, completion queues and queues through the C interface.
#include <poll.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "c_api/c_api_support.h"

namespace mxinfer_c_tests {
namespace {

const std::vector<std::int64_t> kRowShape = {1, 4};
const std::vector<float> kRow = {1, 2, 3, 4};

/// Work that waits until it is let go.
class Gate {
 public:
  static mxinfer_status work(void* user) {
    auto& self = *static_cast<Gate*>(user);
    std::unique_lock lock(self.mutex_);
    self.entered_ = true;
    self.changed_.notify_all();
    self.changed_.wait(lock, [&] { return self.open_; });
    return MXINFER_OK;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void await_entry() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return entered_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool entered_ = false, open_ = false;
};

TEST(CRequest, ShapesFlatArrays) {
  Predictor predictor;
  ASSERT_C_OK(mxinfer_predictor_open(digits().c_str(), nullptr, Out(predictor)));
  const std::vector<float> three(3 * 32 * 32, 1.0F);
  const std::vector<std::int64_t> count{3 * 32 * 32};
  const mxinfer_tensor input = tensor_of(three.data(), count);
  Tensors expected;
  ASSERT_C_OK(mxinfer_predictor_predict_flat(predictor.get(), &input, 1, Out(expected)));
  for (const int copies : {0, 1}) {
    auto options = sized<mxinfer_submit_options>();
    options.copy_inputs = copies;
    Request request;
    ASSERT_C_OK(mxinfer_predictor_submit_flat(predictor.get(), &input, 1, &options, Out(request)));
    Tensors outputs;
    ASSERT_C_OK(mxinfer_request_tensors(request.get(), Out(outputs)));
    EXPECT_EQ(floats_of(tensor_at(outputs, 0)), floats_of(tensor_at(expected, 0)));
  }
  const std::vector<std::int64_t> odd{1000};
  const mxinfer_tensor wrong = tensor_of(three.data(), odd);
  Request request;
  EXPECT_C_ERROR(mxinfer_predictor_submit_flat(predictor.get(), &wrong, 1, nullptr, Out(request)),
                 MXINFER_INVALID_ARGUMENT, "1000", "1024");
}

TEST(CRequest, GivesItsResultOnce) {
  const Predictor predictor = add_predictor();
  const mxinfer_tensor inputs[] = {tensor_of(kRow.data(), kRowShape), tensor_of(kRow.data(), kRowShape)};
  Request request;
  ASSERT_C_OK(mxinfer_predictor_submit(predictor.get(), inputs, 2, nullptr, Out(request)));
  int ended = 0;
  ASSERT_C_OK(mxinfer_request_wait(request.get(), -1, &ended));
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(mxinfer_request_ready(request.get()), 1);
  Classes classes;
  EXPECT_C_ERROR(mxinfer_request_classes(request.get(), Out(classes)), MXINFER_INVALID_ARGUMENT,
                 "mxinfer_request_tensors");
  Tensors outputs;
  ASSERT_C_OK(mxinfer_request_tensors(request.get(), Out(outputs)));
  EXPECT_EQ(floats_of(tensor_at(outputs, 0)), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_STREQ(tensor_at(outputs, 0).name, "sum_output");
  EXPECT_EQ(mxinfer_request_ready(request.get()), 0);
  EXPECT_C_ERROR(mxinfer_request_tensors(request.get(), Out(outputs)), MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(mxinfer_request_cancel(request.get()), 0);
}

TEST(CRequest, CopiesInputsThatDoNotLive) {
  const Predictor predictor = add_predictor();
  auto options = sized<mxinfer_submit_options>();
  options.copy_inputs = 1;
  std::vector<Request> requests(32);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    std::vector<float> mine(4, static_cast<float>(i));
    const mxinfer_tensor inputs[] = {tensor_of(mine.data(), kRowShape), tensor_of(kRow.data(), kRowShape)};
    ASSERT_C_OK(mxinfer_predictor_submit(predictor.get(), inputs, 2, &options, Out(requests[i])));
    mine.assign(4, -1);
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Tensors outputs;
    ASSERT_C_OK(mxinfer_request_tensors(requests[i].get(), Out(outputs)));
    EXPECT_EQ(floats_of(tensor_at(outputs, 0))[0], static_cast<float>(i) + 1);
  }
}

TEST(CRequest, WritesIntoMemoryOfTheCaller) {
  const Predictor predictor = add_predictor();
  const mxinfer_tensor inputs[] = {tensor_of(kRow.data(), kRowShape), tensor_of(kRow.data(), kRowShape)};
  std::vector<float> sum(4), squared(4);
  const mxinfer_tensor outputs[] = {tensor_of(sum.data(), kRowShape), tensor_of(squared.data(), kRowShape)};
  Request request;
  ASSERT_C_OK(mxinfer_predictor_submit_into(predictor.get(), inputs, 2, outputs, 2, nullptr, Out(request)));
  ASSERT_C_OK(mxinfer_request_finish(request.get()));
  EXPECT_EQ(sum, (std::vector<float>{2, 4, 6, 8}));
  auto options = sized<mxinfer_submit_options>();
  options.copy_inputs = 1;
  EXPECT_C_ERROR(
      mxinfer_predictor_submit_into(predictor.get(), inputs, 2, outputs, 2, &options, Out(request)),
      MXINFER_UNSUPPORTED, "copy_inputs");
}

TEST(CRequest, ErrorsComeWithIt) {
  const Predictor predictor = add_predictor();
  const std::vector<std::int64_t> other = {1, 3};
  const mxinfer_tensor inputs[] = {tensor_of(kRow.data(), other), tensor_of(kRow.data(), other)};
  Request request;
  ASSERT_C_OK(mxinfer_predictor_submit(predictor.get(), inputs, 2, nullptr, Out(request)));
  Tensors outputs;
  EXPECT_C_ERROR(mxinfer_request_tensors(request.get(), Out(outputs)), MXINFER_INVALID_ARGUMENT, "(1, 3)");
  auto options = sized<mxinfer_submit_options>();
  options.priority = 7;
  EXPECT_C_ERROR(mxinfer_predictor_submit(predictor.get(), inputs, 2, &options, Out(request)),
                 MXINFER_INVALID_ARGUMENT, "priority is 7");
  options = sized<mxinfer_submit_options>();
  options.timeout_ns = -1;
  EXPECT_C_ERROR(mxinfer_predictor_submit(predictor.get(), inputs, 2, &options, Out(request)),
                 MXINFER_INVALID_ARGUMENT, "timeout_ns is -1");
}

TEST(CRequest, ClassifiesInEveryForm) {
  ImageClassifier classifier;
  ASSERT_C_OK(mxinfer_image_classifier_open(digits().c_str(), nullptr, Out(classifier)));
  const std::string path = image_path("seven.jpg"), bytes = read_bytes(path);
  const auto expect_seven = [](const Request& request) {
    Classes classes;
    ASSERT_C_OK(mxinfer_request_classes(request.get(), Out(classes)));
    EXPECT_EQ(first_label(classes), "seven");
  };
  Request request;
  ASSERT_C_OK(mxinfer_image_classifier_submit_file(classifier.get(), path.c_str(), 1, nullptr, Out(request)));
  expect_seven(request);
  ASSERT_C_OK(mxinfer_image_classifier_submit_bytes(classifier.get(), bytes.data(), bytes.size(), 1, nullptr,
                                                    Out(request)));
  expect_seven(request);
  auto options = sized<mxinfer_submit_options>();
  options.copy_inputs = 1;
  {
    std::string gone = bytes;
    ASSERT_C_OK(mxinfer_image_classifier_submit_bytes(classifier.get(), gone.data(), gone.size(), 1, &options,
                                                      Out(request)));
    gone.assign(gone.size(), 'x');
  }
  expect_seven(request);
}

struct Told {
  std::atomic<int> calls{0};
  mxinfer_request* request = nullptr;
  std::string label;
};

TEST(CRequest, CallsBackOnce) {
  ImageClassifier classifier;
  ASSERT_C_OK(mxinfer_image_classifier_open(digits().c_str(), nullptr, Out(classifier)));
  const std::string path = image_path("seven.jpg");
  Told told;
  auto options = sized<mxinfer_submit_options>();
  options.user = &told;
  options.on_done = [](mxinfer_request* request, void* user) {
    auto& self = *static_cast<Told*>(user);
    Classes classes;
    EXPECT_C_OK(mxinfer_request_classes(request, Out(classes)));
    self.label = first_label(classes);
    mxinfer_request_free(request);
    ++self.calls;
  };
  for (int i = 1; i <= 50; ++i) {
    mxinfer_request* request = nullptr;
    ASSERT_C_OK(mxinfer_image_classifier_submit_file(classifier.get(), path.c_str(), 1, &options, &request));
    while (told.calls < i) std::this_thread::yield();
    EXPECT_EQ(told.label, "seven");
  }
}

TEST(CRequest, OneThatIsFreedEarlyDoesNotCallBack) {
  Queue queue;
  const Options one = make_options({{"workers", "1"}});
  ASSERT_C_OK(mxinfer_queue_create(one.get(), Out(queue)));
  Gate gate;
  Told told;
  auto options = sized<mxinfer_submit_options>();
  options.user = &told;
  options.on_done = [](mxinfer_request*, void* user) { ++static_cast<Told*>(user)->calls; };
  Request request;
  ASSERT_C_OK(mxinfer_queue_submit(queue.get(), Gate::work, &gate, &options, Out(request)));
  gate.await_entry();
  request.reset();
  gate.open();
  queue.reset();
  EXPECT_EQ(told.calls, 0);
}

TEST(CQueue, RefusesCancelsAndExpires) {
  Queue queue;
  const Options two = make_options({{"workers", "1"}, {"max_in_flight", "2"}});
  ASSERT_C_OK(mxinfer_queue_create(two.get(), Out(queue)));
  Gate gate;
  Request running, waiting, refused;
  ASSERT_C_OK(mxinfer_queue_submit(queue.get(), Gate::work, &gate, nullptr, Out(running)));
  gate.await_entry();
  ASSERT_C_OK(mxinfer_queue_submit(queue.get(), Gate::work, &gate, nullptr, Out(waiting)));
  EXPECT_C_ERROR(mxinfer_queue_submit(queue.get(), Gate::work, &gate, nullptr, Out(refused)),
                 MXINFER_TOO_MANY_REQUESTS, "2");
  int ended = 1;
  ASSERT_C_OK(mxinfer_request_wait(waiting.get(), 1000, &ended));
  EXPECT_EQ(ended, 0);
  EXPECT_EQ(mxinfer_request_cancel(waiting.get()), 1);
  EXPECT_C_ERROR(mxinfer_request_finish(waiting.get()), MXINFER_CANCELLED);
  auto soon = sized<mxinfer_submit_options>();
  soon.timeout_ns = 1;
  ASSERT_C_OK(mxinfer_queue_submit(queue.get(), Gate::work, &gate, &soon, Out(waiting)));
  EXPECT_C_ERROR(mxinfer_request_finish(waiting.get()), MXINFER_DEADLINE_EXCEEDED);
  gate.open();
  EXPECT_C_OK(mxinfer_request_finish(running.get()));
  auto metrics = sized<mxinfer_call_metrics>();
  ASSERT_C_OK(mxinfer_queue_metrics(queue.get(), &metrics));
  EXPECT_EQ(metrics.done, 1U);
  EXPECT_EQ(metrics.cancelled, 1U);
  EXPECT_EQ(metrics.expired, 1U);
  EXPECT_EQ(metrics.refused, 1U);
}

TEST(CQueue, WorkThatFailsSaysWhy) {
  Queue queue;
  ASSERT_C_OK(mxinfer_queue_create(nullptr, Out(queue)));
  Request request;
  ASSERT_C_OK(mxinfer_queue_submit(
      queue.get(),
      [](void*) {
        mxinfer_model* model = nullptr;
        return mxinfer_model_load("/nowhere/model", nullptr, &model);
      },
      nullptr, nullptr, Out(request)));
  EXPECT_C_ERROR(mxinfer_request_finish(request.get()), MXINFER_NOT_FOUND, "/nowhere/model");
}

TEST(CCompletionQueue, GivesWhatHasEnded) {
  const Predictor predictor = add_predictor();
  CompletionQueue done;
  ASSERT_C_OK(mxinfer_completion_queue_create(Out(done)));
  int fd = -1;
  ASSERT_C_OK(mxinfer_completion_queue_fd(done.get(), &fd));
  pollfd watched{fd, POLLIN, 0};
  EXPECT_EQ(poll(&watched, 1, 0), 0);
  const mxinfer_tensor inputs[] = {tensor_of(kRow.data(), kRowShape), tensor_of(kRow.data(), kRowShape)};
  constexpr std::uint64_t kRequests = 40;
  for (std::uint64_t tag = 0; tag < kRequests; ++tag) {
    mxinfer_request* request = nullptr;
    ASSERT_C_OK(mxinfer_predictor_submit(predictor.get(), inputs, 2, nullptr, &request));
    ASSERT_C_OK(mxinfer_completion_queue_add(done.get(), tag, request));
  }
  EXPECT_EQ(mxinfer_completion_queue_size(done.get()), kRequests);
  EXPECT_EQ(poll(&watched, 1, 20000), 1);
  std::map<std::uint64_t, int> seen;
  for (std::uint64_t i = 0; i < kRequests; ++i) {
    std::uint64_t tag = 999;
    Request request;
    ASSERT_C_OK(mxinfer_completion_queue_next(done.get(), -1, &tag, Out(request)));
    ASSERT_NE(request, nullptr);
    ++seen[tag];
    Tensors outputs;
    EXPECT_C_OK(mxinfer_request_tensors(request.get(), Out(outputs)));
  }
  EXPECT_EQ(seen.size(), kRequests);
  mxinfer_request* none = reinterpret_cast<mxinfer_request*>(&fd);
  ASSERT_C_OK(mxinfer_completion_queue_next(done.get(), -1, nullptr, &none));
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(poll(&watched, 1, 0), 0);
}

TEST(CCompletionQueue, TakesOnlyWhatIsLeft) {
  const Predictor predictor = add_predictor();
  const mxinfer_tensor inputs[] = {tensor_of(kRow.data(), kRowShape), tensor_of(kRow.data(), kRowShape)};
  CompletionQueue done;
  ASSERT_C_OK(mxinfer_completion_queue_create(Out(done)));
  Request request;
  ASSERT_C_OK(mxinfer_predictor_submit(predictor.get(), inputs, 2, nullptr, Out(request)));
  ASSERT_C_OK(mxinfer_request_finish(request.get()));
  EXPECT_C_ERROR(mxinfer_completion_queue_add(done.get(), 1, request.get()), MXINFER_INVALID_ARGUMENT,
                 "result was taken");
  auto options = sized<mxinfer_submit_options>();
  options.on_done = [](mxinfer_request*, void*) {};
  ASSERT_C_OK(mxinfer_predictor_submit(predictor.get(), inputs, 2, &options, Out(request)));
  EXPECT_C_ERROR(mxinfer_completion_queue_add(done.get(), 1, request.get()), MXINFER_INVALID_ARGUMENT,
                 "on_done");
  ASSERT_C_OK(mxinfer_request_wait(request.get(), -1, nullptr));
  // What was added and not taken goes with the queue.
  mxinfer_request* left = nullptr;
  ASSERT_C_OK(mxinfer_predictor_submit(predictor.get(), inputs, 2, nullptr, &left));
  ASSERT_C_OK(mxinfer_completion_queue_add(done.get(), 1, left));
}

}  // namespace
}  // namespace mxinfer_c_tests
