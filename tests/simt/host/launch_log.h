// Which kernels have run: the environment variable MXINFER_SIMT_KERNELS names a file that gets a line for
// each, "copy_kernel<unsigned int>". Without it nothing is noted.
#pragma once

namespace mxinfer::simt {

/// Thread-safe.
void note_launch(const void* kernel);

}  // namespace mxinfer::simt
