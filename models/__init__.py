"""Weights, training and evaluation of the recogniser."""
