"""Aligned faces in NumPy: Umeyama's method with a singular value decomposition, and bilinear reading with a black border."""
import numpy as np

TEMPLATE = np.array([(38.2946, 51.6963), (73.5318, 51.5014), (56.0252, 71.7366), (41.5493, 92.3655), (70.7299, 92.2041)])


def umeyama(source, target):
    """The 2 x 3 matrix of the similarity transform from source to target, (n, 2) each (Umeyama 1991, equations 40 to 43)."""
    source_mean, target_mean = source.mean(axis=0), target.mean(axis=0)
    source_centred, target_centred = source - source_mean, target - target_mean
    covariance = target_centred.T @ source_centred / len(source)
    u, singular, v = np.linalg.svd(covariance)
    signs = np.ones(2)
    if np.linalg.det(u) * np.linalg.det(v) < 0:
        signs[-1] = -1
    rotation = u @ np.diag(signs) @ v
    scale = (singular * signs).sum() / (source_centred ** 2).sum(axis=1).mean()
    return np.hstack([scale * rotation, (target_mean - scale * rotation @ source_mean)[:, None]])


def warp(picture, matrix, size):
    """Pixels (size, size, 3) as floats."""
    inverse = np.linalg.inv(np.vstack([matrix, [0, 0, 1]]))
    y, x = np.mgrid[0:size, 0:size].astype(float)
    at_x, at_y, _ = np.tensordot(inverse, np.stack([x, y, np.ones_like(x)]), axes=1)
    bordered = np.zeros((picture.shape[0] + 2, picture.shape[1] + 2, 3))
    bordered[1:-1, 1:-1] = picture
    # Outside of the border all is black; it stands for everything beyond the picture.
    at_x, at_y = np.clip(at_x + 1, 0, picture.shape[1] + 1), np.clip(at_y + 1, 0, picture.shape[0] + 1)
    left, top = np.minimum(at_x.astype(int), picture.shape[1]), np.minimum(at_y.astype(int), picture.shape[0])
    part_x, part_y = (at_x - left)[..., None], (at_y - top)[..., None]
    upper = (1 - part_x) * bordered[top, left] + part_x * bordered[top, left + 1]
    lower = (1 - part_x) * bordered[top + 1, left] + part_x * bordered[top + 1, left + 1]
    return (1 - part_y) * upper + part_y * lower


def align(picture, landmarks, size):
    return warp(picture, umeyama(landmarks, TEMPLATE * size / 112), size)
