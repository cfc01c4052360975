#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "image/chroma_rows.h"
#include "image/codecs.h"

// jpeglib.h needs stdio.h before it.
#include <jerror.h>
#include <jpeglib.h>

namespace mxinfer::image {
namespace {

/// More scans than any encoder writes. A small file can hold very many, each as slow as the whole image.
constexpr int kMaxScans = 200;

/// For the largest allowed image; encoders write about ten. Smaller images may have more, as long as they
/// take no longer.
constexpr int kMaxScansOfLargest = 32;

/// Shared by libjpeg's callbacks. Plain data, because a longjmp skips the frames that use it.
struct State {
  jpeg_decompress_struct info;
  jpeg_error_mgr errors;  // the callbacks find State through info.client_data
  jpeg_source_mgr source;
  jpeg_progress_mgr progress;
  std::jmp_buf escape;
  bool out_of_bytes;
  bool too_many_scans;
  bool several_scans;
  int max_scans;
  char message[JMSG_LENGTH_MAX];
};

State& state_of(j_common_ptr info) {
  return *static_cast<State*>(info->client_data);
}

[[noreturn]] void give_up(j_common_ptr info) {
  State& state = state_of(info);
  info->err->format_message(info, state.message);
  std::longjmp(state.escape, 1);
}

/// Flaws that leave every pixel intact. MXNet ignores them too.
bool is_harmless(int warning) {
  return warning == JWRN_EXTRANEOUS_DATA || warning == JWRN_ADOBE_XFORM || warning == JWRN_JFIF_MAJOR ||
         warning == JWRN_NOT_SEQUENTIAL;
}

void on_message(j_common_ptr info, int level) {
  if (level < 0 && !is_harmless(info->err->msg_code)) give_up(info);
}

void ignore_output(j_common_ptr) {}

void no_op(j_decompress_ptr) {}

/// All bytes are in memory, so this is called at their end. An end-of-image marker lets libjpeg finish.
boolean at_end(j_decompress_ptr info) {
  static const JOCTET kEndOfImage[] = {0xff, JPEG_EOI};
  state_of(reinterpret_cast<j_common_ptr>(info)).out_of_bytes = true;
  info->src->next_input_byte = kEndOfImage;
  info->src->bytes_in_buffer = sizeof kEndOfImage;
  return TRUE;
}

void skip(j_decompress_ptr info, long count) {
  if (count <= 0) return;
  jpeg_source_mgr& source = *info->src;
  if (static_cast<unsigned long>(count) > source.bytes_in_buffer) {
    at_end(info);
    return;
  }
  source.next_input_byte += count;
  source.bytes_in_buffer -= static_cast<std::size_t>(count);
}

void limit_scans(j_common_ptr info) {
  State& state = state_of(info);
  if (state.info.input_scan_number <= state.max_scans) return;
  state.too_many_scans = true;
  std::longjmp(state.escape, 1);
}

/// Converts CMYK as Adobe stores it (0 is full ink) to RGB or BGR.
void cmyk_to_color(const JSAMPLE* cmyk, std::uint8_t* out, std::int64_t width, bool bgr) {
  for (std::int64_t x = 0; x < width; ++x, cmyk += 4, out += 3) {
    const int k = cmyk[3];
    for (int c = 0; c < 3; ++c) {
      out[bgr ? 2 - c : c] = static_cast<std::uint8_t>(k - ((255 - cmyk[c]) * k >> 8));
    }
  }
}

/// The same, to grey with 14-bit weights 0.299, 0.587, 0.114.
void cmyk_to_grey(const JSAMPLE* cmyk, std::uint8_t* out, std::int64_t width) {
  constexpr int kGreyBits = 14;
  constexpr int kRed = 4899;
  constexpr int kGreen = 9617;
  constexpr int kBlue = (1 << kGreyBits) - kRed - kGreen;
  for (std::int64_t x = 0; x < width; ++x, cmyk += 4) {
    const int k = cmyk[3];
    const int red = k - ((255 - cmyk[0]) * k >> 8);
    const int green = k - ((255 - cmyk[1]) * k >> 8);
    const int blue = k - ((255 - cmyk[2]) * k >> 8);
    out[x] = static_cast<std::uint8_t>(
        (blue * kBlue + green * kGreen + red * kRed + (1 << (kGreyBits - 1))) >> kGreyBits);
  }
}

/// Colour is interpolated between neighbours, of which a region lacks those outside: so many more columns and
/// rows are computed that its own are exact.
constexpr int kColumnsAround = 4;
constexpr int kRowsAbove = 32;  // of the whole image: scaled ones have as many blocks in fewer rows

/// Owns libjpeg's state. The member functions with a setjmp hold only plain data, so a jump skips no
/// destructors; they return false if libjpeg gave up.
class JpegReader {
 public:
  explicit JpegReader(Span<const std::uint8_t> bytes) : state_{} {
    state_.info.err = jpeg_std_error(&state_.errors);
    state_.errors.error_exit = give_up;
    state_.errors.emit_message = on_message;
    state_.errors.output_message = ignore_output;
    state_.info.client_data = &state_;
    state_.source = {bytes.data(), bytes.size(), no_op, at_end, skip, jpeg_resync_to_restart, no_op};
    state_.progress.progress_monitor = limit_scans;
  }
  ~JpegReader() { jpeg_destroy_decompress(&state_.info); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  bool read_header() noexcept {
    if (setjmp(state_.escape) != 0) return false;
    jpeg_create_decompress(&state_.info);
    state_.info.src = &state_.source;
    state_.info.progress = &state_.progress;
    jpeg_save_markers(&state_.info, JPEG_APP0 + 1, 0xffff);
    jpeg_read_header(&state_.info, TRUE);
    state_.several_scans = jpeg_has_multiple_scans(&state_.info) != FALSE;
    return true;
  }

  /// Gives up at more scans than that.
  void limit_scans_to(int count) noexcept { state_.max_scans = count; }

  /// Whether colour has all columns but half the rows (4:4:0). read_pixels then returns Y, Cb, Cr for
  /// color_of_half_rows.
  bool has_half_rows() const noexcept {
    const jpeg_decompress_struct& info = state_.info;
    if (info.scale_denom != info.scale_num) return false;
    if (info.num_components != 3 || info.jpeg_color_space != JCS_YCbCr || info.max_v_samp_factor != 2)
      return false;
    for (int c = 0; c < 3; ++c) {
      const jpeg_component_info& component = info.comp_info[c];
      if (component.h_samp_factor != info.max_h_samp_factor || component.v_samp_factor != (c == 0 ? 2 : 1))
        return false;
    }
    return true;
  }

  /// Makes read_pixels scale the sides by 1 / denominator, rounded up; width() and height() are then the
  /// scaled size.
  bool scale_down(int denominator) noexcept {
    if (setjmp(state_.escape) != 0) return false;
    state_.info.scale_num = 1;
    state_.info.scale_denom = static_cast<unsigned>(denominator);
    jpeg_calc_output_dimensions(&state_.info);
    scaled_ = true;
    return true;
  }

  /// Whether read_region computes only the region. Rows and columns of other kinds depend on more.
  bool has_regions() const noexcept { return state_.info.num_components != 4 && !has_half_rows(); }

  /// cmyk_row: room for width * 4 samples if the file has four components.
  bool read_pixels(std::uint8_t* out, const DecodeOptions& options, JSAMPLE* cmyk_row) noexcept {
    if (setjmp(state_.escape) != 0) return false;
    start(options);
    jpeg_decompress_struct& info = state_.info;
    const bool bgr = options.order == ColorOrder::bgr;
    const bool cmyk = info.num_components == 4;
    const std::size_t stride = std::size_t{info.output_width} * (options.color ? 3 : 1);
    while (info.output_scanline < info.output_height) {
      std::uint8_t* row = out + info.output_scanline * stride;
      JSAMPROW target = cmyk ? cmyk_row : row;
      jpeg_read_scanlines(&info, &target, 1);
      if (cmyk && options.color) cmyk_to_color(cmyk_row, row, info.output_width, bgr);
      if (cmyk && !options.color) cmyk_to_grey(cmyk_row, row, info.output_width);
    }
    jpeg_finish_decompress(&info);
    return true;
  }

  /// As read_pixels, but only the region and some pixels around it are written. last_row: room for a row.
  /// What is below the region is parsed for damage, unless scale_down was called. Precondition:
  /// has_regions().
  bool read_region(std::uint8_t* out, const DecodeOptions& options, const Region& region,
                   JSAMPLE* last_row) noexcept {
    if (setjmp(state_.escape) != 0) return false;
    start(options);
    jpeg_decompress_struct& info = state_.info;
    const std::size_t channels = options.color ? 3 : 1;
    const std::size_t stride = std::size_t{info.output_width} * channels;
    const int left = std::max(region.x - kColumnsAround, 0);
    const int right = std::min<int>(region.x + region.width + kColumnsAround, info.output_width);
    const auto end = static_cast<JDIMENSION>(region.y + region.height);
    JDIMENSION x = static_cast<JDIMENSION>(left);
    JDIMENSION width = static_cast<JDIMENSION>(right - left);
    jpeg_crop_scanline(&info, &x, &width);
    const int above = kRowsAbove / static_cast<int>(info.scale_denom / info.scale_num);
    if (region.y > above) jpeg_skip_scanlines(&info, static_cast<JDIMENSION>(region.y - above));
    while (info.output_scanline < end) {
      JSAMPROW target = out + info.output_scanline * stride + x * channels;
      jpeg_read_scanlines(&info, &target, 1);
    }
    if (scaled_) {
      jpeg_abort_decompress(&info);
      return true;
    }
    // The last row is read, because a skip to the end would not parse what it skips.
    if (info.output_scanline + 1 < info.output_height)
      jpeg_skip_scanlines(&info, info.output_height - 1 - info.output_scanline);
    while (info.output_scanline < info.output_height) jpeg_read_scanlines(&info, &last_row, 1);
    jpeg_finish_decompress(&info);
    return true;
  }

  [[noreturn]] void fail_with_reason() {
    const int code = state_.errors.msg_code;
    if (state_.too_many_scans) {
      fail(ErrorCode::unsupported, "it holds more than ", state_.max_scans,
           " scans, which no encoder writes for an image of ", state_.info.image_width, " x ",
           state_.info.image_height, " pixels");
    }
    if (code == JERR_OUT_OF_MEMORY)
      fail(ErrorCode::out_of_memory, "the memory that libjpeg needs could not be allocated");
    if (state_.out_of_bytes) fail(ErrorCode::malformed, "the file was cut short (", state_.message, ")");
    const bool unsupported = code == JERR_SOF_UNSUPPORTED || code == JERR_BAD_PRECISION ||
                             code == JERR_ARITH_NOTIMPL || code == JERR_CONVERSION_NOTIMPL ||
                             code == JERR_IMAGE_TOO_BIG || code == JERR_CCIR601_NOTIMPL;
    if (unsupported) fail(ErrorCode::unsupported, state_.message);
    fail(ErrorCode::malformed, "damaged: ", state_.message);
  }

  /// Whether the bytes ended while pixels may be missing. A file of one complete scan may lack its
  /// end-of-image marker; with several scans, the marker is the only proof that the last ones are present.
  bool lacks_data() const noexcept { return state_.out_of_bytes && state_.several_scans; }

  /// Call before read_pixels, which releases the segments.
  int orientation() const {
    for (jpeg_saved_marker_ptr marker = state_.info.marker_list; marker != nullptr; marker = marker->next) {
      const Span<const std::uint8_t> segment(marker->data, marker->data_length);
      if (segment.size() > 6 && segment[0] == 'E' && segment[1] == 'x' && segment[2] == 'i' &&
          segment[3] == 'f') {
        return exif_orientation(segment);
      }
    }
    return 1;
  }

  std::int64_t width() const noexcept { return scaled_ ? state_.info.output_width : state_.info.image_width; }
  std::int64_t height() const noexcept {
    return scaled_ ? state_.info.output_height : state_.info.image_height;
  }
  int components() const noexcept { return state_.info.num_components; }

 private:
  /// Precondition: inside a setjmp.
  void start(const DecodeOptions& options) noexcept {
    jpeg_decompress_struct& info = state_.info;
    info.out_color_space = info.num_components == 4           ? JCS_CMYK
                           : !options.color                   ? JCS_GRAYSCALE
                           : has_half_rows()                  ? JCS_YCbCr
                           : options.order == ColorOrder::bgr ? JCS_EXT_BGR
                                                              : JCS_EXT_RGB;
    info.dct_method = JDCT_ISLOW;
    info.do_fancy_upsampling = info.out_color_space == JCS_YCbCr ? FALSE : TRUE;
    jpeg_start_decompress(&info);
  }

  State state_;
  bool scaled_ = false;
};

int most_scans(std::int64_t pixels, const DecodeOptions& options) {
  const std::int64_t scans = options.max_pixels / pixels;  // of the largest image's size
  return static_cast<int>(
      std::min<std::int64_t>(kMaxScans, std::min<std::int64_t>(scans, kMaxScans) * kMaxScansOfLargest));
}

Size upright(std::int64_t width, std::int64_t height, int orientation) {
  constexpr int kFirstThatSwapsSides = 5;
  const Size size{static_cast<int>(width), static_cast<int>(height)};
  return orientation < kFirstThatSwapsSides ? size : Size{size.height, size.width};
}

}  // namespace

Tensor decode_jpeg(Span<const std::uint8_t> bytes, const DecodeOptions& options, const ChoosePart* choose) {
  JpegReader reader(bytes);
  if (!reader.read_header()) reader.fail_with_reason();
  check_pixel_count(reader.width(), reader.height(), options);
  reader.limit_scans_to(most_scans(reader.width() * reader.height(), options));
  const int orientation = options.apply_exif ? reader.orientation() : 1;
  const DecodePart part = choose == nullptr
                              ? DecodePart{std::nullopt, options.scale_denominator}
                              : (*choose)(upright(reader.width(), reader.height(), orientation));
  if (part.scale_denominator != 1 && !reader.scale_down(part.scale_denominator)) reader.fail_with_reason();
  const std::int64_t width = reader.width();
  const std::int64_t height = reader.height();
  const bool half_rows = reader.has_half_rows();
  const std::int64_t channels = options.color ? 3 : 1;
  Tensor pixels = Tensor::uninitialized(DType::uint8, {height, width, channels});
  const bool is_part = part.region && orientation == 1 && reader.has_regions();
  std::vector<JSAMPLE> row(reader.components() == 4 || is_part ? static_cast<std::size_t>(width) * 4 : 0);
  auto* const out = pixels.data<std::uint8_t>();
  if (!(is_part ? reader.read_region(out, options, *part.region, row.data())
                : reader.read_pixels(out, options, row.data())))
    reader.fail_with_reason();
  if (reader.lacks_data()) {
    fail(ErrorCode::malformed,
         "the file was cut short: it ends before the end-of-image marker after its last scan");
  }
  if (options.color && half_rows) {
    Tensor color = Tensor::uninitialized(DType::uint8, pixels.shape());
    color_of_half_rows(out, color.data<std::uint8_t>(), width, height, options.order == ColorOrder::bgr);
    pixels = std::move(color);
  }
  return turn_upright(std::move(pixels), orientation);
}

}  // namespace mxinfer::image
