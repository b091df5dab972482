"""The rules of the house: declared, set, kept as presets, told to the players."""
