// The side of kernels/cuda/dialect.h that any C++ compiler compiles: kernels run on the CPU, each thread of a
// block as a fiber. Blocks run one after another, or as many at once as Options::os_threads says; those of a
// cooperative launch take turns where they wait for each other.
//
// What a real GPU would punish by chance is a message here: a barrier that not all threads reach, a shuffle
// of lanes that are not there, a copy that nobody waits for (thread.h), a launch or a copy of memory that
// cannot be (launch.h, runtime_api.h); and so is arithmetic whose result differs from a CPU's: a float cast
// to an integer that it is not in the range of, a shift by too much, a division by 0 (arithmetic_checks.cpp).
// The schedule of the threads is an option (options.h). What it cannot show: speed, weak memory ordering, and
// what PTX instructions do.
#pragma once

#include "simt/async_copy.h"
#include "simt/atomics.h"
#include "simt/grid_sync.h"
#include "simt/half.h"
#include "simt/host/launch.h"
#include "simt/host/runtime_api.h"
#include "simt/keywords.h"
#include "simt/matrix.h"
#include "simt/rounding.h"
#include "simt/shared_memory.h"
#include "simt/thread.h"
#include "simt/vector_types.h"
#include "simt/warp_functions.h"
#include "simt/warpgroup.h"
