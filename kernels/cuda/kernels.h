// The launchers of all families.
#pragma once

#include "kernels/copy/copy_cuda.h"
