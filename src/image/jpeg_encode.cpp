#include <csetjmp>
#include <cstddef>
#include <cstdio>

#include "base/fail.h"
#include "image/encoders.h"

// jpeglib.h needs stdio.h before it.
#include <jerror.h>
#include <jpeglib.h>

namespace mxinfer::image {
namespace {

/// From this quality on, colour is not subsampled: coloured lines and letters would smear.
constexpr int kFullColorQuality = 90;

/// Shared by libjpeg's callbacks. Plain data, because a longjmp skips the frames that use it.
struct JpegTarget {
  jpeg_compress_struct info;
  jpeg_error_mgr errors;  // the callbacks find JpegTarget through info.client_data
  jpeg_destination_mgr destination;
  std::jmp_buf escape;
  std::vector<std::uint8_t>* file;
  JOCTET buffer[16384];
  char message[JMSG_LENGTH_MAX];
};

JpegTarget& target_of(j_common_ptr info) {
  return *static_cast<JpegTarget*>(info->client_data);
}

[[noreturn]] void leave(j_common_ptr info) {
  JpegTarget& target = target_of(info);
  info->err->format_message(info, target.message);
  std::longjmp(target.escape, 1);
}

void print_nothing(j_common_ptr) {}
void tell_nobody(j_common_ptr, int) {}

void begin_buffer(j_compress_ptr info) {
  JpegTarget& target = target_of(reinterpret_cast<j_common_ptr>(info));
  target.destination.next_output_byte = target.buffer;
  target.destination.free_in_buffer = sizeof target.buffer;
}

void keep_bytes(j_compress_ptr info, std::size_t count) {
  JpegTarget& target = target_of(reinterpret_cast<j_common_ptr>(info));
  if (!append_bytes(*target.file, target.buffer, count)) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
}

/// Called when the buffer is full; ignores free_in_buffer.
boolean empty_buffer(j_compress_ptr info) {
  keep_bytes(info, sizeof(JpegTarget::buffer));
  begin_buffer(info);
  return TRUE;
}

void end_buffer(j_compress_ptr info) {
  keep_bytes(info, sizeof(JpegTarget::buffer) - info->dest->free_in_buffer);
}

/// Owns libjpeg's state. write() holds only plain data, so a jump skips no destructors.
class JpegWriter {
 public:
  explicit JpegWriter(std::vector<std::uint8_t>& file) : target_{} {
    target_.file = &file;
    target_.info.err = jpeg_std_error(&target_.errors);
    target_.errors.error_exit = leave;
    target_.errors.emit_message = tell_nobody;
    target_.errors.output_message = print_nothing;
    target_.info.client_data = &target_;
    target_.destination.init_destination = begin_buffer;
    target_.destination.empty_output_buffer = empty_buffer;
    target_.destination.term_destination = end_buffer;
  }
  ~JpegWriter() { jpeg_destroy_compress(&target_.info); }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  /// False if libjpeg gave up.
  bool write(const std::uint8_t* pixels, Size size, int channels, int quality) noexcept {
    if (setjmp(target_.escape) != 0) return false;
    jpeg_compress_struct& info = target_.info;
    jpeg_create_compress(&info);
    info.dest = &target_.destination;
    info.image_width = static_cast<JDIMENSION>(size.width);
    info.image_height = static_cast<JDIMENSION>(size.height);
    info.input_components = channels;
    info.in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    if (channels == 3 && quality >= kFullColorQuality)
      info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&info, TRUE);
    const std::size_t row_bytes = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(channels);
    while (info.next_scanline < info.image_height) {
      JSAMPROW row = const_cast<JSAMPROW>(pixels + info.next_scanline * row_bytes);
      jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    return true;
  }

  [[noreturn]] void fail_with_reason() {
    if (target_.errors.msg_code == JERR_OUT_OF_MEMORY)
      fail(ErrorCode::out_of_memory, "the memory that the file needs could not be allocated");
    fail(ErrorCode::unsupported, "libjpeg cannot write it: ", target_.message);
  }

 private:
  JpegTarget target_;
};

}  // namespace

std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality) {
  if (image.width() > JPEG_MAX_DIMENSION || image.height() > JPEG_MAX_DIMENSION) {
    fail(ErrorCode::unsupported, "the image is ", image.width(), " x ", image.height(),
         " pixels; a JPEG has at most ", JPEG_MAX_DIMENSION, " columns and rows. A PNG can have more");
  }
  std::vector<std::uint8_t> file;
  JpegWriter writer(file);
  if (!writer.write(image.pixels().data(), image.size(), image.channels(), quality))
    writer.fail_with_reason();
  return file;
}

}  // namespace mxinfer::image
