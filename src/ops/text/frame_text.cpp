// _mxinfer_frame_text: what networks of texts take: ids with special tokens and padding, segments, lengths.
#include <algorithm>
#include <limits>

#include "ops/text/text_rows.h"
#include "text/tokenize/share_room.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kFrameGrain = 64;

/// One text of the pair: where its ids are, and how many there can be.
struct FrameInput {
  std::size_t ids = 0;  ///< which input; the lengths are the next one
  std::int64_t width = 0;
};

struct Frame {
  std::int64_t max_length = 0;
  bool is_pair = false;
  bool has_begin = false, has_end = false;
  std::int32_t begin = 0, end = 0, pad = 0;
  bool pads_left = false, cuts_left = false;

  explicit Frame(const Attrs& attrs)
      : max_length(attrs.integer("max_length")),
        is_pair(attrs.flag("pair")),
        has_begin(attrs.has("begin")),
        has_end(attrs.has("end")),
        begin(has_begin ? static_cast<std::int32_t>(attrs.integer("begin")) : 0),
        end(has_end ? static_cast<std::int32_t>(attrs.integer("end")) : 0),
        pad(static_cast<std::int32_t>(attrs.integer("pad"))),
        pads_left(attrs.choice("pad_side") == "left"),
        cuts_left(attrs.choice("truncate_side") == "left") {}

  /// Special tokens around one text, or around two of which none is empty.
  std::int64_t specials(bool two) const { return (has_begin ? 1 : 0) + (has_end ? (two ? 2 : 1) : 0); }
};

/// Writes one row from its start on.
class FrameRow {
 public:
  FrameRow(const Frame& frame, std::int32_t* ids, std::int32_t* segments)
      : frame_(frame), ids_(ids), segments_(segments) {}

  void add(std::int32_t id, std::int32_t segment) {
    ids_[at_] = id;
    segments_[at_++] = segment;
  }
  void add_text(const std::int32_t* ids, std::int64_t count, std::int64_t kept, std::int32_t segment) {
    const IdSpan span = cut_ids(ids, count, kept, frame_.cuts_left);
    for (std::int64_t i = 0; i < span.length; ++i) add(span.begin[i], segment);
    if (frame_.has_end) add(frame_.end, segment);
  }
  /// Gives the length without padding.
  std::int32_t pad() {
    const std::int64_t length = at_;
    while (at_ < frame_.max_length) add(frame_.pad, 0);
    if (frame_.pads_left) {
      std::rotate(ids_, ids_ + length, ids_ + at_);
      std::rotate(segments_, segments_ + length, segments_ + at_);
    }
    return static_cast<std::int32_t>(length);
  }

 private:
  const Frame& frame_;
  std::int32_t* ids_;
  std::int32_t* segments_;
  std::int64_t at_ = 0;
};

std::int64_t length_of(const RunContext& run, const FrameInput& input, std::int64_t row) {
  const std::int64_t length = run.input<std::int32_t>(input.ids + 1)[row];
  if (length >= 0 && length <= input.width) return length;
  fail(ErrorCode::invalid_argument, "row ", row, " has a length of ", length, "; there is room for ",
       input.width, " ids");
}

const std::int32_t* ids_of(const RunContext& run, const FrameInput& input, std::int64_t row) {
  return run.input<std::int32_t>(input.ids) + row * input.width;
}

void frame_row(const Frame& frame, const RunContext& run, const FrameInput& first, const FrameInput& second,
               std::int64_t row) {
  const std::int64_t count = length_of(run, first, row);
  const std::int64_t other = frame.is_pair ? length_of(run, second, row) : 0;
  // A pair without a second text is framed as one text, as GluonNLP does.
  const auto kept = text::share_room({count, other}, frame.max_length - frame.specials(other > 0));
  FrameRow to(frame, run.output<std::int32_t>(0) + row * frame.max_length,
              run.output<std::int32_t>(1) + row * frame.max_length);
  if (frame.has_begin) to.add(frame.begin, 0);
  to.add_text(ids_of(run, first, row), count, kept.first, 0);
  if (other > 0) to.add_text(ids_of(run, second, row), other, kept.second, 1);
  run.output<std::int32_t>(2)[row] = to.pad();
}

void require_ids(const InferContext& context, std::size_t i, std::int64_t rows) {
  const bool ids = context.dtype(i) == DType::int32 && context.shape(i).rank() == 2;
  const bool lengths = context.dtype(i + 1) == DType::int32 && context.shape(i + 1).rank() == 1;
  if (ids && lengths && context.shape(i)[0] == rows && context.shape(i + 1)[0] == rows) return;
  fail(ErrorCode::invalid_argument, "ids are ", to_string(context.inputs[i]), " and their lengths ",
       to_string(context.inputs[i + 1]), "; expected int32 (N, length) and int32 (N) with N = ", rows);
}

std::vector<TensorType> infer_frame(const InferContext& context) {
  const Frame frame(context.attrs);
  const std::int64_t rows = context.shape(0).rank() > 0 ? context.shape(0)[0] : 0;
  require_ids(context, 0, rows);
  if (frame.is_pair) require_ids(context, 2, rows);
  const std::int64_t specials = frame.specials(frame.is_pair);
  if (frame.max_length <= specials) {
    fail(ErrorCode::invalid_argument, "max_length is ", frame.max_length, ", and there are ", specials,
         " special tokens around the text; expected room for a token of the text, ", specials + 1,
         " or more");
  }
  const TensorType ids{DType::int32, {rows, frame.max_length}};
  return {ids, ids, {DType::int32, {rows}}};
}

Step lower_frame(LowerContext& context) {
  const Frame frame(context.attrs());
  const std::int64_t rows = context.output(0).shape[0];
  const FrameInput first{0, context.input(0).shape[1]};
  const FrameInput second{2, frame.is_pair ? context.input(2).shape[1] : 0};
  Step step{.kernel = "frame_text [ref]", .reason = "copies ids"};
  step.run = [=, node = graph::describe(context.node())](const RunContext& run) {
    in_context([&] { return node; },
               [&] {
                 parallel_for(rows, kFrameGrain, [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t row = begin; row < end; ++row) frame_row(frame, run, first, second, row);
                 });
               });
  };
  return step;
}

AttrSpec of_int32(AttrSpec attr) {
  return std::move(attr)
      .at_least(std::numeric_limits<std::int32_t>::min())
      .at_most(std::numeric_limits<std::int32_t>::max());
}

PortNames frame_text_inputs(const Attrs& attrs) {
  if (!attrs.flag("pair")) return PortNames{{"ids", "lengths"}};
  return PortNames{{"ids", "lengths", "pair_ids", "pair_lengths"}};
}

}  // namespace

std::vector<OpDef> frame_text_ops() {
  return {
      {.name = "_mxinfer_frame_text",
       .summary = "Frames ids as text networks take them: begin, ids, end, and with pair the ids of the "
                  "second text and end again; cut to max_length (the longer text of a pair first) and padded "
                  "to it with pad. Outputs: ids int32 (N, max_length), segments (1 for the second text, else "
                  "0) likewise, lengths without padding int32 (N).",
       .attrs = {max_length_attr(), flag_attr("pair", false), of_int32(integer_attr("begin")).optional_none(),
                 of_int32(integer_attr("end")).optional_none(), of_int32(integer_attr("pad", 0)),
                 choice_attr("pad_side", {"left", "right"}, "right"), truncate_side_attr()},
       .inputs = frame_text_inputs,
       .outputs = named_ports({"ids", "segments", "lengths"}),
       .traits = {.part = ModelPart::column_transforms,
                  // Nothing can be wrong with a row that the operators in front of it have made.
                  .per_sample = always_per_sample,
                  .batched_inputs = true},
       .infer = infer_frame,
       .lower = lower_frame}};
}

}  // namespace mxinfer::ops
