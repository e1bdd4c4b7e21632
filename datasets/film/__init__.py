"""Films: a dealt and played game shown as an overhead video with its truth and its calibration beside it."""
