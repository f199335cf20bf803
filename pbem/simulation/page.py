"""The figures as one page with plots, in a file of its own: nothing in it is loaded from elsewhere."""

from pbem.reports.environments import PAGE, environment
from pbem.simulation.figures import Figures
from pbem.words import Words


def page(found: Figures, words: Words) -> str:
    """The page, in HTML."""
    return environment(words.language, PAGE).get_template("simulation/page.j2").render(found=found)
