"""Multibody models: the plant, its elements, model files, spatial vectors."""
