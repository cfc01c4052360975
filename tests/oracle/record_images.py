#!/usr/bin/env python3
"""Records what real MXNet makes of images: tests/golden/image/decode.npz and resize.npz; and samples.npz.

    record_images.py           records
    record_images.py --check   compares with what is recorded, writes nothing
    record_images.py --files   first makes the small JPEG and PNG files beside them that are missing (needs Pillow,
                               and OpenCV for the 4:4:0 JPEG)

decode.npz has the members <file>.color (RGB) and <file>.grey for every file. samples.npz has the samples of PNGs as
they stand in the files, <file>: (height, width) or (height, width, channels) of uint8 or uint16. resize.npz has the inputs
<dtype>_<height>x<width>x<channels> and the outputs <input>_to_<height>x<width>_<interpolation>.
"""
import argparse
import io
import os
import pathlib
import struct
import sys
import zlib

os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import mxnet as mx
import numpy as np

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden" / "image"
WIDTH, HEIGHT = 17, 13

INTERPOLATIONS = ["nearest", "linear", "cubic", "area", "lanczos4"]

# (height, width, channels) -> (height, width): smaller, larger, both, whole ratios, one-pixel sides, row ends that
# are no multiple of a vector.
SIZES = [
    ((13, 17, 3), (7, 9)),
    ((7, 9, 3), (13, 17)),
    ((9, 14, 1), (14, 9)),
    ((8, 12, 3), (4, 6)),
    ((8, 20, 1), (4, 10)),
    ((6, 12, 2), (3, 6)),
    ((6, 12, 4), (3, 6)),
    ((9, 12, 3), (3, 4)),
    ((8, 12, 2), (4, 3)),
    ((5, 6, 3), (10, 12)),
    ((11, 10, 4), (5, 21)),
    ((1, 1, 3), (3, 5)),
    ((1, 9, 1), (4, 4)),
    ((9, 1, 3), (4, 4)),
    ((6, 5, 3), (1, 1)),
    ((4, 40, 3), (4, 33)),
    ((31, 3, 1), (30, 3)),
    ((5, 7, 3), (5, 7)),
    ((10, 11, 5), (7, 23)),
]


def image():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    channels = [128 + 100 * np.sin(x / 3 + y / 5), 128 + 100 * np.cos(x / 4 - y / 3), (x * 14 + y * 9) % 256]
    return np.stack(channels, -1).clip(0, 255).astype(np.uint8)


def without_jfif(jpeg):
    """As cameras write it: MXNet heeds EXIF only then."""
    assert jpeg[2:4] == b"\xff\xe0"
    return jpeg[:2] + jpeg[4 + struct.unpack(">H", jpeg[4:6])[0]:]


def with_chunk(png, kind, data):
    """A chunk put right after IHDR."""
    chunk = struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return png[:33] + chunk + png[33:]


def raw_png(depth, color_type, row_bytes, interlaced=False, before_data=b""):
    """Kinds that Pillow does not write. row_bytes(y) gives the packed samples of a row."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, color_type, 0, 0, int(interlaced))
    if interlaced:  # Adam7, eight-bit samples only
        channels = {0: 1, 2: 3, 4: 2, 6: 4}[color_type]
        rows = np.frombuffer(b"".join(row_bytes(y) for y in range(HEIGHT)), np.uint8).reshape(HEIGHT, WIDTH, channels)
        passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
        lines = [b"\0" + line.tobytes() for y, x, dy, dx in passes for line in rows[y::dy, x::dx] if line.size]
    else:
        lines = [b"\0" + row_bytes(y) for y in range(HEIGHT)]
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before_data + chunk(b"IDAT", zlib.compress(b"".join(lines), 9))
            + chunk(b"IEND", b""))


def packed(values, depth):
    bits = "".join(format(v, "0%db" % depth) for v in values)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def make_files():
    import cv2
    from PIL import Image
    pixels = image()
    rgb = Image.fromarray(pixels)

    def encode(image, kind, **options):
        out = io.BytesIO()
        image.save(out, kind, **options)
        return out.getvalue()

    def oriented(orientation, **options):
        exif = Image.Exif()
        exif[0x112] = orientation
        return encode(rgb, "JPEG", quality=90, exif=exif.tobytes(), **options)

    def sampled(factors):
        return cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, factors])[1].tobytes()

    cmyk = encode(rgb.convert("CMYK"), "JPEG", quality=90)
    adobe = cmyk.index(b"Adobe")
    files = {
        "grey.jpg": encode(rgb.convert("L"), "JPEG", quality=90),
        "rgb.jpg": encode(rgb, "JPEG", quality=90, keep_rgb=True),
        "420.jpg": encode(rgb, "JPEG", quality=90, subsampling=2),
        "422.jpg": encode(rgb, "JPEG", quality=90, subsampling=1),
        "444.jpg": encode(rgb, "JPEG", quality=90, subsampling=0),
        "411.jpg": sampled(0x411111),
        "440.jpg": sampled(0x121111),
        "420_low_quality.jpg": encode(rgb, "JPEG", quality=20),
        "restart.jpg": encode(rgb, "JPEG", quality=90, subsampling=2, restart_marker_blocks=1),
        "progressive.jpg": encode(rgb, "JPEG", quality=90, subsampling=2, progressive=True),
        "progressive_grey.jpg": encode(rgb.convert("L"), "JPEG", quality=90, progressive=True),
        "cmyk.jpg": cmyk,
        "ycck.jpg": cmyk[:adobe + 11] + b"\2" + cmyk[adobe + 12:],
        "bad_exif.jpg": without_jfif(oriented(3)).replace(b"MM\0*", b"MM\1*"),
    }
    for orientation in range(1, 9):
        files["exif%d.jpg" % orientation] = without_jfif(oriented(orientation))
    alpha = Image.fromarray(pixels[:, :, 2])
    rgba, grey_alpha = rgb.copy(), rgb.convert("L")
    rgba.putalpha(alpha)
    grey_alpha.putalpha(alpha)
    palette = rgb.quantize(16)
    grey = np.array(rgb.convert("L"))
    samples_16bit = np.random.RandomState(5).randint(0, 1 << 16, (HEIGHT, WIDTH, 4)).astype(">u2")
    files.update({
        "rgb.png": encode(rgb, "PNG"),
        "grey.png": encode(rgb.convert("L"), "PNG"),
        "rgba.png": encode(rgba, "PNG"),
        "grey_alpha.png": encode(grey_alpha, "PNG"),
        "palette.png": encode(palette, "PNG"),
        "palette_4bit.png": encode(palette, "PNG", bits=4),
        "palette_trns.png": encode(palette, "PNG", transparency=bytes([0, 128, 255, 7] * 4)),
        "rgb_trns.png": encode(rgb, "PNG", transparency=tuple(int(v) for v in pixels[3, 4])),
        "grey_trns.png": encode(rgb.convert("L"), "PNG", transparency=int(grey[3, 4])),
        "1bit.png": raw_png(1, 0, lambda y: packed(grey[y] >> 7, 1)),
        "2bit.png": raw_png(2, 0, lambda y: packed(grey[y] >> 6, 2)),
        "4bit.png": raw_png(4, 0, lambda y: packed(grey[y] >> 4, 4)),
        "grey_16bit.png": raw_png(16, 0, lambda y: (grey[y].astype(">u2") * 251 + 77).astype(">u2").tobytes()),
        "rgb_16bit.png": raw_png(16, 2, lambda y: (pixels[y].astype(">u2") * 249 + 113).astype(">u2").tobytes()),
        "grey_alpha_16bit.png": raw_png(16, 4, lambda y: samples_16bit[y, :, 1:3].tobytes()),
        "rgba_16bit.png": raw_png(16, 6, lambda y: samples_16bit[y].tobytes()),
        "rgb_interlaced.png": raw_png(8, 2, lambda y: pixels[y].tobytes(), interlaced=True),
        "rgb_gamma.png": with_chunk(encode(rgb, "PNG"), b"gAMA", struct.pack(">I", 45455)),
    })
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if not (GOLDEN / name).exists():
            (GOLDEN / name).write_bytes(content)


def decoded():
    members = {}
    for path in sorted(p for p in GOLDEN.iterdir() if p.suffix in (".jpg", ".png")):
        content = path.read_bytes()
        members[path.name + ".color"] = mx.image.imdecode(content, flag=1, to_rgb=True).asnumpy()
        members[path.name + ".grey"] = mx.image.imdecode(content, flag=0).asnumpy()
    return members


def unfiltered(content):
    """The samples of a PNG of 8 or 16 bits without a palette that is not interlaced."""
    width, height, depth, color_type = struct.unpack(">IIBB", content[16:26])
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[color_type]
    data, at = b"", 8
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at:at + 8])
        data += content[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    step = channels * depth // 8
    lines = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, width * step + 1)
    rows = np.zeros((height + 1, (width + 1) * step), int)  # with a row above and a pixel to the left
    for y, (kind, *line) in enumerate(lines, 1):
        for x, value in enumerate(line, step):
            left, up, corner = rows[y, x - step], rows[y - 1, x], rows[y - 1, x - step]
            paeth = min((left, up, corner), key=lambda near: abs(left + up - corner - near))
            rows[y, x] = (value + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
    samples = rows[1:, step:].astype(np.uint8)
    if depth == 16:
        samples = samples.view(">u2").astype(np.uint16)
    return samples.reshape((height, width) if channels == 1 else (height, width, channels))


SAMPLES = ["grey", "grey_alpha", "rgb", "rgba", "grey_16bit", "grey_alpha_16bit", "rgb_16bit", "rgba_16bit"]


def samples():
    return {name + ".png": unfiltered((GOLDEN / (name + ".png")).read_bytes()) for name in SAMPLES}


def resized():
    random = np.random.RandomState(1)
    members = {}
    for i, (shape, size) in enumerate(SIZES):
        for dtype in ("uint8", "float32", "float64"):
            if dtype == "float64" and i % 3:
                continue
            values = random.randint(0, 256, shape) if dtype == "uint8" else random.uniform(-100, 100, shape)
            values = values.astype(dtype)
            name = "%s_%dx%dx%d" % ((dtype,) + shape)
            members[name] = values
            for interp, interpolation in enumerate(INTERPOLATIONS):
                if shape[2] > 4 and interpolation in ("nearest", "area"):
                    continue  # MXNet leaves channels unwritten, or refuses
                out = mx.nd.image.resize(mx.nd.array(values, dtype=dtype), size=size[::-1], interp=interp)
                members["%s_to_%dx%d_%s" % ((name,) + size + (interpolation,))] = out.asnumpy()
    return members


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--files", action="store_true")
    arguments = parser.parse_args()
    if arguments.files:
        make_files()
    failed = False
    for name, members in (("decode.npz", decoded()), ("samples.npz", samples()), ("resize.npz", resized())):
        path = GOLDEN / name
        if not arguments.check:
            np.savez_compressed(path, **members)
            print("%s: %d members, %d bytes" % (name, len(members), path.stat().st_size))
            continue
        recorded = np.load(path)
        different = [k for k in set(recorded.files) | set(members)
                     if k not in members or k not in recorded.files or not np.array_equal(recorded[k], members[k])]
        print("%s: %s" % (name, "different: " + ", ".join(sorted(different)) if different else "the same"))
        failed |= bool(different)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
