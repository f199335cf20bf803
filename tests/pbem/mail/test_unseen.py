"""What a style hides, and what it leaves to be seen."""

import pytest

from pbem.mail.htmltext import lines_of


@pytest.mark.parametrize(
    "style",
    [
        "font-size:12px",
        "font-size: 0.9em",
        "font-size:1em",
        "font:0.9em sans-serif",
        "font: 10px/1.2 Arial",
        "height:0",
        "height: 0.5em; overflow:hidden",
        "width:100%;overflow:hidden",
        "opacity:0.6",
        "text-indent:-18.0pt",
        "margin-left:-14px",
        "left:-9px",
        "color:#fff",
        "color:white;background:#000",
        "color: rgba(0,0,0,0.87)",
        "color:rgb(0,0,0,1)",
        "background:transparent",
        "transform:scale(0.9)",
        "clip:rect(10px,0,0,0)",
        "text-decoration:underline",
        "border-color:transparent",
        "line-height:0",
        "display:block",
    ],
)
def test_what_can_be_seen_is_read(style: str) -> None:
    """A style that only looks like one that hides takes no order away."""
    assert lines_of(f'<p style="{style}">bid 100</p>') == "bid 100"
    assert lines_of(f'<style>.x {{ {style} }}</style><p class="x">bid 100</p>') == "bid 100"


@pytest.mark.parametrize("selector", [".a .b", "div.b > p", ".b:hover", "p span", "#other", ".x-b"])
def test_a_rule_about_something_else_hides_nothing(selector: str) -> None:
    """The last part of a selector says what a rule is for."""
    assert lines_of(f'<style>{selector}{{display:none}}</style><div class="a x" id="one">bid 100</div>') == "bid 100"


@pytest.mark.parametrize("style", ["color:#FFF;background-color:white", "color:rgb(255, 255, 255);background:#ffffff"])
def test_a_text_of_its_backgrounds_colour_is_not_read(style: str) -> None:
    """However the one colour is written."""
    assert lines_of(f'<p style="{style}">bid 100</p>ready') == "ready"
