"""Markdown from people to HTML that can harm nobody: HTML is off in the parser, and the outcome is sanitised again."""

import re
from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_HEADING = re.compile(r"<(/?)h([1-6])>")


def _parser() -> MarkdownIt:
    return (
        MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"]).disable("image")
    )


@lru_cache(maxsize=64)
def render_markdown(text: str) -> SafeString:
    """HTML of a Markdown text, safe to put into a page.

    No HTML of the author's passes, no image is loaded, and a link leads only within this site or to http, https and mail
    addresses, with `rel="nofollow noopener noreferrer"`. Headings move down one level, since the page has a first heading of its own.
    """
    html = _parser().render(text)
    html = _HEADING.sub(lambda found: f"<{found[1]}h{min(int(found[2]) + 1, 6)}>", html)
    clean = nh3.clean(
        html,
        tags=_TAGS,
        attributes={"a": {"href", "title"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
        strip_comments=True,
    )
    # Made safe by the two steps above, and by nothing else.
    return mark_safe(clean)  # noqa: S308
