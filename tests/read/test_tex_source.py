"""TeX as pages carry it."""

import pytest

from bonmun.read.tex_source import clean_tex, is_delimited, tex_of_image


@pytest.mark.parametrize(
    ("tex", "cleaned"),
    [
        (r"{\displaystyle x}", "x"),
        (r"{\displaystyle {\frac {1}{2}}}", r"{\frac {1}{2}}"),
        (r"\displaystyle{x}+{y}", "{x}+{y}"),
        (r"{\displaystyle a}{b}", r"{\displaystyle a}{b}"),
        (r"{a}", "{a}"),
        ("a\n  + b", "a + b"),
        ("a % note\n+ b", "a + b"),
        (r"50\% of % note", r"50\% of"),
        (r"a \\% note", r"a \\"),
        (r"x\ ", "x"),
        (r"\[x\]", "x"),
        (r"\begin{align*}a&=b\end{align*}", r"\begin{aligned}a&=b\end{aligned}"),
        (r"\begin{equation}x\label{eq:one}\end{equation}", "x"),
        ("", ""),
        ("$", "$"),
    ],
)
def test_tex_is_cleaned(tex: str, cleaned: str) -> None:
    assert clean_tex(tex)[0] == cleaned


def test_delimiters_tell_whether_a_formula_is_displayed() -> None:
    assert [clean_tex(tex)[1] for tex in (r"\(x\)", "$x$", "$$x$$", r"\[x\]", "x")] == [False, False, True, True, False]


def test_a_text_with_two_formulas_is_not_delimited() -> None:
    assert not is_delimited("$5 and 6$ or $7")
    assert not is_delimited(r"\(a\) and \(b\)")
    assert is_delimited(r"$\$5$")


def test_the_address_of_an_image_is_read_where_its_alt_says_nothing() -> None:
    assert tex_of_image("[formula]", "https://s0.wp.com/latex.php?latex=x+%2B+1&bg=ffffff") == "x + 1"
    assert tex_of_image("formula", "/picture.png") == ""
