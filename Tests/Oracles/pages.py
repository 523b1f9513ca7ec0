"""Opens HTML pages in a real browser: `pages.py SAVETOOL FIXTURES`.

Chromium is controlled through its debugging protocol, over two pipes. The checks cover console messages, the search,
opening and closing, the keys, links between shared objects, strings with scripts, 100,000 rows, the width on desktop
computers and phones, and the contrast and labels in light and dark mode by axe, if PyPI provides it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "chrome"]


class Wrong(Exception):
    pass


class Browser:
    """A page of a browser without a window."""

    def __init__(self, program, folder):
        command_read, self.commands = os.pipe()
        self.answers, answer_write = os.pipe()

        def connect():
            os.dup2(command_read, 13)
            os.dup2(answer_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self.rest, self.number, self.session, self.messages = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.commands, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Wrong(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise Wrong("the browser has ended")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        answer = json.loads(line)
        if answer.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.messages.append(json.dumps(answer["params"])[:500])
        return answer

    def open(self, page):
        """Loads a page and returns the seconds that it took."""
        self.messages.clear()
        began = time.monotonic()
        self.call("Page.navigate", url=page.as_uri())
        while self.value("document.readyState === 'complete' && location.href") != page.as_uri():
            time.sleep(0.01)
        return time.monotonic() - began

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Wrong(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def press(self, *keys):
        for key in keys:
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def type(self, text):
        self.value("document.querySelector('input').value = ''; document.querySelector('input').focus()")
        self.call("Input.insertText", text=text)
        time.sleep(0.4)

    def dark(self, is_dark):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])

    def close(self):
        self.process.kill()
        self.process.wait()


SELECTED = "document.querySelector('[aria-selected=true] > .row').textContent"
PLACE = "document.querySelector('.place').textContent"
ROWS = "[...document.querySelectorAll('li')].filter(e => e.checkVisibility()).length"
CHANGES = "[...document.querySelectorAll('[data-kind]')].filter(e => e.checkVisibility()).length"
SHOWN = "[...document.querySelectorAll('[role=treeitem]')].filter(e => !e.closest('[hidden]')).length"


def expect(browser, expression, wanted):
    found = browser.value(expression)
    if found != wanted:
        raise Wrong(f"{expression} is {found!r}; expected {wanted!r}")


def judge(browser, axe):
    """Checks that the console is empty and that the page is accessible."""
    if browser.messages:
        raise Wrong(f"on the console: {browser.messages[0]}")
    if not axe:
        return
    for is_dark in (False, True):
        browser.dark(is_dark)
        browser.value(axe + "; 0")
        faults = browser.value("axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 200)))")
        if faults:
            raise Wrong(f"axe, {'dark' if is_dark else 'light'}: {faults}")


def press_button(browser, text):
    browser.value(f"[...document.querySelectorAll('button')].find(b => b.textContent === {text!r}).click()")


def is_inert(browser):
    """Checks that no string of a file has become an element, a script or a change of direction."""
    expect(browser, "document.querySelectorAll('img, b, i, iframe').length", 0)
    expect(browser, "typeof window.ran", "undefined")
    expect(browser, "/[\\u202A-\\u202E\\u2066-\\u2069]/.test(document.body.textContent)", False)


def fits(browser):
    """Checks that the page is not wider than the windows of a desktop computer and of a phone."""
    for width in (390, 1280):
        browser.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
        wide = browser.value("document.documentElement.scrollWidth")
        if wide > width:
            raise Wrong(f"the page is {wide} pixels wide in a window of {width}")


def inspect_page(browser, page, axe):
    browser.open(page("inspect", "friends.save"))
    expect(browser, "document.querySelector('h1').textContent", "friends.save")
    expect(browser, "document.querySelector('p').textContent.split(',')[0]", "binary keyed archive by NSKeyedArchiver")
    expect(browser, SHOWN, 11)
    browser.type("sam")
    expect(browser, SELECTED, 'name: "Sam"')
    expect(browser, PLACE, "/mybar/foos/1/name")
    expect(browser, "document.querySelector('[role=status]').textContent", "1 of 1")
    press_button(browser, "Collapse all")
    expect(browser, SHOWN, 3)
    browser.press("ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "End")
    expect(browser, PLACE, "/myfoo")
    browser.press("Enter")
    expect(browser, PLACE, "/mybar/foos/0")
    browser.press("ArrowUp")
    expect(browser, PLACE, "/mybar/foos")
    browser.press("ArrowLeft", "Home")
    expect(browser, PLACE, "(root)")
    expect(browser, "document.querySelector('[role=tree]').getAttribute('aria-label')", "Contents")
    # The placeholder's colors are checked with an open page and an empty field.
    browser.open(page("inspect", "friends.save"))
    fits(browser)
    judge(browser, axe)


def size_map(browser, page, axe):
    browser.open(page("inspect", "highscores.archive"))
    # Names of fields are only in the table. Each class has its own color.
    expect(browser, "[...document.querySelectorAll('svg title')].map(t => t.textContent).join('; ')",
           "HighScoreRecord: 10 objects, 150 bytes; NSDate: 10 objects, 142 bytes; string: 9 objects, 57 bytes; "
           "NSArray: 1 object, 38 bytes; integer: 10 objects, 38 bytes")
    expect(browser, "[...document.querySelectorAll('tbody td:first-child')].slice(-2).map(t => t.textContent).join()",
           "(field names),(class records)")
    expect(browser, "new Set([...document.querySelectorAll('rect')].map(r => getComputedStyle(r).fill)).size", 5)
    expect(browser, "document.querySelector('svg text + text').textContent", "150 bytes")
    edges = "(n => document.querySelector(n).getBoundingClientRect())"
    fits(browser)
    expect(browser, f"{edges}('aside').left > {edges}('[role=tree]').right - 1", True)
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=False)
    expect(browser, f"{edges}('aside').top > {edges}('[role=tree]').bottom - 1", True)
    fits(browser)
    browser.value("document.querySelector('aside details').open = true")
    judge(browser, axe)


def hostile_page(browser, page, axe):
    browser.open(page("inspect", "hostile.json"))
    is_inert(browser)
    judge(browser, axe)
    browser.open(page("scores", "list", "hostile-scores.json"))
    is_inert(browser)
    expect(browser, "document.querySelectorAll('tbody tr').length", 2)
    browser.open(page("validate", "--schema", "none.schema.json", "hostile.json"))
    expect(browser, ROWS, 4)
    is_inert(browser)


def large_page(browser, page, _):
    seconds = browser.open(page("inspect", "large.json"))
    expect(browser, "data.rows.length > 100000", True)
    print(f"100,000 rows: {seconds:.2f} s")
    if seconds > 2:
        raise Wrong(f"100,000 rows took {seconds:.1f} s")
    began = time.monotonic()
    browser.press("Home", *["ArrowDown"] * 50, "End", *["ArrowUp"] * 50)
    print(f"102 keys: {time.monotonic() - began:.2f} s")
    browser.type("needle")
    expect(browser, PLACE, "/99999/name")
    judge(browser, None)


def diff_page(browser, page, axe):
    browser.open(page("diff", "hostile.json", "hostile2.json"))
    expect(browser, CHANGES, 3)
    is_inert(browser)
    expect(browser, "[...document.querySelectorAll('mark')].map(m => m.textContent).join()", "old,new")
    expect(browser, "[...document.querySelectorAll('label')].map(l => l.textContent.trim()).join()",
           "1 removed,2 changed")
    browser.value("document.querySelector('[value=changed]').click()")
    expect(browser, CHANGES, 1)
    expect(browser, "document.querySelector('[role=status]').textContent", "1 of 3 rows shown")
    browser.value("document.querySelector('[value=changed]').click()")
    browser.type("OLD")
    expect(browser, CHANGES, 1)
    browser.type("")
    press_button(browser, "Collapse all")
    expect(browser, CHANGES, 0)
    press_button(browser, "Expand all")
    browser.value("document.querySelector('summary').focus()")
    browser.press("Tab")
    judge(browser, axe)
    browser.open(page("diff", "highscores.plist", "leaderboard.plist"))
    expect(browser, "document.querySelector('h1').textContent", "highscores.plist → leaderboard.plist")
    fits(browser)
    judge(browser, axe)


def contents_page(browser, page, axe):
    """The contents of an added container are found by the filter and can be opened."""
    browser.open(page("diff", "fewer.json", "more.json"))
    browser.type("needle")
    expect(browser, CHANGES, 1)
    expect(browser, "document.querySelector('.tree li').checkVisibility()", False)
    browser.value("document.querySelector('.tree').open = true")
    expect(browser, "document.querySelector('.tree li').checkVisibility()", True)
    browser.type("")
    fits(browser)
    judge(browser, axe)


def neighbours(browser, page, axe):
    near = "[...document.querySelectorAll('.near li')].filter(e => e.checkVisibility()).map(e => e.textContent).join()"
    browser.open(page("diff", "preferences.plist", "later.plist"))
    expect(browser, near, "")
    expect(browser, CHANGES, 1)
    # Enter opens the neighbours before the change.
    browser.value("document.querySelector('.near summary').focus()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r")
    browser.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter")
    expect(browser, near, '… 1 more,musicVolume: 0.75,playerName: "Ada",hintsShown: true')
    expect(browser, "document.querySelector('.near summary').textContent", "3 of 4 unchanged")
    press_button(browser, "Show unchanged")
    expect(browser, near.replace(".map(e => e.textContent).join()", ".length"), 7)
    judge(browser, axe)
    press_button(browser, "Hide unchanged")
    expect(browser, near, "")
    browser.type("nothing like this")
    expect(browser, "[...document.querySelectorAll('details')].filter(e => e.checkVisibility()).length", 0)


def folder_page(browser, page, axe):
    browser.open(page("diff", "before", "after"))
    expect(browser, "document.querySelector('h1').textContent", "before → after")
    expect(browser, "document.querySelector('p').textContent",
           "5 files: 1 equal, 1 changed, 1 with different bytes, 1 only in before, 1 only in after")
    expect(browser, "[...document.querySelectorAll('main > details > summary')].map(s => s.textContent).join('; ')",
           "slot.plist 1 changed; only in before 1 file; only in after 1 file; with different bytes 1 file; "
           "equal 1 file")
    expect(browser, CHANGES, 4)
    browser.type("only in after")
    expect(browser, CHANGES, 1)
    browser.type("gems")
    expect(browser, CHANGES, 1)
    browser.type("")
    fits(browser)
    judge(browser, axe)


def validate_page(browser, page, axe):
    browser.open(page("validate", "--project", "project.json"))
    expect(browser, "document.querySelector('h1').textContent", "Validation report: 1 valid, 1 invalid as expected, 1 invalid")
    # Failures are first and open, expected ones are grey and closed.
    expect(browser, "[...document.querySelectorAll('details')].map(d => d.open).join()", "true,false,false")
    expect(browser, "document.querySelectorAll('details')[1].querySelector('summary bdi').className", "note")
    expect(browser, "document.querySelectorAll('.error').length", 2)
    expect(browser, ROWS, 1)
    target = "document.querySelector(decodeURI(document.querySelector('li a').hash).replace('.', '\\\\.'))"
    expect(browser, target + ".tagName", "DT")
    browser.value("document.querySelector('li a').click()")
    expect(browser, target + ".matches(':target')", True)
    expect(browser, f"getComputedStyle({target}).backgroundColor !== getComputedStyle(document.body).backgroundColor", True)
    browser.type("friends")
    expect(browser, ROWS, 1)
    browser.type("")
    browser.value("document.querySelector('[value=failed]').click()")
    expect(browser, "document.querySelector('details').hidden", True)
    # The explanations of hidden findings are hidden, too.
    terms = "[...document.querySelectorAll('dt')].filter(e => e.checkVisibility()).length"
    expect(browser, terms + " > 0", True)
    browser.value("document.querySelector('[value=expected]').click()")
    expect(browser, terms, 0)
    browser.value("document.querySelector('[value=expected]').click()")
    browser.value("document.querySelector('[value=failed]').click()")
    fits(browser)
    judge(browser, axe)


def scores_page(browser, page, axe):
    browser.open(page("scores", "list", "highscores.plist"))
    expect(browser, "document.title", "High scores – highscores.plist – savetool")
    expect(browser, "document.querySelectorAll('tbody tr').length", 10)
    expect(browser, "[...document.querySelector('tbody tr').children].map(c => c.textContent).join('; ')",
           "1; Ada; 98,200; 6 Sep 2009, 12:34")
    expect(browser, "document.querySelector('time').dateTime", "2009-09-06T12:34:56Z")
    fits(browser)
    judge(browser, axe)


def axe_text(work):
    """Returns the source of axe from PyPI, or nothing without a network."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
               "--target", str(work / "axe"), "axe-playwright-python"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return next((work / "axe").rglob("axe.min.js")).read_text()
    except (subprocess.SubprocessError, StopIteration):
        print("skipped: PyPI gave no axe; contrast and labels are not judged")
        return None


def main():
    savetool, fixtures = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not program:
        print("skipped: no Chromium")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        work = Path(name)
        for file in (fixtures / "games").iterdir():
            shutil.copy(file, work)
        (work / "hostile.json").write_text(json.dumps({
            "</script><img src=x onerror=ran=1>": "<!-- <b>", "\u202eabc": "]]><iframe>", "'\"&lt;": "\u2028\u2067", "x": "a old <b>"}))
        (work / "hostile2.json").write_text(json.dumps({
            "</script><img src=x onerror=ran=1>": "<!-- <i>", "\u202eabc": "]]><iframe>", "x": "a new <b>"}))
        (work / "large.json").write_text(json.dumps([{"name": "needle" if i == 99999 else f"n{i}"} for i in range(100000)]))
        (work / "hostile-scores.json").write_text(json.dumps([
            {"name": "</td><img src=x onerror=ran=1>", "score": 5, "date": "<b>"}, {"name": "\u202eabc", "score": 4}]))
        (work / "none.schema.json").write_text(json.dumps({"propertyNames": {"const": "<i>\u202e"}}))
        (work / "fewer.json").write_text('{"a": 1}')
        (work / "more.json").write_text('{"a": 1, "x": {"y": [["needle"]]}, "z": [2]}')
        (work / "torn.json").write_text('{"a": [1, ')
        (work / "cut.json").write_text('{"a": ')
        (work / "project.json").write_text(json.dumps({"validate": [
            {"files": ["torn.json", "friends.save"]}, {"files": ["cut.json"], "expectInvalid": True}]}))

        def edit(copy, *arguments):
            subprocess.run([savetool, "set", "--quiet", *arguments, "-o", work / copy], cwd=work, check=True)

        edit("later.plist", "preferences.plist", "/gems", "350")
        for name in ("before", "after"):
            (work / name).mkdir()
            shutil.copy(work / "swamp.save", work / name / "same.save")
            (work / name / "notes.txt").write_text(name)
            (work / name / f"{name}.json").write_text("[]")
        shutil.copy(work / "preferences.plist", work / "before" / "slot.plist")
        shutil.copy(work / "later.plist", work / "after" / "slot.plist")

        def page(*arguments):
            run = subprocess.run([savetool, *arguments, "--format", "html"], cwd=work, capture_output=True)
            if run.returncode > 1:
                raise Wrong(f"savetool {arguments[0]}: {run.stderr.decode()}")
            file = work / f"{arguments[0]}.html"
            file.write_bytes(run.stdout)
            return file

        axe = axe_text(work)
        browser = Browser(program, work / "browser")
        try:
            for check in (inspect_page, size_map, hostile_page, large_page, diff_page, contents_page, neighbours,
                          folder_page, validate_page, scores_page):
                check(browser, page, axe)
                print(f"{check.__name__}: ok")
        finally:
            browser.close()


if __name__ == "__main__":
    try:
        main()
    except Wrong as error:
        sys.exit(f"pages: {error}")
