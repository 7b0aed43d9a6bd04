#!/usr/bin/env python3
"""Loads the campaign server as a class does on the evening of a deadline, and writes a Markdown page of what it measured.

It starts the release binary on a temporary folder, makes a campaign with 200 teams, and then
  1. lets each team send a run of a tenth of the set M, 32 at once, and compares the board with `cranfield eval` bit for bit;
  2. asks for the board on 500 connections, and lets 500 pages listen to events, while entries are scored;
  3. restarts the server with thousands of entries, and starts the demonstration.
Everything is measured from outside, by clients on the same machine. See README.md in this folder.
"""

import argparse
import asyncio
import contextlib
import datetime
import http.client
import json
import math
import multiprocessing
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, TARGET, machine, make_data, markdown_table, step

PASSWORD = "a long password"
MEASURES = ["nDCG@10", "AP", "P@10"]
# A team's file is made of pieces of this many topics, each of one of these many variants of the run.
PIECE, VARIANTS = 10, 4


# ------------------------------------------------------------------------------------------------ runs

class Runs:
    """As many different runs as wanted, of the same size, compressed as gzip files of several members."""

    def __init__(self, folder, topics):
        lines_by_topic, wanted = [], topics
        with (folder / "run.txt").open() as file:
            for line in file:
                topic, rest = line.split(" ", 1)
                if not lines_by_topic or lines_by_topic[-1][0] != topic:
                    if len(lines_by_topic) == wanted:
                        break
                    lines_by_topic.append((topic, []))
                lines_by_topic[-1][1].append(rest)
        known = {topic for topic, _ in lines_by_topic}
        self.qrels = "".join(line for line in (folder / "qrels.txt").open() if line.split(" ", 1)[0] in known)
        self.lines = sum(len(lines) for _, lines in lines_by_topic)
        self.pieces = []
        for start in range(0, len(lines_by_topic), PIECE):
            texts = [variant(lines_by_topic[start:start + PIECE], number) for number in range(VARIANTS)]
            self.bytes = getattr(self, "bytes", 0) + len(texts[0])
            self.pieces.append([gzip(text) for text in texts])

    def of(self, number):
        choose = random.Random(number)
        return b"".join(choose.choice(piece) for piece in self.pieces)


def variant(topics, number):
    """The text of some topics whose first twenty documents have changed places."""
    out = []
    for topic, lines in topics:
        documents = [line.split(" ", 2)[1] for line in lines[:20]]
        for place, line in enumerate(lines):
            if place < 20:
                q0, _, rest = line.split(" ", 2)
                line = f"{q0} {documents[(place + 5 * number) % len(documents)]} {rest}"
            out.append(f"{topic} {line}")
    return "".join(out).encode()


def gzip(text):
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(text) + packer.flush()


# ------------------------------------------------------------------------------------------------ server

class Server:
    """A running server, and the requests that a program sends to it."""

    def __init__(self, binary, *options):
        self.started = time.perf_counter()
        self.process = subprocess.Popen([binary, "serve", "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.log = []
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
        self.setup = None
        for line in self.process.stdout:
            if found := re.search(r"at http://127\.0\.0\.1:(\d+)(/setup/\S+)?", line):
                self.port = int(found[1])
                self.setup = found[2] or self.setup
            if line.startswith("Stop with"):
                break
        else:
            raise SystemExit("the server did not start: " + "".join(self.log))
        self.seconds_to_listen = time.perf_counter() - self.started
        self.request("GET", "/")
        self.seconds_to_answer = time.perf_counter() - self.started

    def request(self, method, path, body=None, cookie="", headers=(), kind="application/x-www-form-urlencoded"):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        sent = {"cookie": cookie, "sec-fetch-site": "same-origin", "content-type": kind, **dict(headers)}
        connection.request(method, path, body, {name: value for name, value in sent.items() if value})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, answer.headers, text

    def form(self, path, cookie="", expect=(200, 201, 303), headers=(), **fields):
        while True:
            status, found, text = self.request("POST", path, urllib.parse.urlencode(fields), cookie, headers)
            if status != 429:
                break
            time.sleep(float(found.get("retry-after", 1)))
        if status not in expect:
            raise SystemExit(f"{path}: {status} {text.decode()[:500]}")
        return found, text

    def json(self, path, cookie=""):
        status, _, text = self.request("GET", "/api/v1" + path, cookie=cookie)
        if status != 200:
            raise SystemExit(f"{path}: {status} {text.decode()[:500]}")
        return json.loads(text)

    def upload(self, path, files, fields=(), cookie="", headers=()):
        edge = "edge-of-a-part"
        body = b"".join(f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields)
        for name, file, content in files:
            body += f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n'.encode() + content + b"\r\n"
        body += f"--{edge}--\r\n".encode()
        return self.request("POST", "/api/v1" + path, body, cookie, headers, f"multipart/form-data; boundary={edge}")

    def memory(self):
        """(resident, greatest resident) in MB"""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return tuple(int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024 for name in ("VmRSS", "VmHWM"))

    def processor(self):
        """Seconds of processor time"""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)


def cookie_of(headers):
    return headers["set-cookie"].split(";")[0]


def make_campaign(server, cookie, slug, qrels, **more):
    now = datetime.datetime.now(datetime.timezone.utc)
    at = lambda hours: (now + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M")
    # The final board is of all topics, so that it has the means that `eval` prints.
    fields = {"slug": slug, "title": slug, "opens": at(-1), "closes": at(48), "measures": " ".join(MEASURES), "final_on": "all",
              "entries_per_day": "1000", "entries_in_all": "1000", **more}
    status, _, text = server.upload("/new", [("qrels", "qrels.txt", qrels.encode())], fields.items(), cookie)
    if status != 201:
        raise SystemExit(f"/new: {status} {text.decode()[:500]}")
    server.form(f"/c/{slug}/admin/publish", cookie)


def make_teams(server, organiser, slug, number):
    """The cookies of one member of each team. Accounts are made two at a time, because each password is hashed."""
    code = json.loads(server.form(f"/api/v1/c/{slug}/admin/codes", organiser, role="participant", uses=number)[1])["code"]

    def join(team):
        headers = {"x-forwarded-for": f"10.0.{team // 250}.{team % 250 + 1}"}
        fields = {"code": code, "team": f"Team {team:03}", "login": f"{slug}-{team}", "name": f"Member {team}", "password": PASSWORD}
        return cookie_of(server.form("/join", "", headers=headers, **fields)[0])

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(join, range(number)))


# ------------------------------------------------------------------------------------------------ uploads

def send_runs(server, slug, cookies, content, at_once):
    """Statuses and seconds until the acknowledgement, for one entry of each team."""
    def send(team):
        started = time.perf_counter()
        status, _, _ = server.upload(f"/c/{slug}/submit", [("run", f"team-{team}.run.gz", content(team))], cookie=cookies[team])
        return status, time.perf_counter() - started

    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(send, range(len(cookies))))


def scored(server, slug):
    return sum(row["entries"] for row in server.json(f"/c/{slug}/board")["rows"])


def wait_scored(server, slug, wanted, seconds=300):
    """When the board shows this many entries."""
    end = time.perf_counter() + seconds
    while scored(server, slug) < wanted:
        if time.perf_counter() > end:
            raise SystemExit(f"only {scored(server, slug)} of {wanted} entries are on the board after {seconds} s")
        time.sleep(0.25)
    return time.perf_counter()


def different_from_eval(server, binary, slug, organiser, runs, teams, folder):
    """The values of the final board that are not those of `cranfield eval`, and the number that was compared."""
    (folder / "qrels.txt").write_text(runs.qrels)
    rows_of = lambda name: server.json(f"/c/{slug}/board?part=final&measure={urllib.parse.quote(name)}", organiser)["rows"]
    wrong, compared = [], 0
    boards = {name: {row["team"]: row["value"] for row in rows_of(name)} for name in MEASURES}
    for start in range(0, teams, 20):
        files = []
        for team in range(start, min(start + 20, teams)):
            files.append(folder / f"{team}.run.gz")
            files[-1].write_bytes(runs.of(team))
        command = [binary, "eval", str(folder / "qrels.txt"), *map(str, files), "--format", "csv", "--quiet"]
        command += [word for name in MEASURES for word in ("-m", name)]
        for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[1:]:
            run, _, name, value = line.split(",")
            compared += 1
            if boards[name].get(f"Team {int(run):03}") != float(value):
                wrong.append((run, name, value, boards[name].get(f"Team {int(run):03}")))
        for file in files:
            file.unlink()
    return wrong, compared


# ------------------------------------------------------------------------------------------------ readers

class Reader(asyncio.Protocol):
    """A connection that asks for a page at fixed times, whether or not the answer before is late. Seconds count from when it should have asked."""

    def __init__(self, request, period, times, statuses):
        self.request, self.period, self.times, self.statuses = request, period, times, statuses
        self.buffer, self.missing, self.due, self.is_open = b"", 0, [], False

    def connection_made(self, transport):
        self.transport, self.is_open = transport, True

    def ask(self, due):
        if not self.is_open:
            self.statuses["closed"] = self.statuses.get("closed", 0) + 1
            return
        self.due.append(due)
        if len(self.due) == 1:
            self.transport.write(self.request)

    def data_received(self, data):
        if self.missing:
            self.missing -= len(data)
        else:
            self.buffer += data
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            status = head[9:12].decode()
            self.statuses[status] = self.statuses.get(status, 0) + 1
            length = re.search(rb"content-length: (\d+)", head, re.I)
            self.missing, self.buffer = int(length[1]) - len(rest) if length else 0, b""
        if self.missing <= 0:
            self.missing = 0
            self.times.append(time.perf_counter() - self.due.pop(0))
            if self.due:
                self.transport.write(self.request)

    def connection_lost(self, _):
        self.is_open = False


async def read_boards(port, path, connections, rate, seconds, etag):
    headers = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\n"
    request = (headers + (f"If-None-Match: {etag}\r\n" if etag else "") + "\r\n").encode()
    loop, times, statuses, period = asyncio.get_running_loop(), [], {}, connections / rate
    readers = []
    for _ in range(connections):
        readers.append((await loop.create_connection(lambda: Reader(request, period, times, statuses), "127.0.0.1", port))[1])
    started = time.perf_counter()
    for number in range(int(rate * seconds)):
        due = started + number / rate
        if (wait := due - time.perf_counter()) > 0.001:
            await asyncio.sleep(wait)
        readers[number % connections].ask(due)
    await asyncio.sleep(0.5)
    unanswered = sum(len(reader.due) for reader in readers)
    for reader in readers:
        reader.transport.close()
    return {"times": times, "statuses": statuses, "unanswered": unanswered, "seconds": seconds}


async def listen(port, path, connections, ready, moments):
    """Opens listeners, reports that all have the first event, and then the time of each later event."""
    async def one(first):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n".encode())
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while True:
                line = await reader.readuntil(b"\n")
                if line.startswith(b"data:"):
                    now = time.perf_counter()
                    if not first.is_set():
                        first.set()
                    else:
                        moments.put((now, line.decode().strip()))
        writer.close()

    firsts = [asyncio.Event() for _ in range(connections)]
    tasks = [asyncio.create_task(one(first)) for first in firsts]
    await asyncio.gather(*(first.wait() for first in firsts))
    ready.set()
    await asyncio.gather(*tasks)


def in_process(function, *arguments):
    """Runs a coroutine in a process of its own, so that its clock is not held up by other clients; returns a function that waits for its result."""
    results = multiprocessing.Queue()
    process = multiprocessing.Process(target=lambda: results.put(asyncio.run(function(*arguments))), daemon=True)
    process.start()
    return process, results.get


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


# ------------------------------------------------------------------------------------------------ the page

class Page:
    """Figures, each with its limit."""

    def __init__(self):
        self.rows, self.missed = [], []

    def add(self, what, figure, limit="", holds=True):
        step(f"  {what}: {figure}" + (f" (limit: {limit}{'' if holds else '; MISSED'})" if limit else ""))
        self.rows.append([what, figure, limit if holds else f"**missed:** {limit}"])
        if not holds:
            self.missed.append(what)

    def write(self, path, arguments, runs, version):
        command = "python3 benches/server.py" + (" --quick" if arguments.quick else "")
        text = f"""# Load on the campaign server

`{command}` wrote this page on {datetime.date.today()} with {version}.
Machine: {machine()}. The clients ran on the same machine.

{arguments.teams} teams sent one run each: {runs.lines:,} lines of {runs.topics} topics, {runs.bytes / 1e6:.0f} MB, as gzip of {len(runs.of(0)) / 1e6:.1f} MB; {arguments.at_once} uploads at once.
Readers asked for the board at fixed times, {arguments.rate:,} times per second over {arguments.connections} connections, and a late answer did not delay the next request.
Their times count from the moment at which a request was due.

{markdown_table(["what", "measured", "limit"], self.rows)}"""
        path.write_text(text)


def measure_uploads(page, server, binary, runs, arguments, organiser, cookies, folder):
    step("uploads")
    before, started = server.processor(), time.perf_counter()
    sent = send_runs(server, "load", cookies, runs.of, arguments.at_once)
    took = time.perf_counter() - started
    statuses = {status: sum(1 for found, _ in sent if found == status) for status in {found for found, _ in sent}}
    all_shown = wait_scored(server, "load", arguments.teams) - started
    page.add(f"{arguments.teams} uploads acknowledged after", f"{took:.1f} s", "60 s", took < 60)
    page.add("statuses", ", ".join(f"{number} × {status}" for status, number in sorted(statuses.items())), "202 only", set(statuses) == {202})
    page.add("an upload, median and 95th percentile", f"{statistics.median(t for _, t in sent):.2f} s, {percentile([t for _, t in sent], 0.95):.2f} s")
    page.add("all entries scored and on the board after", f"{all_shown:.1f} s", "90 s", all_shown < 90)
    page.add("processor time of the server for each entry", f"{(server.processor() - before) / arguments.teams:.2f} s")
    page.add("greatest memory of the server", f"{server.memory()[1]:.0f} MB", "600 MB", server.memory()[1] < 600)
    wrong, compared = different_from_eval(server, binary, "load", organiser, runs, arguments.teams, folder)
    expected = arguments.teams * len(MEASURES)
    page.add("values of the board with the bits of `cranfield eval`", f"{compared - len(wrong)} of {expected}", "all", not wrong and compared == expected)
    if wrong:
        step(f"  first differences: {wrong[:3]}")


def busy(server, runs, arguments, cookies, stop):
    """Keeps entries in the queue until told to stop; returns their number."""
    number = 0

    def feed():
        nonlocal number
        while not stop.is_set():
            some = [number + place for place in range(8)]
            number += 8
            with ThreadPoolExecutor(2) as pool:
                statuses = list(pool.map(lambda n: server.upload(
                    "/c/load/submit", [("run", f"{n}.run.gz", runs.of(arguments.teams + n))], cookie=cookies[n % len(cookies)])[0], some))
            if set(statuses) != {202}:
                raise SystemExit(f"uploads while the board was read: {statuses}")
            # The queue is not empty, and not without end.
            while not stop.is_set() and scored(server, "load") < arguments.teams + number - 4:
                time.sleep(0.2)

    thread = threading.Thread(target=feed)
    thread.start()
    return thread


def measure_boards(page, server, runs, arguments, cookies):
    etag = server.request("GET", "/c/load/board", headers={"accept-encoding": "gzip"})[1]["etag"]
    body = server.request("GET", "/c/load/board")[2]
    page.add("the page of the board", f"{len(body) / 1024:.0f} KB")
    for name, scoring, tag in [("board", False, None), ("board, while entries are scored", True, None), ("board unchanged (304), while entries are scored", True, etag)]:
        step(name)
        stop = threading.Event()
        thread = busy(server, runs, arguments, cookies, stop) if scoring else None
        _, result = in_process(read_boards, server.port, "/c/load/board", arguments.connections, arguments.rate, arguments.seconds, tag)
        found = result()
        stop.set()
        if thread:
            thread.join()
        times, p99 = found["times"], percentile(found["times"], 0.99)
        answered = len(times) / found["seconds"]
        page.add(f"{name}: median, 99th percentile, greatest", f"{1000 * statistics.median(times):.1f} ms, {1000 * p99:.1f} ms, {1000 * max(times):.0f} ms", "99 % < 100 ms", p99 < 0.1)
        good = set(found["statuses"]) <= {"200", "304"} and not found["unanswered"]
        page.add(f"{name}: answers per second, and their statuses", f"{answered:,.0f}, " + ", ".join(f"{number} × {status}" for status, number in sorted(found["statuses"].items())), "no error", good)
    if shutil.which("wrk"):
        step("wrk")
        command = ["wrk", "-t1", f"-c{arguments.connections}", f"-d{arguments.seconds}s", "--latency", "-H", "Accept-Encoding: gzip", f"http://127.0.0.1:{server.port}/c/load/board"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        rate, p99 = re.search(r"Requests/sec:\s+(\S+)", text)[1], re.search(r"99%\s+(\S+)", text)[1]
        page.add("as many requests as wrk can send: per second, 99th percentile", f"{float(rate):,.0f}, {p99}")


def measure_events(page, server, runs, arguments, cookies):
    step("events")
    ready, moments = multiprocessing.Event(), multiprocessing.Queue()
    before = server.memory()[0]
    process, _ = in_process(listen, server.port, "/c/load/events", arguments.connections, ready, moments)
    if not ready.wait(30):
        raise SystemExit("not all listeners got the first event")
    page.add(f"memory of {arguments.connections} listeners", f"{max(0, server.memory()[0] - before) * 1024 / arguments.connections:.0f} KB each", "40 KB", (server.memory()[0] - before) * 1024 / arguments.connections < 40)
    version = server.json("/c/load/board")["version"]
    status = server.upload("/c/load/submit", [("run", "last.run.gz", runs.of(10**6))], cookie=cookies[0])[0]
    assert status == 202, status
    while server.json("/c/load/board")["version"] == version:
        time.sleep(0.02)
    shown = time.perf_counter()
    times = []
    with contextlib.suppress(Exception):
        while len(times) < arguments.connections:
            times.append(moments.get(timeout=5)[0])
    process.terminate()
    page.add("listeners that got the event", f"{len(times)} of {arguments.connections}", "all", len(times) == arguments.connections)
    if times:
        page.add("from the first listener to the last", f"{1000 * (max(times) - min(times)):.0f} ms", "1 s", max(times) - min(times) < 1)
        page.add("from the new board to the last listener", f"{1000 * max(0, max(times) - shown):.0f} ms", "1 s", max(times) - shown < 1)


def measure_starts(page, binary, data, server, arguments, organiser):
    step("many entries")
    qrels = "".join(f"{topic} 0 d{topic} 1\n" for topic in range(1, 11))
    make_campaign(server, organiser, "many", qrels)
    teams = make_teams(server, organiser, "many", max(2, arguments.entries // 20))
    entry = lambda n: "".join(f"{topic} Q0 d{(topic + n) % 97} 1 {1 + n / 1e6} t\n" for topic in range(1, 11)).encode()

    def send(n):
        headers = {"x-forwarded-for": f"10.1.{n // 250}.{n % 250 + 1}"}
        while True:
            status, found, _ = server.upload("/c/many/submit", [("run", "a.run", entry(n))], cookie=teams[n % len(teams)], headers=headers)
            if status != 429:
                return status
            time.sleep(float(found.get("retry-after", 1)))

    started = time.perf_counter()
    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(send, range(arguments.entries)))
    page.add("small entries acknowledged per second, 16 at once", f"{len(statuses) / (time.perf_counter() - started):.0f}", "202 only", set(statuses) == {202})
    wait_scored(server, "many", arguments.entries)
    page.add("memory of the server after all of this", f"{server.memory()[0]:.0f} MB")
    started = time.perf_counter()
    code = server.stop()
    page.add("stop by SIGTERM", f"exit code {code} after {1000 * (time.perf_counter() - started):.0f} ms", "exit code 0", code == 0)
    starts = []
    for _ in range(3):
        again = Server(binary, "--data", str(data))
        starts.append(again.seconds_to_answer)
        idle = again.memory()[0]
        again.stop()
    page.add(f"start to the first answer, with {arguments.entries + arguments.teams:,} entries and more", f"{1000 * statistics.median(starts):.0f} ms", "300 ms", statistics.median(starts) < 0.3)
    page.add("memory after a start", f"{idle:.0f} MB", "60 MB", idle < 60)
    demos = []
    for _ in range(3):
        demo = Server(binary, "--demo")
        demos.append(demo.seconds_to_answer)
        demo.stop()
    page.add("start of the demonstration to its first answer", f"{statistics.median(demos):.2f} s", "3 s", statistics.median(demos) < 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(TARGET / "release" / "cranfield"), help="the program (default: that of the last release build)")
    parser.add_argument("--quick", action="store_true", help="20 teams, small runs and short loads, to try it")
    parser.add_argument("--out", type=Path, help="the page (default: docs/benchmarks-server.md, or nothing with --quick)")
    parser.add_argument("--topics", type=int, help="topics of a run, of 1,000 documents each (default: 698)")
    parser.add_argument("--teams", type=int, help="number of teams (default: 200)")
    parser.add_argument("--at-once", type=int, default=32, help="uploads at once")
    parser.add_argument("--connections", type=int, default=500, help="readers and listeners")
    parser.add_argument("--rate", type=int, default=2000, help="requests for the board per second")
    parser.add_argument("--seconds", type=int, help="duration of each load on the board (default: 20)")
    parser.add_argument("--entries", type=int, help="small entries before the restart (default: 2000)")
    arguments = parser.parse_args()
    defaults = {"topics": (698, 60), "teams": (200, 20), "seconds": (20, 3), "entries": (2000, 200)}
    for name, (full, quick) in defaults.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, quick if arguments.quick else full)
    out = arguments.out or (None if arguments.quick else ROOT / "docs" / "benchmarks-server.md")
    began = time.perf_counter()
    make_data(TARGET / "bench-data", ["M"])
    step("making runs")
    runs = Runs(TARGET / "bench-data" / "M", arguments.topics)
    runs.topics = arguments.topics
    page = Page()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        server = Server(arguments.binary, "--data", str(data), "--trusted-proxy", "127.0.0.1")
        try:
            step("making a campaign and its teams")
            page.add("memory after the first start", f"{server.memory()[0]:.0f} MB", "60 MB", server.memory()[0] < 60)
            organiser = cookie_of(server.form(server.setup, login="prof", name="Prof", password=PASSWORD)[0])
            make_campaign(server, organiser, "load", runs.qrels)
            cookies = make_teams(server, organiser, "load", arguments.teams)
            measure_uploads(page, server, arguments.binary, runs, arguments, organiser, cookies, Path(folder))
            measure_boards(page, server, runs, arguments, cookies)
            measure_events(page, server, runs, arguments, cookies)
            measure_starts(page, arguments.binary, data, server, arguments, organiser)
        finally:
            server.process.kill()
            errors = [line for line in server.log if '"level":"error"' in line]
        page.add("errors in the log of the server", str(len(errors)), "none", not errors)
    version = subprocess.run([arguments.binary, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    if out:
        page.write(out, arguments, runs, version)
        step(f"wrote {out}")
    step(f"took {time.perf_counter() - began:.0f} s" + (f"; missed: {', '.join(page.missed)}" if page.missed else "; all limits hold"))
    sys.exit(1 if page.missed else 0)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
