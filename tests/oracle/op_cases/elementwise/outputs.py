"""Outputs of training, asked without training: the label has no part in them."""
import numpy as np

from op_case import case, rand

X = rand((2, 3, 4, 5), low=-3, high=3)
CASES = [
    case("softmax", "SoftmaxOutput", {}, [rand((3, 37), 1, -9, 9), np.zeros(3, "float32")], training=[1]),
    case("softmax_old_name", "Softmax", {}, [rand((3, 11)), np.zeros(3, "float32")], training=[1]),
    case("softmax_flat", "SoftmaxOutput", {}, [rand((2, 3, 4)), np.zeros((2, 3), "float32")], training=[1]),
    case("softmax_flat_4d", "SoftmaxOutput", {}, [X, np.zeros((2, 3, 4), "float32")], training=[1]),
    case("softmax_multi", "SoftmaxOutput", {"multi_output": True, "use_ignore": True, "ignore_label": -1},
         [X, np.zeros((2, 4, 5), "float32")], training=[1]),
    case("softmax_multi_2d", "SoftmaxOutput", {"multi_output": True}, [rand((3, 7)), np.zeros(3, "float32")], training=[1]),
    case("softmax_preserve", "SoftmaxOutput", {"preserve_shape": True}, [X, np.zeros((2, 3, 4), "float32")], training=[1]),
    case("softmax_float64", "SoftmaxOutput", {}, [rand((3, 7), dtype="float64"), np.zeros(3)], training=[1]),
    case("linear", "LinearRegressionOutput", {"grad_scale": 2.0}, [rand((3, 7)), rand((3, 7), 1)], training=[1]),
    case("logistic", "LogisticRegressionOutput", {}, [rand((3, 7), 0, -5, 5), rand((3, 7), 1)], training=[1]),
    case("mae", "MAERegressionOutput", {}, [rand((3, 7)), rand((3, 7), 1)], training=[1]),
    case("svm", "SVMOutput", {}, [rand((3, 7)), np.zeros(3, "float32")], training=[1]),
]
