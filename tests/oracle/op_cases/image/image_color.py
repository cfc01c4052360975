"""Images: brightness, colours and borders. Random factors come from ranges of one number."""
from op_case import case, ints, rand

DTYPES = {"u8": "uint8", "f32": "float32", "f64": "float64"}


def image(shape, dtype="uint8", seed=0):
    return ints(shape, 256, seed, dtype="uint8") if dtype == "uint8" else rand(shape, seed, -10, 270, dtype)


def color_cases():
    for short, dtype in {**DTYPES, "f16": "float16", "i32": "int32"}.items():
        data = image((7, 6, 3), dtype if dtype in ("float32", "float64") else "uint8", 7).astype(dtype)
        for name, amounts in {"brightness": (0.5, 1.7), "contrast": (0.25, 1.9), "saturation": (0.5, 1.6),
                              "hue": (0.1, 0.77)}.items():
            for i, amount in enumerate(amounts):
                yield case(f"{name}_{short}_{i}", f"_image_random_{name}", {"min_factor": amount, "max_factor": amount},
                           [data])
            if name != "hue":  # leaves grey images unwritten, as does the change of light
                yield case(f"{name}_{short}_grey", f"_image_random_{name}", {"min_factor": 1.3, "max_factor": 1.3},
                           [data[:, :, 1:2]])
        yield case(f"lighting_{short}", "_image_adjust_lighting", {"alpha": (0.3, -2.1, 4.0)}, [data])
        yield case(f"no_lighting_{short}", "_image_random_lighting", {"alpha_std": 0}, [data])
    yield case("contrast_larger", "_image_random_contrast", {"min_factor": 0.5, "max_factor": 0.5}, [image((60, 61, 3))])
    yield case("contrast_plain_grey", "_image_random_contrast", {"min_factor": 0.5, "max_factor": 0.5},
               [image((2, 2, 3)) * 0 + 77])
    yield case("hue_turns", "_image_random_hue", {"min_factor": 7.3, "max_factor": 7.3}, [image((8, 8, 3), "uint8", 8)])
    yield case("hue_none", "_image_random_hue", {"min_factor": 0, "max_factor": 0}, [image((8, 8, 3), "uint8", 9)])


def border_cases():
    for short, dtype in {**DTYPES, "i32": "int32"}.items():
        data = ints((3, 4, 3), 100, 10, dtype=dtype)
        yield case(f"border_{short}_value", "_cvcopyMakeBorder",
                   {"top": 1, "bot": 2, "left": 3, "right": 0, "value": 9.5}, [data])
        yield case(f"border_{short}_values", "_cvcopyMakeBorder",
                   {"top": 1, "bot": 0, "left": 2, "right": 1, "values": (1.5, 2.5, 300.25)}, [data])
        for mode in range(1, 5):
            yield case(f"border_{short}_{mode}", "_cvcopyMakeBorder",
                       {"top": 7, "bot": 2, "left": 3, "right": 9, "type": mode}, [data])
            yield case(f"border_{short}_{mode}_thin", "_cvcopyMakeBorder",
                       {"top": 1, "bot": 2, "left": 3, "right": 1, "type": mode}, [data[:, :1, :1]])
    yield case("border_none", "_cvcopyMakeBorder", {"top": 0, "bot": 0, "left": 0, "right": 0}, [image((3, 4, 1))])


CASES = [*color_cases(), *border_cases()]
