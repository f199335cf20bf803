"""Games that were played under each version of the rules, as their records: they play the same for ever.

`python -m tests.journals` adds those of the present versions that are not there yet. A file that is here is never
changed: what plays one of them otherwise needs a new version of its rules (docs/add-a-game.md).
"""
