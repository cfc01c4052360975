// Images as files through the C interface.
#include <mxinfer/vision/encode.h>

#include <string>
#include <vector>

#include "c_api/vision/pixels.h"
#include "support/files/temp_dir.h"

namespace mxinfer_c_tests {
namespace {

TEST(CImageFiles, AreReadAndDecodedAsInCpp) {
  const std::string path = image_path("seven.jpg"), bytes = read_bytes(path);
  OwnedImage read, decoded;
  ASSERT_C_OK(mxinfer_read_image(path.c_str(), nullptr, Out(read)));
  ASSERT_C_OK(mxinfer_decode_image(bytes.data(), bytes.size(), nullptr, Out(decoded)));
  expect_same_image(image_of(read), mxinfer::read_image(path));
  expect_same_image(image_of(decoded), mxinfer::read_image(path));

  auto options = sized<mxinfer_decode_options>();
  options.grey = 1;
  options.scale_denominator = 2;
  ASSERT_C_OK(mxinfer_read_image(path.c_str(), &options, Out(read)));
  mxinfer::DecodeOptions expected;
  expected.color = false;
  expected.scale_denominator = 2;
  expect_same_image(image_of(read), mxinfer::read_image(path, expected));

  options = sized<mxinfer_decode_options>();
  options.bgr = options.ignore_exif = 1;
  ASSERT_C_OK(mxinfer_read_image(path.c_str(), &options, Out(read)));
  expected = {};
  expected.order = mxinfer::ColorOrder::bgr;
  expected.apply_exif = false;
  expect_same_image(image_of(read), mxinfer::read_image(path, expected));
}

TEST(CImageFiles, TellWhatIsWrong) {
  OwnedImage image;
  EXPECT_C_ERROR(mxinfer_read_image("/nowhere.jpg", nullptr, Out(image)), MXINFER_NOT_FOUND, "/nowhere.jpg");
  EXPECT_C_ERROR(mxinfer_decode_image("text", 4, nullptr, Out(image)), MXINFER_MALFORMED);
  EXPECT_C_ERROR(mxinfer_decode_image(nullptr, 4, nullptr, Out(image)), MXINFER_INVALID_ARGUMENT, "encoded");
  EXPECT_C_ERROR(mxinfer_read_image(nullptr, nullptr, Out(image)), MXINFER_INVALID_ARGUMENT, "path");
  auto options = sized<mxinfer_decode_options>();
  options.max_pixels = 5;
  EXPECT_C_ERROR(mxinfer_read_image(image_path("seven.jpg").c_str(), &options, Out(image)),
                 MXINFER_UNSUPPORTED);
  EXPECT_EQ(image, nullptr);
  auto out = sized<mxinfer_image>();
  EXPECT_C_ERROR(mxinfer_owned_image_get(nullptr, &out), MXINFER_INVALID_ARGUMENT, "image");
}

TEST(CImageFiles, AreWrittenAsInCpp) {
  const mxinfer::Image image = mxinfer::read_image(image_path("seven.jpg"));
  const mxinfer_image pixels = pixels_of(image);
  OwnedBytes jpeg, png, small;
  ASSERT_C_OK(mxinfer_encode_image(&pixels, nullptr, 0, Out(jpeg)));
  ASSERT_C_OK(mxinfer_encode_image(&pixels, "png", 0, Out(png)));
  ASSERT_C_OK(mxinfer_encode_image(&pixels, "jpeg", 40, Out(small)));
  const auto expected = [&](mxinfer::ImageFormat format, int quality) {
    const std::vector<std::uint8_t> bytes = mxinfer::encode_image(image, format, quality);
    return std::string(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(bytes_of(jpeg), expected(mxinfer::ImageFormat::jpeg, 90));
  EXPECT_EQ(bytes_of(png), expected(mxinfer::ImageFormat::png, 90));
  EXPECT_EQ(bytes_of(small), expected(mxinfer::ImageFormat::jpeg, 40));

  const mxinfer::test::TempDir dir;
  ASSERT_C_OK(mxinfer_write_image(&pixels, (dir / "out.png").c_str(), 0));
  EXPECT_EQ(read_bytes(dir / "out.png"), bytes_of(png));

  OwnedBytes none;
  EXPECT_C_ERROR(mxinfer_encode_image(&pixels, "gif", 0, Out(none)), MXINFER_INVALID_ARGUMENT, "gif", "png");
  EXPECT_C_ERROR(mxinfer_encode_image(&pixels, nullptr, 101, Out(none)), MXINFER_INVALID_ARGUMENT, "101");
  EXPECT_C_ERROR(mxinfer_encode_image(nullptr, nullptr, 0, Out(none)), MXINFER_INVALID_ARGUMENT, "image");
  EXPECT_C_ERROR(mxinfer_write_image(&pixels, (dir / "out.gif").c_str(), 0), MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_write_image(&pixels, (dir / "none/out.png").c_str(), 0), MXINFER_NOT_FOUND);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
}  // namespace mxinfer_c_tests
