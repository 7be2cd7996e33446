"""The switches of the writers."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Output:
    """The parts of a document that its outputs have.

    All formats follow the switches, those of other packages too. JSON and XML have the metadata anyway, so `title` and
    `front_matter` do not change them.

    >>> import bonmun
    >>> doc = bonmun.extract('<p>Tea is made of <a href="https://example.org/">leaves</a>, and of hot water.</p>')
    >>> doc.to_markdown(bonmun.Output(links=False))
    'Tea is made of leaves, and of hot water.'
    """

    links: bool = True
    """Addresses of links. Without them, their text is plain text."""
    images: bool = True
    """Pictures. Captions follow `captions`."""
    captions: bool = True
    """Captions of pictures and tables."""
    tables: bool = True
    """Data tables. Without them, captions inside tables are dropped too."""
    references: bool = True
    """Reference lists and footnotes."""
    comments: bool = False
    """Readers' comments, after the text."""
    title: bool = False
    """The title before the text, unless the text begins with it (text, Markdown, HTML)."""
    front_matter: bool = False
    """The metadata as YAML before the text (Markdown)."""
    reasons: bool = False
    """Why each block was kept (JSON, XML). `Block.reasons` and the explain view have the reasons anyway."""

    @property
    def is_complete(self) -> bool:
        """Whether all kept blocks and runs are shown."""
        return self.links and self.images and self.captions and self.tables and self.references


DEFAULT_OUTPUT: Final = Output()
