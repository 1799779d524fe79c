"""Text as judges read it: folding, words, sentences, for many scripts."""
