// A progress bar on standard error for a file that is being fetched:
//
//   options.remote.progress = show_transfers();
//   Model::load(uri, options);                     // resnet18-0000.params  [####....] 20.1 of 44.7 MB  9.8 MB/s
//   hide_transfers();
#pragma once

#include <mxinfer/remote_options.h>

namespace mxinfer::cli {

/// Draws the bar, unless standard error is not a terminal, or with --quiet.
FetchProgress show_transfers();
/// Removes the bar from the terminal, so that something can be printed. Thread-safe.
void hide_transfers();

}  // namespace mxinfer::cli
