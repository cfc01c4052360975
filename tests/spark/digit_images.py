"""Images of digits as other hands might have written them, as a table of Parquet: id (text) and content (binary)."""
import io
import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

SOURCES = pathlib.Path(__file__).resolve().parents[2]
MODEL = str(SOURCES / "models" / "digits.mxz")
SIDE = 64


def drawn(ink):
    """A digit of models/digits/held_out.npz as an image: dark on white paper, with a margin."""
    paper = np.full((12, 12), 255, np.uint8)
    paper[2:10, 2:10] -= ink
    return Image.fromarray(paper).resize((SIDE, SIDE), Image.Resampling.BICUBIC)


def distorted(image, random):
    """The bytes of a PNG or JPEG of it: turned, shifted, and on greyer paper."""
    angle, shift = np.deg2rad(random.uniform(-10, 10)), random.uniform(-4, 4, 2)
    cosine, sine, middle = np.cos(angle), np.sin(angle), SIDE / 2
    across = middle - cosine * middle + sine * middle + shift[0]
    down = middle - sine * middle - cosine * middle + shift[1]
    image = image.transform((SIDE, SIDE), Image.Transform.AFFINE, (cosine, -sine, across, sine, cosine, down),
                            Image.Resampling.BILINEAR, fillcolor=255)
    dark, light = random.uniform(0, 60), random.uniform(215, 255)
    image = image.point([round(dark + value * (light - dark) / 255) for value in range(256)])
    file = io.BytesIO()
    if random.random() < 0.5:
        image.save(file, "PNG", compress_level=1)
    else:
        image.save(file, "JPEG", quality=int(random.integers(60, 96)))
    return file.getvalue()


def digit_images(count, seed=1):
    """(id, bytes) of that many, each another one."""
    inks = np.load(SOURCES / "models" / "digits" / "held_out.npz")["ink"]
    images = [drawn(ink) for ink in inks.reshape(len(inks), 8, 8)]
    random = np.random.default_rng(seed)
    return [(f"image{n:06d}", distorted(images[n % len(images)], random)) for n in range(count)]


def write_table(images, folder, files):
    """Writes them as so many files, which Spark reads as so many partitions (PARTITIONS)."""
    folder.mkdir(parents=True)
    for number in range(files):
        part = images[number::files]
        table = pa.table({"id": [name for name, _ in part], "content": pa.array([content for _, content in part], pa.binary())})
        pq.write_table(table, folder / f"part-{number:05d}.parquet")
    return folder


# So that small files are not read several at a time.
PARTITIONS = {"spark.sql.files.maxPartitionBytes": "4m", "spark.sql.files.openCostInBytes": "4m"}
