"""Images: resizing, cropping, and the way to what networks take."""
from op_case import case, ints, rand

DTYPES = {"u8": "uint8", "f32": "float32", "f64": "float64"}


def image(shape, dtype="uint8", seed=0):
    return ints(shape, 256, seed, dtype="uint8") if dtype == "uint8" else rand(shape, seed, -10, 270, dtype)


def resize_cases():
    for short, dtype in DTYPES.items():
        for interp in range(5):
            yield case(f"resize_{short}_down_{interp}", "_image_resize", {"size": (5, 4), "interp": interp},
                       [image((9, 7, 3), dtype)])
            yield case(f"resize_{short}_up_{interp}", "_image_resize", {"size": (9, 8), "interp": interp},
                       [image((2, 5, 6, 1), dtype, 1)])
        yield case(f"resize_{short}_mixed", "_image_resize", {"size": (9, 3)}, [image((2, 6, 5, 3), dtype, 2)])
        yield case(f"resize_{short}_pixel", "_image_resize", {"size": 1}, [image((5, 6, 3), dtype, 3)])
        yield case(f"cvimresize_{short}", "_cvimresize", {"w": 4, "h": 7, "interp": 2}, [image((5, 6, 3), dtype, 4)])
    yield case("resize_wide_ratio", "_image_resize", {"size": (5,), "keep_ratio": True}, [image((6, 11, 3))])
    yield case("resize_tall_ratio", "_image_resize", {"size": 5, "keep_ratio": True}, [image((2, 11, 7, 3))])
    yield case("resize_square_ratio", "_image_resize", {"size": 5, "keep_ratio": True}, [image((7, 7, 1))])
    yield case("resize_two_ratio", "_image_resize", {"size": (5, 3), "keep_ratio": True}, [image((6, 11, 3))])
    yield case("resize_same", "_image_resize", {"size": (6, 5)}, [image((5, 6, 3))])
    yield case("resize_five_channels", "_image_resize", {"size": (4, 3)}, [image((5, 6, 5))])
    yield case("resize_many", "_image_resize", {"size": (45, 40)}, [image((3, 60, 50, 3))])
    yield case("resize_np_name", "_npx__image_resize", {"size": 3}, [image((5, 6, 3))])
    yield case("cvimresize_defaults", "_cvimresize", {"w": 8, "h": 3}, [image((5, 6, 1))])


def tensor_cases():
    for short, dtype in {**DTYPES, "f16": "float16", "i32": "int32", "i8": "int8"}.items():
        data = ints((2, 5, 7, 3), 127, 5, -128, dtype) if dtype == "int8" else image((2, 5, 7, 3), "uint8").astype(dtype)
        yield case(f"to_tensor_{short}", "_image_to_tensor", {}, [data])
        yield case(f"to_tensor_{short}_3d", "_image_to_tensor", {}, [data[0, :, :, :1]])
        planes = data.transpose(0, 3, 1, 2)
        yield case(f"normalize_{short}", "_image_normalize", {"mean": (100, 110.5, 120), "std": (1.5, 2, 0.7)}, [planes])
        yield case(f"normalize_{short}_3d", "_image_normalize", {"mean": (0.485,), "std": (0.229,)}, [planes[0, :1]])
    yield case("to_tensor_five_channels", "_image_to_tensor", {}, [image((4, 3, 5))])
    yield case("normalize_broadcast", "_image_normalize", {"mean": 0.5, "std": (0.25,)}, [rand((3, 4, 5))])
    yield case("normalize_no_deviation", "_image_normalize", {"mean": 0.5, "std": 0}, [rand((3, 4, 5))])
    yield case("normalize_far", "_image_normalize", {"mean": (-1e9, 3, -300), "std": (1e-3, 1, 1)}, [image((3, 4, 5))])


def move_cases():
    for short, dtype in {**DTYPES, "f16": "float16", "i32": "int32"}.items():
        data = image((2, 6, 9, 3), "uint8", 6).astype(dtype)
        yield case(f"crop_{short}", "_image_crop", {"x": 2, "y": 1, "width": 4, "height": 3}, [data])
        yield case(f"crop_{short}_3d", "_image_crop", {"x": 0, "y": 3, "width": 9, "height": 3}, [data[0, :, :, :1]])
        # The middle row or column of an odd number is left unwritten.
        yield case(f"left_right_{short}", "_image_flip_left_right", {}, [data[0, :, :8]])
        yield case(f"top_bottom_{short}", "_image_flip_top_bottom", {}, [data[1, :, :, :1]])
    yield case("crop_whole", "_image_crop", {"x": 0, "y": 0, "width": 9, "height": 6}, [image((6, 9, 3))])


CASES = [*resize_cases(), *tensor_cases(), *move_cases()]
