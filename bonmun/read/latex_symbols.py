"""Characters and names of mathematics, and the LaTeX commands that write them."""

import unicodedata
from typing import Final


def _table(pairs: str) -> dict[str, str]:
    words = pairs.split()
    return {char: f"\\{name}" for char, name in zip(words[::2], words[1::2], strict=True)}


_GREEK: Final = _table(
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa"
    " λ lambda μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi"
    " χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega"
    " ∆ Delta Ω Omega"
)
_LETTERLIKE: Final = _table(
    "ℓ ell ℏ hbar ℑ Im ℜ Re ℘ wp ℵ aleph ℶ beth ℷ gimel ı imath ȷ jmath ∂ partial ∇ nabla ∞ infty ∅ emptyset ⌀ emptyset"
    " ∀ forall ∃ exists ∄ nexists ∁ complement ⊤ top ⊥ bot ∠ angle ∡ measuredangle △ triangle □ square ■ blacksquare"
    " ♯ sharp ♭ flat ♮ natural ♠ spadesuit ♣ clubsuit ♡ heartsuit ♢ diamondsuit ‵ backprime"
    " … ldots ⋯ cdots ⋮ vdots ⋱ ddots ð eth ℧ mho £ pounds ¶ P § S © copyright"
    " ✓ checkmark ★ bigstar ∎ blacksquare"
)
BINARY: Final = _table(
    "± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∙ bullet • bullet ∘ circ ∗ ast ⋆ star ∪ cup ∩ cap ⊎ uplus ⊓ sqcap ⊔ sqcup"
    " ∨ vee ∧ wedge ∖ setminus ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot ⊛ circledast ⊞ boxplus ⊠ boxtimes ⋄ diamond"
    " ⋉ ltimes ⋊ rtimes † dagger ‡ ddagger ≀ wr ⨿ amalg ⋈ bowtie ⊻ veebar ⊼ barwedge ◁ triangleleft ▷ triangleright"
) | {"+": "+", "-": "-", "−": "-", "‐": "-", "‒": "-", "–": "-", "*": "*"}
RELATIONS: Final = _table(
    "≤ leq ≥ geq ⩽ leqslant ⩾ geqslant ≦ leqq ≧ geqq ≠ neq ≡ equiv ≢ not\\equiv ≈ approx ≉ not\\approx ≃ simeq"
    " ≅ cong ≇ ncong ∼ sim ≁ nsim ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ⪯ preceq ⪰ succeq ≼ preccurlyeq ≽ succcurlyeq"
    " ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊊ subsetneq ⊋ supsetneq ⊄ not\\subset ⊅ not\\supset ⊈ nsubseteq"
    " ⊉ nsupseteq ⊏ sqsubset ⊐ sqsupset ⊑ sqsubseteq ⊒ sqsupseteq ∈ in ∉ notin ∋ ni ∌ not\\ni ∣ mid ∤ nmid"
    " ∥ parallel ∦ nparallel ⟂ perp ⊢ vdash ⊣ dashv ⊨ models ⊩ Vdash ⊭ nvDash ≍ asymp ≐ doteq ≔ coloneqq ≕ eqqcolon"
    " ≜ triangleq ≲ lesssim ≳ gtrsim ≶ lessgtr ≷ gtrless ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ⌢ frown ⌣ smile ∴ therefore"
    " ∵ because"
) | {"=": "=", "<": "<", ">": ">", ":=": ":=", "~": "\\sim", "<=": "\\leq", ">=": "\\geq", "!=": "\\neq"}
ARROWS: Final = _table(
    "→ to ← leftarrow ↔ leftrightarrow ↑ uparrow ↓ downarrow ↕ updownarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow"
    " ⇑ Uparrow ⇓ Downarrow ⇕ Updownarrow ⟶ longrightarrow ⟵ longleftarrow ⟷ longleftrightarrow ⟹ Longrightarrow"
    " ⟸ Longleftarrow ⟺ iff ↦ mapsto ⟼ longmapsto ↪ hookrightarrow ↩ hookleftarrow ⇀ rightharpoonup ⇁ rightharpoondown"
    " ↼ leftharpoonup ↽ leftharpoondown ⇌ rightleftharpoons ⇋ leftrightharpoons ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow"
    " ↠ twoheadrightarrow ↞ twoheadleftarrow ⇝ rightsquigarrow ↝ leadsto ⇄ rightleftarrows ⇆ leftrightarrows"
    " ↻ circlearrowright ↺ circlearrowleft ↛ nrightarrow ↚ nleftarrow ⇏ nRightarrow ⇍ nLeftarrow ⊸ multimap"
) | {"->": "\\to"}
BIG_OPERATORS: Final = _table(
    "∑ sum ∏ prod ∐ coprod ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes ⨀ bigodot ⨄ biguplus"
    " ⨆ bigsqcup ∫ int ∬ iint ∭ iiint ⨌ iiiint ∮ oint ∯ oiint ∰ oiiint"
)
INTEGRALS: Final = frozenset("∫∬∭⨌∮∯∰")
OPENING: Final = {
    "(": "(",
    "[": "[",
    "{": "\\{",
    "⟨": "\\langle",
    "〈": "\\langle",
    "⌈": "\\lceil",
    "⌊": "\\lfloor",
} | {
    "〈": "\\langle",
    "⟦": "[\\![",
    "⟮": "(",
}
CLOSING: Final = {
    ")": ")",
    "]": "]",
    "}": "\\}",
    "⟩": "\\rangle",
    "〉": "\\rangle",
    "⌉": "\\rceil",
    "⌋": "\\rfloor",
} | {
    "〉": "\\rangle",
    "⟧": "]\\!]",
    "⟯": ")",
}
BARS: Final = {"|": "|", "‖": "\\|", "∥": "\\|", "∣": "|", "❘": "|", "||": "\\|"}
_ESCAPED: Final = {char: f"\\{char}" for char in "#$%&_"} | {"\\": "\\backslash", "^": "\\wedge", "√": "\\surd"}
_SPACES: Final = {"\xa0": "~", "\u2002": "\\enspace", "\u2003": "\\quad", "\u2009": "\\,", "\u2005": "\\:"} | {
    "\u2004": "\\;",
    "\u200a": "\\,",
    "\u202f": "\\,",
    "\u205f": "\\:",
}
PRIMES: Final = {"'": "'", "′": "'", "’": "'", "″": "''", "‴": "'''", "⁗": "''''"}
INVISIBLE: Final = frozenset("\u2061\u2062\u2063\u2064\u200b\u200c\u200d\u2060\ufeff\xad\ufe0e\ufe0f")
SYMBOLS: Final[dict[str, str]] = (
    _GREEK | _LETTERLIKE | BINARY | RELATIONS | ARROWS | BIG_OPERATORS | OPENING | CLOSING | _ESCAPED | _SPACES
) | {**PRIMES, "‖": "\\|", "°": "{}^\\circ", "ϒ": "\\Upsilon", "∕": "/"}
"""Every character, and some operators of several characters, with a command of its own."""

FUNCTIONS: Final = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min"
    " Pr sec sin sinh sup tan tanh".split()
)
LIMIT_FUNCTIONS: Final = frozenset("det gcd inf lim liminf limsup max min Pr sup".split())
"""Functions whose argument of `munder` is a subscript in LaTeX, too."""

ACCENTS: Final = {
    **dict.fromkeys("^ˆ\u0302", ("\\hat", "\\widehat")),
    **dict.fromkeys("~˜\u0303∼", ("\\tilde", "\\widetilde")),
    **dict.fromkeys("¯ˉ‾_\u0304\u0305―—–−-", ("\\bar", "\\overline")),
    **dict.fromkeys("→⃗⟶⇀", ("\\vec", "\\overrightarrow")),
    **dict.fromkeys("←⃖⟵", ("\\overleftarrow", "\\overleftarrow")),
    **dict.fromkeys("↔⃡", ("\\overleftrightarrow", "\\overleftrightarrow")),
    **dict.fromkeys(".˙\u0307", ("\\dot", "\\dot")),
    **dict.fromkeys(("¨", "\u0308", ".."), ("\\ddot", "\\ddot")),
    **dict.fromkeys(("\u20db", "..."), ("\\dddot", "\\dddot")),
    **dict.fromkeys("ˇ\u030c", ("\\check", "\\widecheck")),
    **dict.fromkeys("˘\u0306", ("\\breve", "\\breve")),
    **dict.fromkeys("´\u0301", ("\\acute", "\\acute")),
    **dict.fromkeys("`\u0300", ("\\grave", "\\grave")),
    **dict.fromkeys("˚\u030a", ("\\mathring", "\\mathring")),
    "⏞": ("\\overbrace", "\\overbrace"),
    "︷": ("\\overbrace", "\\overbrace"),
}
"""What stands above a base: the command for one letter, and for more."""
UNDER_ACCENTS: Final = {
    **dict.fromkeys("_\u0332\u0333¯‾―—–−-", "\\underline"),
    "→": "\\underrightarrow",
    "←": "\\underleftarrow",
    "↔": "\\underleftrightarrow",
    "⏟": "\\underbrace",
    "︸": "\\underbrace",
}
EXTENSIBLE_ARROWS: Final = {
    **dict.fromkeys("→⟶", "\\xrightarrow"),
    **dict.fromkeys("←⟵", "\\xleftarrow"),
    **dict.fromkeys("↔⟷", "\\xleftrightarrow"),
    **dict.fromkeys("⇒⟹", "\\xRightarrow"),
    **dict.fromkeys("⇐⟸", "\\xLeftarrow"),
    "⇌": "\\xrightleftharpoons",
    "↦": "\\xmapsto",
    "↪": "\\xhookrightarrow",
}
COMMAND_OF_VARIANT: Final = {
    "normal": "\\mathrm",
    "bold": "\\mathbf",
    "italic": "\\mathit",
    "bold-italic": "\\boldsymbol",
    "double-struck": "\\mathbb",
    "script": "\\mathcal",
    "bold-script": "\\mathcal",
    "fraktur": "\\mathfrak",
    "bold-fraktur": "\\mathfrak",
    "sans-serif": "\\mathsf",
    "bold-sans-serif": "\\mathsf",
    "sans-serif-italic": "\\mathsf",
    "sans-serif-bold-italic": "\\mathsf",
    "monospace": "\\mathtt",
}
"""The commands for the values of `mathvariant`."""
_VARIANT_WORDS: Final = (
    ("DOUBLE-STRUCK", "double-struck"),
    ("SCRIPT", "script"),
    ("FRAKTUR", "fraktur"),
    ("BLACK-LETTER", "fraktur"),
    ("SANS-SERIF", "sans-serif"),
    ("MONOSPACE", "monospace"),
    ("BOLD ITALIC", "bold-italic"),
    ("BOLD", "bold"),
)


def plain_letter(char: str) -> tuple[str, str | None]:
    """The letter that a character of Unicode's mathematical alphabets stands for, and its `mathvariant`.

    >>> plain_letter("ℝ"), plain_letter("𝑥"), plain_letter("x")
    (('R', 'double-struck'), ('x', None), ('x', None))
    """
    if not ("\u2102" <= char <= "\u2149" or "\U0001d400" <= char <= "\U0001d7ff"):
        return char, None
    plain = unicodedata.normalize("NFKC", char)
    name = unicodedata.name(char, "")
    return plain, next((variant for word, variant in _VARIANT_WORDS if word in name), None)


_TEXT_ESCAPES: Final = {char: f"\\{char}" for char in "#$%&_{}"} | {
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
    "\xa0": " ",
}


def text_command(text: str) -> str:
    r"""Words inside a formula as `\text{…}`.

    >>> print(text_command("50% of"))
    \text{50\% of}
    """
    return f"\\text{{{text.translate(_TEXT_TRANSLATION)}}}"


_TEXT_TRANSLATION: Final = str.maketrans(_TEXT_ESCAPES)
