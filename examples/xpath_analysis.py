"""The XPath-group paper's analysis screen (its figure 7) for one page: text nodes, groups, chosen path, text."""

from pathlib import Path

import bonmun
from bonmun.methods.xpath_groups import XPathAnalysis

page = Path(__file__).parent / "pages" / "zh-teahouse.html"
doc = bonmun.extract(page.read_bytes(), method="xpath")
analysis = doc.analysis
assert isinstance(analysis, XPathAnalysis)

print(f"{len(analysis.nodes)} text nodes with {len({node.path for node in analysis.nodes})} paths")
for group in analysis.groups:
    mark = "→" if group is analysis.chosen_group else " "
    print(f"{mark} {group.length:5} characters in {group.count:2} text nodes  {group.path}")
print(doc.text)
