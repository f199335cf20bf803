"""The site as a whole: how its games stand for those who moderate them all, and its accounts."""
