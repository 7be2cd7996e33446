"""Template drift: how soon a site notices that its template changed, and how many pages it extracts without a warning.

    python bench/drift.py [--only NAME]

Each site is learned from its pages and extracts five of them. Then its articles come in the template of another site
(the next one in the list). Noticed: no old template is in use any more. Silent: a page extracted without an entry in
`document.reasons`, other than by a template learned from the new pages.
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
    """Extract a site's pages in its own template, then in that of another site, and describe the outcome."""
    site = learned([read_page(case.html) for case in cases])
    if not isinstance(site, Site):
        return "nothing learned"
    for case in cases[:5]:
        site.extract(case.html)
    old = [template.body for template in site.templates]
    noticed = silent = seen = again = 0
    for case, frame in zip(cycle(cases), frames * 3, strict=False):
        page = moved(case.golds[0], frame.html, frame.golds[0], f"{case.id} {seen}")
        if page is None or seen == MOVED:
            continue
        seen += 1
        document = site.extract(page.html)
        analysis = document.analysis
        rule = analysis.template.body if isinstance(analysis, Application) and analysis.rules else None
        silent += not document.reasons and (rule is None or rule in old)
        again = again or (seen if rule is not None and rule not in old else 0)
        in_use = any(template.body in old and template.in_use for template in site.templates)
        noticed = noticed or (0 if in_use else seen)
    return f"noticed after {noticed or '-':>2} of {seen} pages, {silent} silent, relearned by page {again or '-'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="sites with this in their name")
    options = parser.parse_args()
    sites = groups()
    names = list(sites)
    for number, name in enumerate(names):
        frame = names[(number + 1) % len(names)]
        if options.only in name:
            print(f"{name:34s} in pages of {frame:34s} {stream(sites[name], sites[frame])}", flush=True)


if __name__ == "__main__":
    main()
