"""The language of code, as the page declares it."""

import pytest

import bonmun


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<pre><code class="language-c++">x</code></pre>', "c++"),
        ('<pre class="lang-py">x</pre>', "py"),
        ('<pre data-lang="go"><code>x</code></pre>', "go"),
        ('<div data-language="rust"><pre>x</pre></div>', "rust"),
        ('<div class="highlight highlight-source-shell"><pre>x</pre></div>', "shell"),
        ('<div class="highlight highlight-text-html-basic"><pre>x</pre></div>', "html"),
        ('<div class="highlight-python notranslate"><div class="highlight"><pre>x</pre></div></div>', "python"),
        ('<pre class="brush: csharp; toolbar: false">x</pre>', "csharp"),
        ('<pre><code class="hljs ruby">x</code></pre>', "ruby"),
        ('<pre><code class="hljs language-text">x</code></pre>', "text"),
        ('<pre class="sourceCode r"><code>x</code></pre>', "r"),
        ('<pre><div><img src=a.png></div><code class="language-rust">x</code></pre>', "rust"),
        ('<pre><code class="language-js"><span class="language-css">x</span></code></pre>', "js"),
        ('<pre><code class="hljs language-none">x</code></pre>', None),
        ('<div class="highlight-default"><pre>x</pre></div>', None),
        ('<pre class="language-`x">x</pre>', None),
        ("<body data-lang=en><pre>x</pre>", None),
    ],
)
def test_the_language_of_code(html: str, language: str | None) -> None:
    [block] = bonmun.extract(html).all_blocks
    assert block.code_language == language
