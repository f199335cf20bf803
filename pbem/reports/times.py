"""When a game's stages may end, in sentences: for its page."""

from pbem.games.schedule import Schedule, written
from pbem.words import Words


def schedule_told(schedule: Schedule, words: Words) -> list[str]:
    """A sentence for each thing that is not as by default."""
    values = written(schedule)
    told = []
    if schedule.at:
        told.append(words.gettext("Stages end at %(at)s (%(zone)s).") % values)
    if len(schedule.days) < len(Schedule().days):
        told.append(words.gettext("They end on these days alone: %(days)s.") % values)
    if schedule.holidays:
        told.append(words.gettext("None ends on %(holidays)s.") % values)
    if schedule.quiet[0] != schedule.quiet[1]:
        told.append(words.gettext("None ends in the hours %(quiet)s (%(zone)s).") % values)
    if schedule.grace:
        one = words.ngettext(
            "Orders count for one minute after a deadline.",
            "Orders count for %(num)s minutes after a deadline.",
            schedule.grace,
        )
        told.append(one % {"num": schedule.grace})
    if schedule.earliest:
        one = words.ngettext(
            "A stage lasts one hour at least.", "A stage lasts %(num)s hours at least.", schedule.earliest
        )
        told.append(one % {"num": schedule.earliest})
    if not schedule.early:
        told.append(words.gettext("A stage is played at its deadline, even where all are ready before."))
    return told
