"""How figures are shown: as cards and tables of pages, as files, as text of commands. Nothing is computed here."""
