"""A page for the terminal and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_check.report.layout import table, wrap
from robodyn_check.report.markdown import code, escape
from robodyn_check.report.words import clean, one_line

if TYPE_CHECKING:
    from robodyn_check.regression.page import Page


def page_text(page: Page, *, width: int = 80) -> str:
    """Return the page as plain lines; the verdict stands last, where a terminal shows it."""
    lines = [one_line(page.title), ""]
    for section in page.sections:
        lines.append(clean(section.heading))
        for text in section.lines:
            lines.extend(wrap(one_line(text), width, first="  - ", rest="    "))
        for one in section.tables:
            rows = [[one_line(cell.text) for cell in row] for row in one.rows]
            lines.extend(table(one.header, rows, width=width))
        lines.append("")
    if page.again:
        lines += [f"again  {one_line(page.again)}", ""]
    lines.extend(wrap(f"{page.word}: {one_line(page.sentence)}", width))
    return "\n".join(lines) + "\n"


def page_markdown(page: Page) -> str:
    """Return the page as Markdown, the verdict first."""
    lines = [f"# {escape(one_line(page.title))}", "", f"**{page.word}**: {escape(one_line(page.sentence))}", ""]
    for section in page.sections:
        lines += [f"## {escape(one_line(section.heading))}", ""]
        lines += [f"- {escape(one_line(text))}" for text in section.lines]
        if section.lines:
            lines.append("")
        for one in section.tables:
            lines.append(_bar([escape(one_line(text)) for text in one.header]))
            lines.append("|" + "---|" * len(one.header))
            lines += [_bar([escape(one_line(cell.text)) for cell in row]) for row in one.rows]
            lines.append("")
    if page.again:
        lines += [f"Again: {code(one_line(page.again))}", ""]
    return "\n".join(lines).rstrip() + "\n"


def _bar(texts: list[str]) -> str:
    return "| " + " | ".join(texts) + " |"
