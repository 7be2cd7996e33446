"""Abbreviations, whose dot does not end a sentence, and words that start a sentence after one."""

from typing import Final

_EVERYWHERE = "no nos nr vol vols p pp fig figs ed eds cf etc vs ca st dr prof mr mrs ms"
_LISTS = {
    "en": "jr sr rev hon gen col maj capt lt sgt cpl cmdr adm gov sen rep pres supt det insp messrs mmes mt ft ave blvd"
    " rd inc ltd co corp bros assn dept univ est approx apt e.g i.e a.m p.m jan feb mar apr jun jul aug sep sept oct"
    " nov dec mon tue wed thu fri sat sun ph.d viz ibid op al art sec ch",
    "de": "bzw usw z.b d.h u.a o.ä u.ä s.o s.u i.d.r z.t v.a evtl ggf inkl exkl str tel hr fr dipl ing mio mrd bsp abs"
    " abb allg jh jhd geb gest vgl zzgl sog jan feb mär apr jun jul aug sep sept okt nov dez",
    "fr": "m mm mme mmes mlle me pr av boul bd ex env janv févr avr juil sept oct nov déc éd chap art c.-à-d p.ex",
    "es": "sr sra sres sras srta dra d dña ud uds av avda pág págs núm ej aprox ee.uu ene feb abr jun jul ago sept oct"
    " nov dic",
    "it": "sig sigg sig.ra dott dott.ssa ing avv geom on egr gent art pag pagg ecc es tel v gen feb apr giu lug ago"
    " sett ott nov dic",
    "pt": "sr sra srs dra d av pág págs núm ex jan fev abr jun jul ago set out nov dez eua",
    "nl": "dhr mevr mw drs ir ing bijv bv blz d.w.z enz o.a m.b.t t.a.v i.p.v jan feb mrt apr jun jul aug sep okt nov",
    "pl": "mgr inż ul al pl np m.in tzn tzw itd itp str tel godz r w zob por tj ok mln mld św ks gen płk",
    "ru": "г гг ул д кв пр стр рис т.е т.д т.п т.к и.о им проф акад тыс млн млрд руб коп см ср напр др п пп ч",
    "el": "κ κκ κ.λπ κ.ά π.χ δηλ αρ σελ χλμ εκ δισ π.μ μ.μ δρ καθ βλ λ.χ",
}
ABBREVIATIONS: Final = {language: frozenset(f"{_EVERYWHERE} {words}".split()) for language, words in _LISTS.items()}
"""By language; in lower case, without the final dot."""
STARTERS: Final = frozenset(
    "The A An This That These Those It He She They We I You In On At But And So If When While After Before As For With"
    " His Her Their Its Our My There Here However Although Since By From To What Who Why How Where".split()
)
"""After an abbreviation with inner dots (`U.S.`) these start a new sentence."""
