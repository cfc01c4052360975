// Classifies video frames, and drops those that it cannot keep up with:
// frame_classifier MODEL [SECONDS [FRAMES_PER_SECOND]]
//
// Frames of 3 x 640 x 480 arrive 60 times a second by default. One loop submits them and polls for answers;
// it never waits for a prediction. At most 8 are in flight, and the queue refuses a frame that arrives while
// 8 are. An answer counts as late if it comes more than 100 ms after its frame.
#include <mxinfer/mxinfer.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Answer = std::vector<mxinfer::Classification>;

constexpr int kWidth = 640, kHeight = 480, kInFlight = 8;
constexpr std::chrono::milliseconds kLate{100};

/// Stands for a camera: a moving gradient.
mxinfer::Image frame(int number) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(kWidth) * kHeight * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint8_t>(i / 3 + 5u * static_cast<unsigned>(number));
  return {kWidth, kHeight, 3, pixels};
}

struct Counts {
  int answered = 0, refused = 0, late = 0;
};

class FrameClassifier {
 public:
  explicit FrameClassifier(const std::string& model) : classifier_(model, options()) { classifier_.warmup(); }

  void submit(int number, Counts& counts) {
    submitted_.push_back(Clock::now());
    try {
      done_.add(static_cast<std::uint64_t>(number), classifier_.classify_async(frame(number), 1));
    } catch (const mxinfer::Error& e) {
      if (e.code() != mxinfer::ErrorCode::too_many_requests) throw;
      ++counts.refused;
    }
  }

  /// Counts the answers that are ready.
  void poll(Counts& counts) {
    while (auto next = done_.try_next()) take(*next, counts);
  }
  /// Waits for the remaining answers.
  void finish(Counts& counts) {
    while (auto next = done_.next()) take(*next, counts);
  }

 private:
  static mxinfer::ImageOptions options() {
    mxinfer::ImageOptions options;
    options.options.async.max_in_flight = kInFlight;
    return options;
  }
  void take(mxinfer::CompletionQueue<Answer>::Completion& completion, Counts& counts) {
    (void)completion.prediction.get();
    ++counts.answered;
    if (Clock::now() - submitted_[completion.tag] > kLate) ++counts.late;
  }

  mxinfer::ImageClassifier classifier_;
  mxinfer::CompletionQueue<Answer> done_;
  std::vector<Clock::time_point> submitted_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    std::cerr << "usage: frame_classifier MODEL [SECONDS [FRAMES_PER_SECOND]]\n";
    return 2;
  }
  try {
    const double seconds = argc > 2 ? std::stod(argv[2]) : 5;
    const double rate = argc > 3 ? std::stod(argv[3]) : 60;
    const int frames = static_cast<int>(seconds * rate);
    FrameClassifier classifier(argv[1]);
    Counts counts;
    const Clock::time_point start = Clock::now();
    for (int number = 0; number < frames;) {
      const auto due =
          start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(number / rate));
      if (Clock::now() >= due) classifier.submit(number++, counts);
      classifier.poll(counts);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    classifier.finish(counts);
    std::cout << frames << " frames: " << counts.answered << " answered, " << counts.late << " of them late, "
              << counts.refused << " refused\n";
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
