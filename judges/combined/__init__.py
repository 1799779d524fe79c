"""Judges made of other judges: a cascade asks one after the other, a panel asks all and weighs what they say."""
