"""The API of a campaign server against its own description, with requests that schemathesis makes of it, as everyone who may ask.

No answer may be an error of the server, have a status or a form that `/api/v1/openapi.json` does not name, or have a byte of what is secret
before the release: ids of judged documents, values of private topics, the nonce and the seed of the division.
Where a request took something away for good, the server starts again on a copy of its folder, so that the next request finds everything.
"""

import argparse
import atexit
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from _support import cranfield_binary

try:
    import requests
    import schemathesis
    from hypothesis import strategies
    from schemathesis.cli import schemathesis as command
except ImportError:
    print("skipped: schemathesis needs Python 3.11 or newer")
    sys.exit(0)

# Who asks, and the operations that they may call: those for everyone, and those of these kinds of callers.
EVERYONE = {"anyone", "board", "reader", "released", "final"}
ROLES = {
    "reader": set(),
    "participant": {"account", "participant", "team", "own-team"},
    "assistant": {"account", "team", "staff"},
    "observer": {"account"},
    "organiser": {"account", "team", "staff", "organiser", "admin"},
}
PASSWORD = "correct horse battery"
SEED = "2718281828"
# Documents `kanarie-N` are judged and in no run, so no answer has a reason to name one.
CANARY = "kanarie"
# The rank of the one relevant document of each topic, in the runs of two teams: every topic and every mean has a value of its own.
RANKS = [[3, 7, 11, 13, 17, 19], [23, 29, 31, 37, 41, 43]]
QRELS = "".join(f"{topic} 0 d{topic} 1\n{topic} 0 {CANARY}-{topic} 1\n" for topic in range(1, 7))
CORRECTED = QRELS.replace(f"{CANARY}-5", f"{CANARY}-8").replace("2 0 d2 1", "2 0 d2 0")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"
# What parts of an address are where a request is not wrong on purpose, so that it finds something.
PLACES = {"slug": ["hw1"], "number": [1, 2, 99], "entry": [1, 2, 99], "version": [1, 2, 99], "person": [1, 2, 3, 4, 5, 99]}
# What fields of a form are where a request is not wrong on purpose.
FIELDS = {
    "role": ["participant", "observer", "assistant", "organiser"],
    "reason": ["x", "=1+1"],
    "team": ["x", "Team 1"],
    "csv": ["login,name\nx,X\n", "login,name,role,team\nann,Ann,participant,T\n"],
    "opens": ["2020-01-01T00:00"],
    "freezes": ["", "2099-01-01T00:00", "2021-01-01T00:00"],
    "closes": ["2100-01-01T00:00", "2022-01-01T00:00"],
    "merges_until": ["", "2021-01-01T00:00"],
    "zone": ["UTC", "Asia/Taipei"],
    "measures": ["RR P@5", "AP"],
    "embed_origins": ["", "https://example.org"],
}
EVENTS = "/c/{slug}/events"
# Operations after which someone or something is not there any more.
TAKES_AWAY = (
    "/logout", "/me", "/leave", "/merge", "/withdraw", "/picks", "/freeze", "/release", "/publish", "/revoke", "/remove", "/password",
    "/reject", "/apply", "/cancel", "/admin/settings", "/roster", "/team/name", "/team", "/{person}",
)  # fmt: skip


def run(ranks):
    """A run with one relevant document for each topic, at these ranks."""
    lines = []
    for topic, relevant in enumerate(ranks, 1):
        for rank in range(1, relevant + 1):
            document = f"d{topic}" if rank == relevant else f"n{topic}-{rank}"
            lines.append(f"{topic} Q0 {document} {rank} {100 - rank} t\n")
    return "".join(lines)


class Server:
    """A server on a copy of a folder, on a port that stays the same."""

    def __init__(self, rest, folder):
        self.rest, self.folder, self.port, self.process = rest, folder, 0, None
        self.starts = 0

    def start(self):
        """Starts the server, and returns the path of the page for the first account if there is none yet."""
        command = [cranfield_binary(), "serve", "--data", self.folder, "--listen", f"127.0.0.1:{self.port}"]
        log = open(self.folder.with_suffix(".log"), "ab")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, encoding="utf-8")
        log.close()
        atexit.register(self.process.kill)
        setup = ""
        for line in self.process.stdout:
            if line.startswith("Campaigns are at "):
                self.port = int(line.strip().strip("/").rsplit(":", 1)[1])
            if "/setup/" in line:
                setup = "/setup/" + line.strip().rsplit("/", 1)[1]
            if line.startswith("Stop with"):
                break
        self.starts += 1
        return setup

    def stop(self):
        self.process.kill()
        self.process.wait()

    def restore(self):
        """Everything is as it was at rest."""
        if self.process:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.rest, self.folder)
        self.start()

    @property
    def api(self):
        return f"http://127.0.0.1:{self.port}/api/v1"


class Person(requests.Session):
    """Someone with a session."""

    def __init__(self, server):
        super().__init__()
        self.server = server
        self.headers["sec-fetch-site"] = "same-origin"

    def ask(self, path, fields=None, files=None):
        """The JSON of a page, or of a form that is sent."""
        call = self.get if fields is None else self.post
        arguments = {} if fields is None else {"data": fields, "files": files}
        answer = call(self.server.api + path, **arguments)
        if not answer.ok:
            sys.exit(f"{path}: {answer.status_code} {answer.text}")
        return answer.json()

    def account(self, path, login, **fields):
        self.ask(path, {"login": login, "name": login, "password": PASSWORD, **fields})
        return self

    def token(self):
        return self.ask("/me/tokens", {"token_name": "test"})["token"]


def populate(server, setup):
    """A campaign with a person of every role, two teams with an entry each, and a preview of other judgements. Returns tokens and secrets."""
    organiser = Person(server).account(setup, "prof")
    settings = {
        "slug": "hw1", "title": "HW1", "opens": "2020-01-01T00:00", "closes": "2100-01-01T00:00", "measures": "RR P@5", "seed": SEED,
        "entries_per_day": "1000", "entries_in_all": "1000",
    }  # fmt: skip
    organiser.ask("/new", settings, {"qrels": ("qrels.txt", QRELS)})
    organiser.ask("/c/hw1/admin/publish", {})

    def join(login, role, **fields):
        code = organiser.ask("/c/hw1/admin/codes", {"role": role, "uses": "1"})["code"]
        return Person(server).account("/join", login, code=code, **fields)

    first = join("ann", "participant", team="Grüne Daumen")
    second = join("bob", "participant", team="我們不要BM25了")
    for person, ranks in zip((first, second), RANKS):
        person.ask("/c/hw1/submit", {}, {"run": ("my.run", run(ranks))})
    second.ask("/c/hw1/team/merge", {"with": "1"})
    people = {"participant": first, "assistant": join("tom", "assistant"), "observer": join("eva", "observer"), "organiser": organiser}
    organiser.ask("/c/hw1/admin/codes", {"role": "observer", "uses": "9"})
    organiser.ask("/c/hw1/admin/qrels", {"reason": "a mistake"}, {"qrels": ("qrels.txt", CORRECTED)})
    tokens = {role: person.token() for role, person in people.items()}
    return tokens, secrets(organiser)


def secrets(organiser):
    """What only organisers may see, as it would be written, from an archive with everything."""
    while True:
        answer = organiser.get(organiser.server.api + "/c/hw1/admin/full.zip")
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        lines = lambda name: [json.loads(line) for line in archive.read(name).decode().splitlines()]
        scores = [line for name in archive.namelist() if name.startswith("scores/") for line in lines(name)]
        # Two entries by two measures, with the first and the corrected judgements.
        if len(scores) == 8:
            break
    split = next(name for name in archive.namelist() if name.startswith("split/"))
    is_public = [line.endswith("public") for line in archive.read(split).decode().splitlines()]
    public, private = set(), set()
    for line in scores:
        public.add(line["public"])
        private |= {line["private"], line["overall"]}
        for value, shown in zip(line["topics"], is_public):
            (public if shown else private).add(value)
    written = lambda values: {text for value in values if value for text in (f"{value:.4f}", f"{value:.12f}")}
    # Values such as 0.2 are part of other numbers.
    values = {text for text in written(private) - written(public) if not text.rstrip("0")[:-1].endswith(".")}
    if len(values) < 10:
        sys.exit("the runs have too few values of their own")
    nonce = lines("tables/split.jsonl")[0]["nonce"]["hex"]
    found = sorted(values | {CANARY, SEED, nonce})
    # The search finds what is there. Results are shown after some seconds.
    for path in ("/c/hw1/admin/qrels/1", "/c/hw1/board?part=final", "/c/hw1/admin/settings"):
        until = time.monotonic() + 20
        while not leak(organiser.get(organiser.server.api + path).text, found):
            if time.monotonic() > until:
                sys.exit(f"organisers do not see a secret at {path}")
            time.sleep(0.2)
    return found


def leak(text, secret):
    """The first secret in a text, with what is before it; none if there is none."""
    word = next((word for word in secret if word in text), None)
    at = text.find(word) if word else 0
    return word and f"the answer has the secret {word} after: {text[max(0, at - 100) : at]}"


def first_event(server, token, secret):
    """What is wrong with the first event of the stream, which never ends."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    with requests.get(f"{server.api}/c/hw1/events", headers=headers, stream=True, timeout=20) as answer:
        lines = answer.iter_lines(chunk_size=1, decode_unicode=True)
        event = "\n".join(iter(lambda: next(lines), ""))
    if answer.status_code != 200 or not event:
        return f"{answer.status_code} {event}"
    return leak(event + json.dumps(dict(answer.headers)), secret)


class Asking:
    """Who asks which server, and what must not be in an answer."""

    def __init__(self, everything):
        self.everything, self.role, self.server, self.secret, self.requests = everything, None, None, [], 0

    def register(self):
        """Adds what schemathesis calls on the way of each request."""
        files = strategies.sampled_from([run(RANKS[0]).encode(), QRELS.replace(CANARY, "n").encode(), b"login,name\nx,X\n", b"", b"PK\3\4"])
        schemathesis.openapi.format("binary", strategies.one_of(files, strategies.binary(max_size=200)))

        @schemathesis.hook
        def before_load_schema(context, raw_schema):
            # This one never ends, and is asked by `first_event`.
            raw_schema["paths"].pop(EVENTS)
            for operations in raw_schema["paths"].values():
                for method, operation in list(operations.items()):
                    if not self.everything and operation["x-who"] not in EVERYONE | ROLES[self.role]:
                        del operations[method]
                    for content in operation.get("requestBody", {}).get("content", {}).values():
                        for name, schema in content["schema"].get("properties", {}).items():
                            if name in FIELDS and schema.get("type") == "string":
                                schema["enum"] = FIELDS[name]
                    for parameter in operation.get("parameters", []):
                        places = PLACES.get(parameter["name"])
                        if places and parameter["in"] == "path":
                            parameter["schema"] = {**parameter["schema"], "enum": places}

        @schemathesis.hook
        def after_call(context, case, response):
            self.requests += 1
            took = case.method == "POST" and response.status_code < 300 and case.path.endswith(TAKES_AWAY)
            # Limits of rates are in memory.
            if took or response.status_code == 429:
                self.server.restore()

        @schemathesis.check
        def nothing_secret(context, response, case):
            found = leak(response.content.decode("utf-8", "replace") + json.dumps(response.headers), self.secret)
            if found:
                raise AssertionError(found)

    def ask(self, token, options):
        """Runs schemathesis, and returns its exit code."""
        self.requests = 0
        arguments = [
            "run", f"{self.server.api}/openapi.json", "--checks", f"{CHECKS},nothing_secret", "--phases", "coverage,fuzzing",
            "--max-examples", options.cases, "--seed", options.seed, "--workers", 1, "--request-timeout", 20, "--continue-on-failure",
            "--no-shrink", "--suppress-health-check", "all", "--generation-with-security-parameters", "false",
            "--generation-database", "none", "--warnings", "off", "--no-color",
        ]  # fmt: skip
        if token:
            arguments += ["--header", f"Authorization: Bearer {token}"]
        for path in options.only:
            arguments += ["--include-path", path]
        try:
            code = command.main(list(map(str, arguments)), standalone_mode=False) or 0
        except SystemExit as end:
            code = end.code
        print(f"{self.role}: {self.requests} requests, {self.server.starts} starts, exit code {code}", flush=True)
        return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=20, help="most random requests of an operation (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the requests (default: %(default)s)")
    parser.add_argument("--everything", action="store_true", help="also ask for what a role is refused anyway")
    parser.add_argument("--role", action="append", choices=list(ROLES), help="who asks (default: everyone)")
    parser.add_argument("--only", action="append", default=[], metavar="PATH", help="an address of the description, such as /c/{slug}/board")
    options = parser.parse_args()
    asking = Asking(options.everything)
    asking.register()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        os.chdir(folder)
        rest = folder / "rest"
        first = Server(None, rest)
        tokens, secret = populate(first, first.start())
        first.stop()
        codes = []
        for role in options.role or ROLES:
            asking.role, asking.server = role, Server(rest, folder / role)
            asking.secret = [] if role == "organiser" else secret
            asking.server.restore()
            token = tokens.get(role)
            wrong = first_event(asking.server, token, asking.secret)
            if wrong:
                print(f"{role}: {EVENTS}: {wrong}")
            codes.append(asking.ask(token, options) or int(bool(wrong)))
            asking.server.stop()
    sys.exit(max(codes))


if __name__ == "__main__":
    main()
