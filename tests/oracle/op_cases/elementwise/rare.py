"""Operators that few models have, and attributes that the cases of their families leave at their defaults. (MXNet itself fails on, or crashes with,
_copyto, _onehot_encode, fill_element_0index and _contrib_BatchNormWithReLU in a symbol, runs _scatter_set_nd in place only,
_square_sum, _sparse_retain and _contrib_getnnz on sparse arrays only, and refuses `initial` of NumPy's sums.)"""
import numpy as np
from op_case import case, ints, rand

CASES = [
    case("kl_sparse", "IdentityAttachKLSparseReg", {"penalty": 0.1}, [rand((2, 3)), np.full((3,), 0.5, "float32")]),
    case("cross_device", "_CrossDeviceCopy", {}, [rand((2, 3))]),
    case("np_copy", "_np_copy", {}, [rand((2, 3))]),
    case("gradient_multiplier", "_contrib_gradientmultiplier", {"scalar": 3.0}, [rand((2, 3))]),
    case("identity_like", "_identity_with_attr_like_rhs", {}, [rand((2, 3)), rand((2, 3), 1)]),
    case("sync_bn", "_contrib_SyncBatchNorm", {"eps": 0.1, "key": "k", "fix_gamma": False},
         [rand((2, 3, 4, 5)), rand((3,), 1), rand((3,), 2), rand((3,), 3), rand((3,), 4, low=0.5)], outputs=[0]),
    case("scatter_div", "_scatter_elemwise_div", {}, [rand((2, 3)), rand((2, 3), 1, low=1, high=2)]),
    case("scatter_plus", "_scatter_plus_scalar", {"scalar": 2.5}, [rand((2, 3))]),
    case("scatter_minus", "_scatter_minus_scalar", {"scalar": 2.5}, [rand((2, 3))]),
    case("np_arccos", "_npi_arccos", {}, [rand((2, 3))]),
    case("np_arcsin", "_npi_arcsin", {}, [rand((2, 3))]),
    case("np_arccosh", "_npi_arccosh", {}, [rand((2, 3), low=1, high=4)]),
    case("np_arctanh", "_npi_arctanh", {}, [rand((2, 3), low=-0.9, high=0.9)]),
    case("nansum_exclude", "nansum", {"axis": 1, "exclude": True}, [rand((2, 3, 4))]),
    case("nanprod_exclude", "nanprod", {"axis": (0, 1), "exclude": True, "keepdims": True}, [rand((2, 3, 4))]),
    case("prod_exclude", "prod", {"axis": 0, "exclude": True}, [rand((2, 3, 4))]),
    case("zeros_int", "_zeros", {"shape": (2, 3), "dtype": "int32"}, []),
    case("gemm2_transpose_axis", "_linalg_gemm2", {"transpose_a": True, "axis": 1, "alpha": 0.5},
         [rand((2, 3, 4, 5)), rand((2, 3, 4, 6), 1)]),
    case("deconvolution_nwc", "Deconvolution", {"kernel": (3,), "num_filter": 2, "layout": "NCW"},
         [rand((2, 3, 5)), rand((3, 2, 3), 1)], parameters=[1]),
    case("convolution_v1_grouped", "Convolution_v1",
         {"kernel": (3, 3), "num_filter": 4, "num_group": 2, "dilate": (2, 1), "no_bias": True},
         [rand((2, 4, 9, 8)), rand((4, 2, 3, 3), 1)], parameters=[1]),
]
