"""The house rules: declared, set, saved as presets, published to players."""
