import re

import pytest

from labelling.guide.rendering import render_markdown

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "[a](vbscript:x)",
    "<a href='javascript:alert(1)'>a</a>",
    "![pixel](https://elsewhere.example/pixel.png)",
    "![x](x){onerror=alert(1)}",
    "<svg/onload=alert(1)>",
    "<iframe src=//elsewhere.example></iframe>",
    "<style>body{display:none}</style>",
    "<form action=//elsewhere.example><input name=password></form>",
    '<p style="position:fixed" onclick="x()" id="main" class="bar">x</p>',
    '[a](https://e.example "x\\" onmouseover=alert(1)")',
    "```<script>\nalert(1)\n```",
    "<https://e.example/'onclick=alert(1)>",
    "[a]: javascript:alert(1)\n\n[a]",
]
TAG = re.compile(r"<[^>]*>")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_markdown_makes_a_tag_that_runs_or_loads_anything(text: str) -> None:
    for tag in TAG.findall(render_markdown(text)):
        assert re.fullmatch(
            r"</?(p|a|code|pre|em|strong)( href=\"(https://[^\"<>]*|x)\")?( title=\"[^\"<>]*\")?"
            r"( rel=\"nofollow noopener noreferrer\")?>",
            tag,
        ), tag


def test_link_to_elsewhere_vouches_for_nothing() -> None:
    html = render_markdown("[terms](https://example.org/terms)")
    assert html == '<p><a href="https://example.org/terms" rel="nofollow noopener noreferrer">terms</a></p>\n'


def test_headings_move_below_the_heading_of_the_page() -> None:
    html = render_markdown("# One\n\n## Two\n\n###### Six")
    assert "<h2>One</h2>" in html
    assert "<h3>Two</h3>" in html
    assert "<h6>Six</h6>" in html


def test_text_that_looks_like_a_heading_tag_stays_text() -> None:
    assert render_markdown("`<h1>`") == "<p><code>&lt;h1&gt;</code></p>\n"


def test_tables_lists_and_emphasis_are_kept() -> None:
    html = render_markdown("| a | b |\n|---|---|\n| 1 | **2** |\n\n- x\n- ~~y~~")
    for tag in ("<table>", "<td>1</td>", "<strong>2</strong>", "<li>x</li>", "<s>y</s>"):
        assert tag in html
