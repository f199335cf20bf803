"""The codes of all refusals of a choice, each with the names of its parameters: what `Illegal` carries."""

REFUSALS: dict[str, tuple[str, ...]] = {
    "wrong_kind": (),
    "not_a_number": (),
    # bid, insure
    "hundreds": (),
    "too_much_money": ("most",),
    "too_many_cubes": ("kind", "most"),
    # place
    "no_such_board": (),
    "on_that_board": ("board",),
    "board_full": ("board",),
    "slot_taken": ("board", "slot", "seat"),
    "no_such_slot": ("board", "slots"),
    # drill
    "no_such_crew": (),
    "crew_at_centre": (),
    "no_such_spot": (),
    "back_to_entrance": (),
    "not_adjacent": ("origin",),
    "needs_mobility": ("level", "has"),
    "straddle_revealed": ("tile",),
    "border_taken": ("seat",),
    "no_second_after_centre": (),
    "no_die": (),
    "die_stays": (),
    "die_unsaid": (),
    "above_cap": ("most",),
    "cannot_pay": ("price", "has"),
    "no_right": ("right",),
    "no_hire_here": (),
    "has_die": (),
    "no_dice_left": (),
    "no_bribery_left": (),
    "no_bribery_here": (),
    "tile_revealed": ("tile",),
    "own_crew": (),
    "not_in_reach": ("tile",),
    "only_with_hire": (),
    "only_with_bribe": (),
    "not_straddling": (),
    # first
    "not_that_tile": ("tiles",),
    # danger
    "more_than_lost": ("most",),
    "more_than_held": ("most",),
}
