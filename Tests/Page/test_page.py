"""The pages for browsers, on a real agent, in a real browser: under their policy, without a complaint."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request

from browser import Browser, program

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
AGENT = os.environ.get("AGENT", os.path.join(ROOT, ".build-debug/debug/agent"))


class Agent:
    """An agent without modules, whose port is any that is free."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="page-agent-")
        with open(f"{self.folder.name}/settings.json", "w") as file:
            json.dump({
                "agent": {"name": "shop"}, "http": {"listen": "127.0.0.1:0"},
                "notifications": {"rules": [{"name": "worst", "when": {"event": "alarm"}, "to": ["log"]}]},
            }, file)
        self.host = subprocess.Popen(
            [AGENT, "run"], cwd=self.folder.name, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=dict(os.environ, HOME=self.folder.name))
        self.url = self.wait_for_url()

    def wait_for_url(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.host.poll() is not None:
                raise RuntimeError(self.host.stderr.read())
            status = self.run("status", "--json", check=False)
            url = json.loads(status).get("url") if status.startswith("{") else None
            if url:
                return url
            time.sleep(0.05)
        raise TimeoutError("The agent opens no port.")

    def run(self, *words, check=True):
        return subprocess.run(
            [AGENT, *words], cwd=self.folder.name, text=True, check=check,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def token(self, scope):
        return self.run("token", "create", "page", "--scope", scope).strip()

    def close(self):
        self.host.send_signal(signal.SIGTERM)
        self.host.communicate(timeout=60)
        self.folder.cleanup()


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.agent = Agent()

    @classmethod
    def tearDownClass(cls):
        cls.agent.close()

    def setUp(self):
        self.browser = Browser()
        self.browser.size(1280, 900)

    def tearDown(self):
        # A refused request is told on the console, too; that isn't the page's fault.
        complaints = [one for one in self.browser.complaints if "Failed to load resource" not in one]
        self.browser.close()
        self.assertEqual(complaints, [])

    def open(self, path, ready):
        self.browser.open(self.agent.url + path)
        self.browser.wait(ready)

    def sign_in(self, scope="administer"):
        self.open("/api", "document.querySelector('main button')")
        self.browser.click("#session button")
        self.browser.wait("document.querySelector('dialog[open] #token')")
        self.browser.type("#token", self.agent.token(scope))
        self.browser.click("dialog button.main")
        self.browser.wait("document.querySelectorAll('nav li').length > 0")

    def choose(self, operation):
        self.browser.run(f"location.hash = '{operation}'")
        self.browser.wait("document.querySelector('main form')")

    def send(self):
        self.browser.click("main form button.main")
        self.browser.wait("document.querySelector('main section .status')")

    def text(self, selector):
        return self.browser.run(f"document.querySelector('{selector}').innerText")

    def test_every_operation_is_listed_once_and_found_by_words(self):
        self.sign_in()
        listed = self.browser.run(
            "[...document.querySelectorAll('nav li')].map((one) => "
            "one.querySelector('.method').textContent + ' ' + one.querySelector('.path').textContent)")
        document = self.browser.run(
            "fetch('/api/openapi.json', {headers: {Authorization: 'Bearer ' + "
            "JSON.parse(sessionStorage.getItem('bulkhead.session')).token}}).then((one) => one.json())")
        declared = [
            f"{method.upper()} {path}" for path, item in document["paths"].items()
            for method in item if method in ("get", "put", "post", "delete", "patch")]
        self.assertGreater(len(declared), 30)
        self.assertEqual(sorted(listed), sorted(declared))
        self.browser.key("/", 191)
        self.browser.wait("document.activeElement.id === 'search'")
        self.browser.type("#search", "restart process")
        self.browser.wait("document.querySelectorAll('nav li').length === 1")
        self.assertIn("restart_process", self.browser.run("document.querySelector('nav a').hash"))

    def test_each_operation_can_be_shown(self):
        self.sign_in("read")
        hashes = self.browser.run("[...document.querySelectorAll('nav a')].map((one) => one.hash)")
        for one in hashes:
            self.browser.run(f"location.hash = {json.dumps(one)}")
            self.browser.wait(
                "document.querySelector('nav a[aria-current]')?.hash === location.hash"
                " && document.querySelector('main form button.main')")
            self.assertIn("/", self.text("main h2 .path"))

    def ask(self, method, path, token, body=None):
        request = urllib.request.Request(
            f"{self.agent.url}/api/v1/{path}", method=method, data=body and json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def test_the_link_of_a_notice_leads_to_its_alert(self):
        token = self.agent.token("administer")
        self.ask("POST", "events", token, {"type": "alarm"})
        end = time.monotonic() + 60
        while not (alerts := self.ask("GET", "alerts", token)["alerts"]) and time.monotonic() < end:
            time.sleep(0.05)
        number = alerts[0]["id"]
        # Also for somebody who has yet to sign in.
        self.open(f"/alerts/{number}", "document.querySelector('main button')")
        self.assertEqual(self.browser.run("location.hash"), f"#get_alert?id={number}")
        self.browser.click("#session button")
        self.browser.wait("document.querySelector('dialog[open] #token')")
        self.browser.type("#token", self.agent.token("read"))
        self.browser.click("dialog button.main")
        self.browser.wait("document.querySelector('main section .status')")
        self.assertIn("200", self.text("main section .status"))
        self.assertIn('"worst"', self.text("main section"))
        self.assertEqual(self.browser.run("document.querySelector('#parameter-path-id').value"), str(number))

    def test_a_link_sends_nothing_that_changes_anything_or_asks_for_work(self):
        self.sign_in()
        for link in ("resolve_alert?id=1", "run_query?query=*", "stop_agent?id=1"):
            self.choose(link)
            self.browser.run("new Promise((done) => setTimeout(done, 200))")
            self.assertFalse(self.browser.run("!!document.querySelector('main section').innerText"), link)

    def test_without_a_token_the_page_says_what_is_missing(self):
        self.open("/api", "document.querySelector('main button')")
        self.assertIn("token", self.text("main"))
        self.assertEqual(self.browser.run("document.querySelectorAll('nav li').length"), 0)
        self.browser.click("#session button")
        self.browser.wait("document.querySelector('dialog[open]')")
        self.browser.type("#token", "bulkhead_nobody_knows_this")
        self.browser.click("dialog button.main")
        self.browser.wait("document.querySelector('#session').innerText.includes('Sign out')")
        self.browser.wait("document.querySelector('main').innerText.includes('Sign in to see')")

    def test_a_request_with_a_token_is_answered_with_status_headers_and_body(self):
        self.sign_in()
        self.choose("get_status")
        self.send()
        self.browser.wait("document.querySelector('main section pre')")
        self.assertIn("200", self.text("main section .status"))
        self.assertEqual(json.loads(self.browser.run(
            "document.querySelector('main section pre').textContent"))["agent"], "shop")
        self.browser.run("document.querySelector('main section details').open = true")
        self.assertIn("x-request-id", self.text("main section details").lower())

    def test_a_refusal_is_shown_as_a_problem(self):
        self.sign_in("read")
        self.choose("restart_process")
        self.browser.type("main form input", "nothing")
        self.send()
        self.browser.wait("document.querySelector('main section pre')")
        self.assertIn("403", self.text("main section .status"))
        self.assertIn("operate", self.text("main section pre"))

    def test_what_an_answer_holds_never_becomes_markup(self):
        self.sign_in()
        self.choose("restart_process")
        self.browser.type("main form input", "<img src=x onerror=alert(1)>")
        self.send()
        self.browser.wait("document.querySelector('main section pre')")
        self.assertIn("<img", self.text("main section pre"))
        self.assertEqual(self.browser.run("document.querySelectorAll('main img').length"), 0)

    def test_a_stream_is_shown_as_it_comes_and_can_be_stopped(self):
        self.sign_in()
        self.choose("run_query")
        self.browser.click("main form button.main")
        self.browser.wait("document.querySelectorAll('[role=log] > div').length >= 2")
        self.assertIn("start", self.text("[role=log]"))
        self.browser.click("main form .actions button:nth-of-type(2)")
        self.browser.wait("document.querySelector('main section').innerText.includes('Stopped')")

    def test_a_wrong_password_is_told(self):
        self.open("/api", "document.querySelector('main button')")
        self.browser.click("#session button")
        self.browser.wait("document.querySelector('dialog[open] #name')")
        self.browser.type("#name", "nobody")
        self.browser.type("#password", "not the right one")
        self.browser.click("dialog button.main")
        self.browser.wait("document.querySelector('dialog .bad').innerText.length > 10")

    def test_nothing_is_wider_than_a_narrow_screen(self):
        self.sign_in()
        for width, dark in [(320, False), (768, True)]:
            self.browser.size(width, 800, dark)
            for operation in ("add_process", "list_events", "get_health"):
                self.choose(operation)
                self.assertLessEqual(
                    self.browser.run("document.documentElement.scrollWidth"), width, operation)

    def test_the_home_page_leads_on_and_setup_wants_its_link(self):
        self.open("/", "document.querySelector('a[href=\"/api\"]')")
        self.open("/setup", "document.querySelector('[role=alert]')")
        self.assertIn("one-time link", self.text("main"))


class SetupTests(unittest.TestCase):
    def test_the_first_administrator_is_made_by_the_link(self):
        agent = Agent()
        browser = Browser()
        try:
            with open(f"{agent.folder.name}/.agent/setup-secret") as file:
                secret = file.read().strip()
            browser.open(f"{agent.url}/setup#{secret}")
            browser.wait("document.querySelector('form #again')")
            self.assertEqual(browser.run("location.hash"), "")
            browser.type("#name", "ada")
            browser.type("#password", "correct horse battery")
            browser.type("#again", "correct horse")
            browser.click("#send")
            browser.wait("document.querySelector('#trouble').innerText.includes('differ')")
            browser.type("#again", " battery")
            browser.click("#send")
            browser.wait("document.querySelector('main').innerText.includes('ada administers')")
            browser.open(f"{agent.url}/api")
            browser.wait("document.querySelectorAll('nav li').length > 30")
            self.assertIn("ada", browser.run("document.querySelector('#session').innerText"))
            browser.click("#session button")
            browser.wait("document.querySelector('#session').innerText === 'Sign in'")
        finally:
            browser.close()
            agent.close()


if __name__ == "__main__":
    if program() is None:
        raise SystemExit("There is no browser: apt-get install chromium-headless-shell")
    unittest.main()
