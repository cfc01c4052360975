"""The data of the digit detector: which digits, and the pictures that they are put into.

    scenes = Scenes(held_out=True, seed=1)
    picture, truth = scenes.draw()   # uint8 (300, 300, 3), RGB; float32 (digits, 5): class, left, top, right, bottom

Backgrounds and everything else are made of random numbers; only the digits are data. Which of them are held out is
fixed by models/digits/held_out.npz, so that both models keep the same digits apart.
"""
import io
import pathlib

import numpy as np
from PIL import Image, ImageDraw

SIDE = 300  # of a scene
NAMES = [str(digit) for digit in range(10)]
SMALLEST, LARGEST = 24, 120  # the height of a digit, in pixels
MOST = 6  # digits in a scene, unless said otherwise
HELD_OUT = pathlib.Path(__file__).resolve().parent.parent / "digits" / "held_out.npz"


def load_held_out():
    """(ink, labels) of the digits that are never trained on: uint8 (N, 8, 8), 255 is ink."""
    held_out = np.load(HELD_OUT)
    return held_out["ink"], held_out["label"]


def load_training():
    """The same of all others of scikit-learn's load_digits."""
    from sklearn.datasets import load_digits  # the evaluation does without
    data = load_digits()
    rest = np.setdiff1d(np.arange(len(data.images)), np.load(HELD_OUT)["index"])
    return np.round(data.images[rest] * (255 / 16)).astype(np.uint8), data.target[rest].astype(np.uint8)


class Scenes:
    def __init__(self, held_out, seed, most=MOST):
        self.inks, self.labels = load_held_out() if held_out else load_training()
        self.random = np.random.RandomState(seed)
        self.most = most

    def draw(self):
        picture = self._background()
        if self.random.rand() < 0.5:
            self._clutter(picture)
        pixels = np.array(picture, dtype=np.float32)
        truth = []
        for _ in range(self.random.randint(1, self.most + 1)):
            self._add_digit(pixels, truth)
        return self._photograph(pixels), np.array(truth, dtype=np.float32).reshape(-1, 5)

    # Backgrounds.

    def _colour(self):
        return self.random.uniform(0, 255, 3)

    def _background(self):
        kinds = [self._gradient, self._stripes, self._blobs, self._grain, self._checks, self._weave]
        picture = kinds[self.random.randint(len(kinds))]()
        # Most things in the world are far from using all colours at once.
        calm = self.random.uniform(0.15, 1)
        tables = [_shades(c * (1 - calm), c * (1 - calm) + 255 * calm) for c in self._colour()]
        return picture.point(np.concatenate(tables).tolist())

    def _enlarged(self, cells, method):
        small = self.random.randint(0, 256, (cells, cells, 3)).astype(np.uint8)
        return Image.fromarray(small).resize((SIDE, SIDE), method)

    def _between(self, share):
        """From one colour to another, by a share of 0..1 at each pixel."""
        tables = [_shades(first, second) for first, second in zip(self._colour(), self._colour())]
        grey = Image.fromarray((share * 255).astype(np.uint8))
        return Image.merge("RGB", [grey.point(table.tolist()) for table in tables])

    def _along(self, period):
        """How far each pixel is along a random direction, in periods."""
        angle, start = self.random.uniform(0, 2 * np.pi), self.random.rand()
        steps = np.arange(SIDE, dtype=np.float32) / period
        return steps[:, None] * np.float32(np.sin(angle)) + steps * np.float32(np.cos(angle)) + np.float32(start)

    def _wave(self, period, bent=0):
        return np.sin(np.float32(2 * np.pi) * (self._along(period) + bent))

    def _gradient(self):
        return self._enlarged(2, Image.Resampling.BILINEAR)

    def _blobs(self):
        return self._enlarged(self.random.randint(3, 12), Image.Resampling.BICUBIC)

    def _grain(self):
        method = (Image.Resampling.NEAREST, Image.Resampling.BILINEAR)[self.random.randint(2)]
        return self._enlarged(self.random.randint(12, SIDE), method)

    def _stripes(self):
        wave = self._wave(self.random.uniform(8, 120))
        edge = np.float32(self.random.uniform(0.25, 3))
        return self._between(np.clip(wave * edge + np.float32(0.5), 0, 1))

    def _checks(self):
        side = self.random.randint(8, 70)
        return self._between(((self._along(side).astype(int) + self._along(side).astype(int)) & 1))

    def _weave(self):
        first = self._wave(self.random.uniform(6, 80))
        second = self._wave(self.random.uniform(6, 80), np.float32(self.random.uniform(0, 0.5)) * first)
        return self._between(np.float32(0.5) + np.float32(0.249) * (first + second))

    def _clutter(self, picture):
        """Strokes and shapes that are no digits."""
        pen = ImageDraw.Draw(picture)
        for _ in range(self.random.randint(1, 9)):
            x, y = self.random.randint(-20, SIDE + 20, 2)
            width, height = self.random.randint(8, 110, 2)
            box = [int(x), int(y), int(x + width), int(y + height)]
            colour = tuple(int(c) for c in self._colour())
            thickness = int(self.random.randint(1, 10))
            kind = self.random.randint(4)
            if kind == 0:
                pen.line([box[0], box[1] if self.random.rand() < 0.5 else box[3], box[2], box[3]], colour, thickness)
            elif kind == 1:
                start = int(self.random.randint(360))
                pen.arc(box, start, start + int(self.random.randint(20, 130)), colour, thickness)
            elif kind == 2:
                pen.rectangle(box, colour)
            else:
                pen.polygon([box[0], box[3], box[2], box[3], box[0] + width // 2, box[1]], colour)

    # Digits.

    def _add_digit(self, pixels, truth):
        """One more digit, unless no place is found for it that is free."""
        chosen = self.random.randint(len(self.inks))
        height = np.exp(self.random.uniform(np.log(SMALLEST), np.log(LARGEST)))
        alpha = self._stroke(self.inks[chosen], height)
        high, wide = alpha.shape
        for _ in range(12):
            x, y = self.random.randint(0, SIDE - wide + 1), self.random.randint(0, SIDE - high + 1)
            box = np.array([x, y, x + wide, y + high])
            if all(_apart(box, other[1:]) for other in truth):
                self._paint(pixels[y:y + high, x:x + wide], alpha)
                truth.append([self.labels[chosen], *box])
                return

    def _stroke(self, ink, height):
        """How much ink is where, 0..1, cut to where there is any: `height` rows, about, of a rotated, slanted digit."""
        rows = np.flatnonzero(ink.max(axis=1) > 60)
        scale = height / (rows[-1] - rows[0] + 1)
        side = int(np.ceil(10 * scale * 1.3))
        angle = np.deg2rad(self.random.uniform(-12, 12))
        matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / scale
        matrix[0] *= self.random.uniform(0.8, 1.25)  # narrower or wider
        matrix[0, 1] += self.random.uniform(-0.2, 0.2) / scale  # slant
        offset = 6 - matrix @ np.full(2, side / 2)
        paper = np.zeros((12, 12), dtype=np.uint8)
        paper[2:10, 2:10] = ink
        drawn = Image.fromarray(paper).transform((side, side), Image.Transform.AFFINE,
                                                 (*matrix[0], offset[0], *matrix[1], offset[1]),
                                                 Image.Resampling.BICUBIC)
        values = np.asarray(drawn, dtype=np.float32) * (1 / 255)
        edge = self.random.uniform(1.2, 3)
        values = np.clip((values - 0.45) * edge + 0.5, 0, 1)
        seen = values > 0.4
        down, across = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
        return values[down[0]:down[-1] + 1, across[0]:across[-1] + 1][:SIDE, :SIDE]

    def _paint(self, place, alpha):
        """In a colour that can be told from what is there."""
        around = place.reshape(-1, 3).mean(axis=0)
        spread = place.reshape(-1, 3).std(axis=0).mean()
        for _ in range(50):
            colour = self._colour()
            if np.abs(colour - around).mean() > 50 + 0.8 * spread:
                break
        else:
            colour = np.where(around > 127, 0.0, 255.0)
        strength = (alpha * self.random.uniform(0.8, 1))[:, :, None]
        place += strength * (colour.astype(np.float32) - place)

    def _photograph(self, pixels):
        """Noise and, of some, what JPEG leaves."""
        noise = np.frombuffer(self.random.bytes(pixels.size), dtype=np.int8).reshape(pixels.shape)
        pixels += noise * np.float32(self.random.uniform(0, 20) / 128)
        picture = np.clip(pixels, 0, 255).astype(np.uint8)
        if self.random.rand() < 0.25:
            buffer = io.BytesIO()
            Image.fromarray(picture).save(buffer, "JPEG", quality=int(self.random.randint(50, 96)))
            picture = np.asarray(Image.open(buffer))
        return picture


def _shades(first, last):
    return np.linspace(first, last, 256).astype(np.uint8)


def _apart(a, b, gap=3):
    return a[0] >= b[2] + gap or b[0] >= a[2] + gap or a[1] >= b[3] + gap or b[1] >= a[3] + gap
