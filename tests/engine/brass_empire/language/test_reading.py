"""Lines for Brass Empire, and what they are read as."""

import tomllib

import pytest

from engine.brass_empire import MODULE
from engine.brass_empire.cards import BUILT_IN
from engine.orders.lexicon import lexicon, tongues
from engine.orders.shape import Command
from tests.engine.brass_empire.language.said import lines, normal
from tests.engine.brass_empire.position import Position

POSITION = Position(3)
SAME = [
    "play all",
    "play manager, 2 clerks",
    "play all but iron palisade",
    "play illumination inventor, dismiss clerk",
    "buy tesla trooper or chroniker",
    "buy jetpack courier from reserve",
    "buy manager for teammate",
    "convert 4",
    "convert all",
    "rebuild",
    "use wiretap office",
    "demolish clockwerks factory",
    "attack blue mining platform with chroniker",
    "attack green company with chroniker",
    "mine with all",
    "mine with 2 spark drones, jetpack courier",
    "mine with all but spark drone, jetpack courier",
    "attack weakest with chroniker",
    "always strike weakest",
    "strike blue weakest",
    "if blue manager is in discard pile, end",
    "if blue gumshoe is in reserve, end",
    "always discard cheapest",
    "always discard clerk or union worker",
    "end",
    "pause",
    "dismiss clerk and union worker",
    "dismiss nothing",
    "strike blue chroniker",
    "choose labor",
    "choose 2",
    "steal from blue",
    "take manager for teammate",
    "accept",
    "always decline",
    "corporation any",
    "corporation harlem electric or windcraft enterprises",
    "reserve 3 gumshoes, miltonian barracks",
    "if tesla trooper is in row, buy tesla trooper",
    "if labor >= 4 and not pool < 5, buy chroniker",
    "if blue mining platform is down, attack blue chroniker with tesla trooper",
    "if clerk isnt in hand, end",
    "if blue brass > 10 or round >= 6, end",
]


@pytest.mark.parametrize("line", SAME)
def test_a_line_in_its_normal_form_is_written_as_it_was_read(line: str) -> None:
    """What the acknowledgement shows is what one could have written."""
    assert normal(POSITION, line) == line


FORGIVEN = {
    "Play Illumination Inventor dismiss clerk": "play illumination inventor, dismiss clerk",
    "- play the manager and 2 clerks, please": "play manager, 2 clerks",
    "buy tesla troper": "buy tesla trooper",
    "buy trooper": "buy tesla trooper",
    "purchase a Chroniker": "buy chroniker",
    "attack blue's platform using the trooper": "attack blue mining platform with tesla trooper",
    "attack chroniker of blue with trooper": "attack blue chroniker with tesla trooper",
    "use storm coil on blue chroniker": "use storm coil, strike blue chroniker",
    "mine": "mine with all",
    "convert": "convert all",
    "end my turn": "end",
    "pass": "end",
    "I play all my cards": "play all",
    "play all cards": "play all",
    "play my whole hand": "play all",
    "play hand": "play all",
    "play the rest": "play all",
    "mine with the rest": "mine with all",
    "convert 4 construction into brass": "convert 4",
    "always decline all": "always decline",
    "always discard my cheapest card": "always discard cheapest",
    "if I have 4 labor, buy manager": "if labor >= 4, buy manager",
    "buy manager if I have at least 4 labor": "buy manager if labor >= 4",
    "if blue has more than 9 brass, end": "if blue brass > 9, end",
    "if tesla trooper is available, buy tesla trooper": "if tesla trooper is in row, buy tesla trooper",
    "pause here": "pause",
    "if i have labor at least 3 then buy spark drone": "if labor >= 3, buy spark drone",
    "buy line supervisor or line splicer": "buy line supervisor or line splicer",
    "play 1 manager, then the clerk": "play manager, clerk",
    "lay iron palisade": "play iron palisade",
    "build iron palisade": "play iron palisade",
    "get a manager": "buy manager",
    "hire 1 manager": "buy manager",
    "mine with all units": "mine with all",
    "mine all except the drone": "mine with all but spark drone",
    "convert 2 to 1 brass": "convert 2",
    "attack the weakest of blue with trooper": "attack blue weakest with tesla trooper",
    "choose 2 labor": "choose labor",
    "choose gain 2 construction": "choose construction",
    "choose draw a card": "choose draw",
    "take 2 brass from blue": "steal from blue",
    "steal 2 brass from green": "steal from green",
    "no thanks": "decline",
    "don't": "decline",
    "dismiss clerk and worker, or clerk": "dismiss clerk and union worker or clerk",
    "always discard the cheapest card": "always discard cheapest",
    "if there is a trooper in the row, buy trooper": "if tesla trooper is in row, buy tesla trooper",
    "if there are 5 labor, buy manager": "if labor >= 5, buy manager",
    "if my hand > 3, play all": "if hand > 3, play all",
    "if manager is in blue's discard pile, end": "if blue manager is in discard pile, end",
}


@pytest.mark.parametrize("line", FORGIVEN)
def test_what_a_player_would_expect_is_understood(line: str) -> None:
    """Shortened, misspelt a little, or put in other words."""
    assert normal(POSITION, line) == FORGIVEN[line]


PROBLEMS = {
    "buy something nice": "card_expected",
    "attack blue": "ends_early",
    "play 0 clerks": "out_of_range",
    "if blue clerk is in hand, end": "hidden",
    "if clerk is in blue's hand, end": "hidden",
    "buy 2 managers": "one_a_line",
    "choose 0": "out_of_range",
    "buy manager from mars": "unknown_word",
    "convert some": "number_expected",
}


@pytest.mark.parametrize("line", PROBLEMS)
def test_what_can_not_be_read_is_told_with_what_could(line: str) -> None:
    """Never dropped in silence."""
    (read,) = lines(POSITION, line)
    assert read.problem is not None
    assert read.problem.code == PROBLEMS[line]
    assert read.problem.nearest or read.problem.code == "hidden"


NEAREST = {
    "play mgr": "play manager",
    "buy manager or somebody or paymaster": "buy manager or paymaster",
    "buy somebody or paymaster": "buy paymaster",
    "play all, buy manager, end": "play all; buy manager; end",
    "play all then buy manager then end": "play all; buy manager; end",
    "attack blue platform": "attack blue mining platform with kiln golem",
    "attack blue platform with all": "attack blue mining platform with kiln golem",
    "if green has a warden, mine with all": "if tesla trooper is in row, mine with all",
    "buy 2 managers": "buy manager",
    "don't dismiss": "decline",
}


@pytest.mark.parametrize("line", NEAREST)
def test_what_would_be_right_is_near_to_what_was_meant(line: str) -> None:
    """The other alternatives stay, several orders are told as several, a unit is one's own."""
    position = Position(3)
    position.piece(0, "kiln_golem")
    (read,) = lines(position, line)
    assert read.problem is not None
    assert read.problem.nearest == NEAREST[line]
    for each in read.problem.nearest.split("; "):
        assert normal(position, each) == each


def test_use_alone_is_the_command_and_with_a_card_an_order() -> None:
    """One word begins both; what follows tells them apart, after a condition too."""
    (alone,) = lines(POSITION, "use")
    assert alone.command == Command("use")
    assert normal(POSITION, "use storm coil") == "use storm coil"
    assert normal(POSITION, "if labor > 1, use storm coil") == "if labor > 1, use storm coil"


def test_no_two_words_collide() -> None:
    """In no language may two words that can meet in one line be spelt alike."""
    assert [lexicon(MODULE.language.words, tongue).clashes for tongue in tongues(MODULE.language.words)] == [[]]


def test_every_card_of_the_box_has_its_name_as_a_word() -> None:
    """So that each can be ordered by the name that reports call it by."""
    for number, card in enumerate(POSITION.tables.cards):
        line = normal(POSITION, f"buy {card.name}")
        assert line == f"buy {card.name.lower().replace('-', ' ')}", number


@pytest.mark.parametrize("text", ["Hi all, sorry for the delay", "No worries about the delay", "Yes, sounds great"])
def test_prose_is_passed_over(text: str) -> None:
    """A greeting is no order, nor is a reply to what nobody asked."""
    (line,) = lines(POSITION, text)
    assert (line.order, line.problem, line.command) == (None, None, None)


def test_cards_of_a_tables_own_file_are_read_by_their_own_names() -> None:
    """One that has another name than the built-in card of its id is not called by that any more."""
    file = tomllib.loads(BUILT_IN.read_text(encoding="utf-8"))
    file["set"]["name"] = "Ours"
    (paymaster,) = [card for card in file["card"] if card["id"] == "paymaster"]
    paymaster["name"] = "Night Auditor"
    own = Position(2, components=file)
    assert normal(own, "buy Night Auditor or manager") == "buy night auditor or manager"
    assert normal(own, "play 2 night auditor, 2 clerks") == "play 2 night auditor, 2 clerks"
    (line,) = lines(own, "buy paymaster")
    assert line.problem is not None
    assert line.problem.code == "card_expected"
