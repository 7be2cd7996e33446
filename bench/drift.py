"""Sites that change their template mid-stream: how soon is it noticed, and is anything extracted in silence?

    python bench/drift.py [--only NAME]

Each site is learned from its pages, and five of them come by as usual. Then its articles come in pages of another site
(the next one in the list): same words, another template. Noticed: no template of the old make is in use any more.
Silent: a page extracted without a word in `doc.reasons`, other than by a template learned from the new pages.
"""

import argparse
from itertools import cycle

from rewriting import moved
from sites import groups, learned

from bonmun.evaluate.corpora import Case
from bonmun.read.page import read_page
from bonmun.sites.application import Application
from bonmun.sites.site import Site

MOVED = 12


def stream(cases: list[Case], frames: list[Case]) -> str:
    """Let a site's pages come by, first as they are, then in frames of another site."""
    site = learned([read_page(case.html) for case in cases])
    if not isinstance(site, Site):
        return "nothing was learned"
    for case in cases[:5]:
        site.extract(case.html)
    old = [template.body for template in site.templates]
    noticed = silent = seen = again = 0
    for case, frame in zip(cycle(cases), frames * 3, strict=False):
        page = moved(case.golds[0], frame.html, frame.golds[0], f"{case.id} {seen}")
        if page is None or seen == MOVED:
            continue
        seen += 1
        doc = site.extract(page.html)
        rule = doc.analysis.template.body if isinstance(doc.analysis, Application) and doc.analysis.rules else None
        silent += not doc.reasons and (rule is None or rule in old)
        again = again or (seen if rule is not None and rule not in old else 0)
        in_use = any(template.body in old and template.in_use for template in site.templates)
        noticed = noticed or (0 if in_use else seen)
    return f"noticed after {noticed or '-':>2} of {seen} pages, {silent} silent, learned anew by page {again or '-'}"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", default="")
    options = asked.parse_args()
    everything = groups()
    names = list(everything)
    for at, name in enumerate(names):
        frame = names[(at + 1) % len(names)]
        if options.only in name:
            print(f"{name:34s} in pages of {frame:34s} {stream(everything[name], everything[frame])}", flush=True)


if __name__ == "__main__":
    main()
