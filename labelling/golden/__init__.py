"""Golden sets: frozen, numbered snapshots of claims with gold, whose hash can be recomputed from their export."""
