// The launchers of all families.
#pragma once

#include "kernels/boxes/boxes_cuda.h"
#include "kernels/bilinear/bilinear_resize_cuda.h"
#include "kernels/copy/copy_cuda.h"
#include "kernels/nms/nms_cuda.h"
#include "kernels/proposal/proposal_cuda.h"
#include "kernels/roi/roi_cuda.h"
#include "kernels/sort/sort_cuda.h"
#include "kernels/image_chain/image_chain_cuda.h"
#include "kernels/pad/pad_cuda.h"
#include "kernels/pool_nd/pool_cuda.h"
#include "kernels/scan/cumulative_sum_cuda.h"
#include "kernels/sequence/sequence_cuda.h"
#include "kernels/take/take_cuda.h"
#include "kernels/upsample/upsample_cuda.h"
