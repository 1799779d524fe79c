"""Figures, dates, times and amounts: reading them from text and finding one text's in another."""
