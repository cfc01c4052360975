// Images: your own pixels, files as bytes, and pixels and bytes that the library owns.
//
//   mxinfer_owned_image* photo = NULL;
//   mxinfer_read_image("street.jpg", NULL, &photo);
//   mxinfer_image pixels = {sizeof pixels};
//   mxinfer_owned_image_get(photo, &pixels);      // lives as long as photo
//   mxinfer_write_image(&pixels, "street.png", 0);
//   mxinfer_owned_image_free(photo);
//
// Any thread may call these functions. Any number of threads may read one owned image.
#ifndef MXINFER_C_IMAGE_H
#define MXINFER_C_IMAGE_H

#include <mxinfer_c/status.h>
#include <stddef.h>

/// Pixels, row by row, each pixel's channels side by side. The library converts them to the channels of the
/// network like those of a PNG: grey to colour, or colour to grey; alpha is dropped, and the upper 8 of 16
/// bits are kept. docs/how-to/images.md has the table.
typedef struct mxinfer_image {
  size_t struct_size;
  const uint8_t* pixels;
  int32_t width;
  int32_t height;
  int32_t channels;   ///< 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB, alpha)
  size_t row_stride;  ///< bytes from one row to the next; 0: rows follow each other without a gap
  int32_t bits;       ///< of a sample: 8 (or 0), or 16: `pixels` are uint16_t in the machine's byte order
} mxinfer_image;

/// Bytes of one file, such as a JPEG or PNG.
typedef struct mxinfer_bytes {
  size_t struct_size;
  const void* data;
  size_t bytes;
} mxinfer_bytes;

/// An image of 8 bits per sample, grey or RGB, that the library owns.
typedef struct mxinfer_owned_image mxinfer_owned_image;

/// Writes the image to `out`. Its pixels live as long as `image`.
MXINFER_C_API mxinfer_status mxinfer_owned_image_get(const mxinfer_owned_image* image, mxinfer_image* out);
MXINFER_C_API void mxinfer_owned_image_free(mxinfer_owned_image* image);

/// Bytes that the library owns.
typedef struct mxinfer_owned_bytes mxinfer_owned_bytes;

/// Writes the address and number of bytes to `out`. The bytes live as long as `bytes`.
MXINFER_C_API mxinfer_status mxinfer_owned_bytes_get(const mxinfer_owned_bytes* bytes, mxinfer_bytes* out);
MXINFER_C_API void mxinfer_owned_bytes_free(mxinfer_owned_bytes* bytes);

/// How to decode a file. A member that is 0 has its default. Functions accept NULL, which means all zeros.
typedef struct mxinfer_decode_options {
  size_t struct_size;
  int32_t grey;               ///< 1: one channel; 0: three
  int32_t bgr;                ///< 1: blue, green, red; 0: red, green, blue
  int32_t ignore_exif;        ///< 1: does not turn a JPEG upright by its EXIF orientation
  int32_t scale_denominator;  ///< 2, 4 or 8: divides a JPEG's sides by this, rounded up; 0: 1
  int64_t max_pixels;         ///< larger images are MXINFER_UNSUPPORTED; 0: 2^28
} mxinfer_decode_options;

/// Reads and decodes the JPEG or PNG at `path`, a file of this machine. Errors: MXINFER_NOT_FOUND, and those
/// of mxinfer_decode_image.
MXINFER_C_API mxinfer_status mxinfer_read_image(const char* path, const mxinfer_decode_options* options,
                                                mxinfer_owned_image** out);
/// Decodes the bytes of a JPEG or PNG. Opens no file. Errors: MXINFER_MALFORMED if the bytes are neither, or
/// are damaged; MXINFER_UNSUPPORTED for other formats and for images above max_pixels.
MXINFER_C_API mxinfer_status mxinfer_decode_image(const void* encoded, size_t bytes,
                                                  const mxinfer_decode_options* options,
                                                  mxinfer_owned_image** out);

/// Encodes an image as "jpeg" (also for NULL) or "png". `quality` is that of a JPEG: 1 (smallest) to 100
/// (best), or 0 for 90. Errors: MXINFER_INVALID_ARGUMENT for another format or quality; MXINFER_UNSUPPORTED
/// for a JPEG with a side above 65500.
MXINFER_C_API mxinfer_status mxinfer_encode_image(const mxinfer_image* image, const char* format,
                                                  int32_t quality, mxinfer_owned_bytes** out);
/// Writes an image to a file: a JPEG if `path` ends in .jpg or .jpeg, a PNG if it ends in .png. Writes
/// another file in the same folder first and renames it, so readers see either the old file or the complete
/// new one. Errors: as mxinfer_encode_image, MXINFER_INVALID_ARGUMENT for another ending or a file that
/// cannot be written, MXINFER_NOT_FOUND if the folder does not exist.
MXINFER_C_API mxinfer_status mxinfer_write_image(const mxinfer_image* image, const char* path,
                                                 int32_t quality);

#endif
