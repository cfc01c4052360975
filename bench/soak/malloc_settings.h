// How malloc is set while memory is measured.
#pragma once

namespace mxinfer::soak {

/// Before the first thread starts. One arena, and what is large goes back to the system when it is freed.
///
/// As it comes, glibc has up to eight arenas for each core, and takes what is as large as something that was
/// freed before, up to 32 MB, from them rather than from the system. Each arena keeps the free memory at its
/// end: on two cores forty MB and more, beside three that are in use, and some MB up or down from
/// second to second by what happened to come together. A leak of 1 MB could not be told from that.
void set_malloc() noexcept;

}  // namespace mxinfer::soak
