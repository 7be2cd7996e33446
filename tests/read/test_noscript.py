"""Pages with their text in `<noscript>`."""

import bonmun

_STORY = "<p>The sea was calm that morning, and nobody spoke until the boats had come in again.</p>" * 3


def test_noscript_is_read_if_the_page_has_no_other_visible_text():
    doc = bonmun.extract(f"<body><div id=app></div><noscript><main><h1>Sea</h1>{_STORY}</main></noscript>")
    assert "nobody spoke" in doc.text
    assert any("<noscript>" in warning for warning in doc.warnings)


def test_noscript_is_ignored_if_the_page_has_visible_text():
    page = bonmun.read_page(f"<body>{_STORY}<noscript><p>Please enable scripts.</p></noscript>")
    assert not any("enable" in text for text in page.blocks.text)
    assert not page.warnings


def test_styles_and_templates_inside_noscript_are_ignored():
    page = bonmun.read_page(f"<body><noscript><style>p {{}}</style><template>hm</template>{_STORY}</noscript>")
    assert len(page.blocks) == 3


def test_noscript_in_the_head_has_no_text():
    page = bonmun.read_page("<head><noscript><style>p {}</style></noscript></head><body><p>Tea</p>")
    assert page.blocks.text == ("Tea",)


def test_a_notice_that_asks_for_scripts_is_not_the_text_of_a_page():
    doc = bonmun.extract("<body><div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>")
    assert doc.text == ""
    assert doc.status == "empty"


def test_a_text_about_scripts_in_noscript_is_read():
    story = f"<p>JavaScript was written in ten days in May 1995.</p>{_STORY}"
    doc = bonmun.extract(f"<body><div id=app></div><noscript><main>{story}</main></noscript>")
    assert "nobody spoke" in doc.text
