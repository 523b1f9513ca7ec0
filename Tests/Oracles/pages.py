"""Opens HTML pages in a real browser: `pages.py SAVETOOL FIXTURES`.

Chromium is controlled through its debugging protocol, over two pipes. The checks cover console messages, the search,
opening and closing, the keys, links between shared objects, strings with scripts, 100,000 rows, and the contrast and
labels in light and dark mode by axe, if PyPI provides it.
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


def inspect_page(browser, page, axe):
    browser.open(page("inspect", "friends.save"))
    expect(browser, SHOWN, 11)
    browser.type("sam")
    expect(browser, SELECTED, 'name: "Sam"')
    expect(browser, PLACE, "/mybar/foos/1/name")
    expect(browser, "document.querySelector('[role=status]').textContent", "1 of 1")
    browser.value("[...document.querySelectorAll('button')].find(b => b.textContent === 'Collapse all').click()")
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
    judge(browser, axe)


def hostile_page(browser, page, axe):
    browser.open(page("inspect", "hostile.json"))
    expect(browser, "document.querySelectorAll('img, b, iframe').length", 0)
    expect(browser, "typeof window.ran", "undefined")
    expect(browser, "/[\\u202A-\\u202E\\u2066-\\u2069]/.test(document.body.textContent)", False)
    judge(browser, axe)


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


def list_page(browser, page, axe):
    browser.open(page("diff", "hostile.json", "hostile2.json"))
    expect(browser, ROWS, 3)
    expect(browser, "document.querySelectorAll('img, b, iframe').length", 0)
    expect(browser, "typeof window.ran", "undefined")
    expect(browser, "/[\\u202A-\\u202E\\u2066-\\u2069]/.test(document.body.textContent)", False)
    expect(browser, "[...document.querySelectorAll('mark')].map(m => m.textContent).join()", "old,new")
    expect(browser, "[...document.querySelectorAll('label')].map(l => l.textContent.trim()).join()",
           "1 removed,2 changed")
    browser.value("document.querySelector('[value=changed]').click()")
    expect(browser, ROWS, 1)
    expect(browser, "document.querySelector('[role=status]').textContent", "1 of 3 shown")
    browser.value("document.querySelector('[value=changed]').click()")
    browser.type("OLD")
    expect(browser, ROWS, 1)
    browser.type("")
    browser.value("document.querySelector('button').click()")
    expect(browser, ROWS, 0)
    browser.value("document.querySelector('button').click()")
    browser.value("document.querySelector('summary').focus()")
    browser.press("Tab")
    judge(browser, axe)


def other_pages(browser, page, axe):
    browser.open(page("diff", "highscores.plist", "leaderboard.plist"))
    expect(browser, "document.querySelector('h1').textContent", "highscores.plist → leaderboard.plist")
    judge(browser, axe)
    browser.open(page("validate", "torn.json", "friends.save"))
    expect(browser, "document.querySelector('h1').textContent", "Validation report: 1 passed, 1 failed")
    expect(browser, "document.querySelectorAll('.error').length", 2)
    expect(browser, ROWS, 1)
    expect(browser, "document.querySelector(decodeURI(document.querySelector('li a').hash).replace('.', '\\\\.')).tagName",
           "DT")
    browser.type("friends")
    expect(browser, ROWS, 1)
    judge(browser, axe)
    browser.open(page("scores", "list", "highscores.plist"))
    expect(browser, "document.querySelectorAll('tbody tr').length", 10)
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
        (work / "torn.json").write_text('{"a": [1, ')

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
            for check in (inspect_page, hostile_page, large_page, list_page, other_pages):
                check(browser, page, axe)
                print(f"{check.__name__}: ok")
        finally:
            browser.close()


if __name__ == "__main__":
    try:
        main()
    except Wrong as error:
        sys.exit(f"pages: {error}")
