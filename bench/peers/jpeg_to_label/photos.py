"""Writes seeded JPEGs that cost a decoder what photographs do: quality 90, colour at half the sides (4:2:0). Needs NumPy and Pillow.

A photograph's spectrum falls with the frequency; noise whose spectrum falls likewise, with shapes that have sharp edges and
colours of their own in front of it, takes about as many bits a pixel at the same quality, 1.5 to 2.5.
"""
import numpy as np
from PIL import Image

QUALITY = 90
FALL = 1.15  # of the amplitude with the frequency
SHAPES = 12


def noise(height, width, random):
    """Values of about 1 with the spectrum of a photograph."""
    rows, columns = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None, :]
    frequency = np.maximum(np.hypot(rows, columns), 1 / max(height, width))
    spectrum = np.fft.rfft2(random.standard_normal((height, width))) / frequency**FALL
    pattern = np.fft.irfft2(spectrum, s=(height, width))
    return pattern / pattern.std()


def draw_shape(pixels, random):
    """Blends an ellipse or a rectangle of one colour into the pixels: its inside keeps some of the texture."""
    height, width, _ = pixels.shape
    y, x = random.uniform(0, height), random.uniform(0, width)
    b, a = random.uniform(0.05, 0.35, 2) * height
    down, right = (np.arange(height)[:, None] - y) / b, (np.arange(width)[None, :] - x) / a
    inside = down**2 + right**2 < 1 if random.random() < 0.5 else np.maximum(np.abs(down), np.abs(right)) < 1
    pixels[inside] = 0.4 * pixels[inside] + 0.6 * random.uniform(0, 255, 3)


def photo(width, height, random):
    light = noise(height, width, random)[:, :, None]
    tint = np.stack([noise(height, width, random) for _ in range(3)], axis=2)
    pixels = random.uniform(60, 190, 3) + random.uniform(25, 50) * light + 10 * tint
    for _ in range(SHAPES):
        draw_shape(pixels, random)
    return np.clip(pixels, 0, 255).astype(np.uint8)


def write(folder, width, height, count):
    """The paths of `count` photos in the folder, which keeps those that it has."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{index:04}.jpg" for index in range(count)]
    for index, path in enumerate(paths):
        if not path.exists():
            pixels = photo(width, height, np.random.default_rng([width, height, index]))
            Image.fromarray(pixels).save(path, "JPEG", quality=QUALITY, subsampling="4:2:0")
    return paths
