"""The pages: one template, one module of style and script each."""
