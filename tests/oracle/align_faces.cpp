// Aligns faces, for face_alignment.py: align_faces IMAGE LANDMARKS.npy OUT.npy SIZE, with landmarks of
// float32 (n, 5, 2) in and pixels of uint8 (n, SIZE, SIZE, 3) out.
#include <mxinfer/mxinfer.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

#include "tensor/npy.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: align_faces IMAGE LANDMARKS.npy OUT.npy SIZE\n";
    return 2;
  }
  try {
    const mxinfer::Image image = mxinfer::read_image(argv[1]);
    const mxinfer::Tensor points = mxinfer::load_npy(argv[2]);
    const int size = std::atoi(argv[4]);
    const std::int64_t count = points.shape()[0];
    mxinfer::Tensor faces(mxinfer::DType::uint8, {count, size, size, 3});
    auto* to = faces.data<std::uint8_t>();
    for (std::int64_t face = 0; face < count; ++face) {
      mxinfer::FaceLandmarks landmarks;
      const float* from = points.data<float>() + face * 10;
      for (std::size_t i = 0; i < 5; ++i) landmarks[i] = {from[2 * i], from[2 * i + 1]};
      const mxinfer::Image aligned = mxinfer::align_face(image, landmarks, size);
      std::memcpy(to, aligned.pixels().data(), aligned.pixels().size());
      to += aligned.pixels().size();
    }
    mxinfer::save_npy(argv[3], faces);
  } catch (const mxinfer::Error& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
