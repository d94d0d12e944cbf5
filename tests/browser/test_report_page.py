"""The HTML report in a real browser: it opens, filters, leads to findings, and asks nothing of any network."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from robodyn_check.report.html import html
from tests.report import fixtures

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    from robodyn_check.report.results import Report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no chromium: apt-get install chromium")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Visit:
    """One page, with everything that it complained about or asked for."""

    def __init__(self, browser: Browser, folder: Path, report: Report, **options: object) -> None:
        """Open the report from a file."""
        self.file = folder / "report.html"
        self.file.write_text(html(report), encoding="utf-8")
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page: Page = browser.new_context(**options).new_page()  # type: ignore[arg-type] # options by name
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.open()

    def open(self, hash_: str = "") -> None:
        self.page.goto("about:blank")
        self.requests.clear()
        self.page.goto(self.file.as_uri() + hash_)

    def hash(self) -> str:
        return str(self.page.evaluate("decodeURIComponent(location.hash)"))

    def here(self) -> Locator:
        """Wait for the finding that a link led to."""
        found = self.page.locator(".finding.here")
        found.wait_for()
        return found

    def shown(self) -> int:
        return self.page.locator(".finding:visible").count()


@pytest.mark.parametrize("make", [*fixtures.REPORTS.values(), fixtures.hostile], ids=[*fixtures.REPORTS, "hostile"])
def test_page_opens_without_complaint_and_without_network(browser: Browser, tmp_path: Path, make: fixtures.Make):
    visit = Visit(browser, tmp_path, make())
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith(("file:", "data:"))] == []


def test_filter_by_verdict_lives_in_the_address(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    assert visit.shown() == 8
    for kind in ("ERROR", "known fail", "warn", "skip"):
        visit.page.get_by_label(kind, exact=True).uncheck()
    assert visit.shown() == 3
    assert visit.hash() == "#show=FAIL"
    assert visit.page.locator("output").first.inner_text() == "3 of 8 findings shown"


def test_an_address_shows_what_its_sender_saw(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    visit.open("#show=FAIL,ERROR&library=mujoco&find=sigsegv")
    assert visit.shown() == 1
    assert not visit.page.get_by_label("warn", exact=True).is_checked()
    assert visit.page.get_by_label("Library").input_value() == "mujoco"


def test_typing_narrows_the_findings(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    visit.page.get_by_label("Text").fill("gravity_vector")
    assert visit.shown() == 2
    visit.page.get_by_label("Text").fill("no such word")
    assert visit.shown() == 0
    visit.page.get_by_label("Text").fill("")
    assert visit.shown() == 8
    assert visit.hash() == ""


def test_a_cell_of_the_table_leads_to_its_finding(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    visit.page.get_by_role("link", name="FAIL 4.0e+09").first.click()
    here = visit.here()
    assert "inverse_dynamics" in here.inner_text()
    assert visit.hash().startswith("#at=finding-1-")
    assert here.evaluate("node => node === document.activeElement")


def test_a_link_to_a_filtered_finding_shows_it(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    visit.page.get_by_label("FAIL", exact=True).uncheck()
    visit.page.get_by_role("link", name="FAIL 4.0e+09").first.click()
    assert visit.here().is_visible()


def test_a_fault_in_the_robot_leads_to_its_cause(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    visit.page.get_by_role("link", name="FAIL: drake: armature dropped").click()
    assert visit.here().is_visible()


@pytest.mark.parametrize("hash_", ["#%", "#show=", "#find=%E0%A4%A", "#at=nowhere", "#<script>", "#library=nobody"])
def test_no_address_breaks_the_page(browser: Browser, tmp_path: Path, hash_: str):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    visit.open(hash_)
    assert visit.complaints == []
    assert visit.page.locator("h1").is_visible()


def test_page_is_whole_without_scripts(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed(), java_script_enabled=False)
    assert visit.shown() == 8
    assert not visit.page.locator("form.filter").is_visible()
    assert visit.page.locator("svg").first.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_their_background(browser: Browser, tmp_path: Path, scheme: str):
    """WCAG 2.2, 1.4.3: a contrast of at least 4.5, for every text of the page."""
    visit = Visit(browser, tmp_path, fixtures.mixed(), color_scheme=scheme)
    weak = visit.page.evaluate(
        """() => {
          const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
          const light = (rgb) => { const [r, g, b] = rgb.match(/[\\d.]+/g).map(Number);
            return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
          const back = (node) => { for (; node; node = node.parentElement) {
            const color = getComputedStyle(node).backgroundColor;
            if (color !== "rgba(0, 0, 0, 0)" && color !== "transparent") return color; } return "rgb(255, 255, 255)"; };
          return [...document.body.querySelectorAll("*")]
            .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
            .filter((node) => node.checkVisibility() && !node.closest("svg") && node.tagName !== "SCRIPT")
            .map((node) => { const a = light(getComputedStyle(node).color), b = light(back(node));
              return [node.outerHTML.slice(0, 80), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; })
            .filter(([, contrast]) => contrast < 4.5); }"""
    )
    assert weak == []


def test_everything_of_the_filter_is_reached_by_the_keyboard(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed())
    reached = set()
    for _ in range(60):
        visit.page.keyboard.press("Tab")
        reached.add(visit.page.evaluate("document.activeElement.name || document.activeElement.textContent"))
    assert {"Skip to the report", "show", "library", "find", "FAIL 4.0e+09"} <= reached


def test_the_page_does_not_scroll_sideways_on_a_phone(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.mixed(), viewport={"width": 390, "height": 800})
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_3000_findings_open_and_filter_in_under_two_seconds(browser: Browser, tmp_path: Path):
    visit = Visit(browser, tmp_path, fixtures.many())
    opened = []
    for _ in range(2):  # the better of two: the machine has other work
        visit.open()
        opened.append(visit.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    assert min(opened) < 2000
    filtered = visit.page.evaluate(
        """() => { const box = document.querySelector("input[name=find]"); const start = performance.now();
        box.value = "joint_77"; box.dispatchEvent(new Event("input", {bubbles: true})); document.body.offsetHeight;
        return performance.now() - start; }"""
    )
    assert filtered < 2000
    assert visit.shown() == 11
