"""From the bytes of a JPEG to the middle 224 x 224 pixels of the image at a shorter side of 256, as MXNet's model zoo has it."""
import struct

SHORT, SIDE = 256, 224
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
REDUCTIONS = (8, 4, 2)


def size_of(encoded):
    """(width, height) from the header of a JPEG."""
    at = 2
    while at + 9 <= len(encoded):
        marker, length = encoded[at + 1], struct.unpack_from(">H", encoded, at + 2)[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", encoded, at + 5)
            return width, height
        at += 2 + length
    raise ValueError("no size before the end of the file")


def reduction(width, height):
    """The most that a decoder may divide the sides by while the shorter one keeps what the resize needs."""
    return next((by for by in REDUCTIONS if -(-min(width, height) // by) >= SHORT), 1)


def resized(width, height):
    """(width, height) at the shorter side of 256; the longer one is rounded down, as in MXNet."""
    return (SHORT, height * SHORT // width) if height > width else (width * SHORT // height, SHORT)


def decode(path, scaled):
    """The pixels in the middle, uint8 BGR (224, 224, 3)."""
    import cv2
    import numpy as np
    with open(path, "rb") as file:
        encoded = file.read()
    by = reduction(*size_of(encoded)) if scaled else 1
    flag = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}[by]
    image = cv2.imdecode(np.frombuffer(encoded, np.uint8), flag)
    size = resized(image.shape[1], image.shape[0])
    image = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
    left, top = (size[0] - SIDE) // 2, (size[1] - SIDE) // 2
    return image[top:top + SIDE, left:left + SIDE]


def normalised(pixels):
    """float32 RGB (3, 224, 224)."""
    import cv2
    import numpy as np
    values = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB).astype(np.float32)
    values -= np.float32([255 * mean for mean in MEAN])
    values *= np.float32([1 / (255 * std) for std in STD])
    return values.transpose(2, 0, 1)
