"""Predictors of images: classification, detection, segmentation, key points. Their names are those of the package mxinfer."""
