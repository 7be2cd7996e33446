"""Who decides by default. For now the sturdy XPath groups; a learned method will take their place."""

from bonmun.methods.xpath_robust import XPathRobust


class Auto(XPathRobust):
    """The method ``"auto"``."""

    name = "auto"
