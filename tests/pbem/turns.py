"""Orders that are good for any turn of a game for four, whatever has happened in it."""

ROCKWELL = """
place workshop or exchange or control
place exchange or control or workshop
insure nothing
drill 1: c1 to A1 or stay
drill 2: c2 to A3 or stay
drill 3: c3 to A5 or stay
drill 4: c4 to A7 or stay
always danger nothing
bid 100
ready
"""
BRASS_EMPIRE = """
play all
if labor >= 3, buy manager or line supervisor or watch engraver or station porter or gumshoe
buy balloon skiff or spring sentry or steam handcar or jetpack courier or volt militia or vanguard mercenary
convert all
mine with all
end
always discard cheapest
"""
"""A company's whole turn."""
