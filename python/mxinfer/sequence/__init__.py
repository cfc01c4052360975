"""Predictors of sequences, and the texts, vocabularies and sessions that they work with. Their names are those of the package mxinfer."""
