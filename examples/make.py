"""Makes the bundled example: qrels.txt, assessors/*.txt and runs/*.run, always the same bytes.

Nothing here was retrieved by a real system. Twelve questions of hobby gardeners (topics.tsv) are answered from an imaginary
wiki with 400 pages, GW-0001 to GW-0400.

1. Every topic gets some pages that help, with a hidden usefulness from 0 to 3, and the rest of the wiki, with 0.
2. A system sees usefulness through noise. `bm25` and `dense` have noise of their own, `bm25-rm3` is bm25 with a little more, and
   `hybrid` fuses bm25 and dense by reciprocal rank.
3. Each run keeps the best 25 pages of a topic. Scores are rounded as such systems round them, so that some are tied.
4. The first eight pages of bm25 and of dense were judged, and six more that somebody knew. All others are unjudged.
5. Three imaginary assessors judged the same pages: ann reads closely, bob is generous to pages that share words with the
   question, cid is strict and skips some pages. A chair settles the pages on which two of them differ by two grades or more.
6. `bm25-rm3` has no answer for topic 109: as if one job of a batch had failed.

Run it with `python3 examples/make.py`. The generator is spelled out, so that no library can change the data.
"""

from pathlib import Path

HERE = Path(__file__).resolve().parent
TOPICS = [line.split("\t")[0] for line in (HERE / "topics.tsv").read_text(encoding="utf-8").splitlines()[1:]]
PAGES = [f"GW-{number:04d}" for number in range(1, 401)]
DEPTH, POOL, KNOWN = 25, 8, 6


def noise(*key):
    """A number from 0 up to 1 that depends on nothing but the key (FNV-1a, and a final mix of its bits)."""
    mixed = 0xCBF29CE484222325
    for byte in "/".join(map(str, key)).encode():
        mixed = (mixed ^ byte) * 0x100000001B3 % 2**64
    for shift in (33, 29, 32):
        mixed = (mixed ^ mixed >> shift) * 0xFF51AFD7ED558CCD % 2**64
    return (mixed ^ mixed >> 31) / 2**64


def usefulness(topic, page):
    """0 for most pages, and up to 3 for those about the topic; some topics have no page that is worth 3."""
    if noise("about", topic, page) > 0.045:
        return 0
    best = 3 if noise("hard", topic) > 0.35 else 2
    return 1 + int(noise("useful", topic, page) ** 1.4 * best)


def bell(*key):
    """Noise around zero, with most of it near."""
    return noise(*key, "a") + noise(*key, "b") + noise(*key, "c") - 1.5


def lexical(topic, page):
    """Matches words: strong on some topics, and fooled by pages that share words only."""
    fooled = 1.6 if noise("words", topic, page) < 0.05 else 0
    clarity = 0.6 + 0.8 * noise("lexical", topic)
    return clarity * usefulness(topic, page) + fooled + bell("bm25", topic, page)


def semantic(topic, page):
    """Matches meaning: better on other topics."""
    clarity = 0.35 + 0.7 * noise("semantic", topic)
    return clarity * usefulness(topic, page) + 1.2 * bell("dense", topic, page)


def ranked(scores):
    """The best pages with their scores; equal scores by page, as a system that keeps pages in order would."""
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:DEPTH]


def bm25(topic):
    return ranked({page: round(9 + 3.1 * lexical(topic, page), 2) for page in PAGES})


def rm3(topic):
    return ranked({page: round(4 + 1.3 * (lexical(topic, page) + 0.8 * bell("rm3", topic, page)), 3) for page in PAGES})


def dense(topic):
    return ranked({page: round(0.55 + 0.06 * semantic(topic, page), 4) for page in PAGES})


def hybrid(topic):
    fused = {}
    for ranking in (bm25(topic), dense(topic)):
        for rank, (page, _score) in enumerate(ranking, 1):
            fused[page] = fused.get(page, 0) + 1 / (60 + rank)
    return ranked({page: round(score, 5) for page, score in fused.items()})


SYSTEMS = {"bm25": bm25, "bm25-rm3": rm3, "dense": dense, "hybrid": hybrid}


def judged(topic):
    """The pool: what two systems showed first, and what somebody knew already."""
    shown = {page for system in (bm25, dense) for page, _score in system(topic)[:POOL]}
    useful = sorted((page for page in PAGES if usefulness(topic, page)), key=lambda page: noise("known", topic, page))
    return sorted(shown | set(useful[:KNOWN]))


def ann(topic, page):
    """Reads closely, and errs by one grade at times."""
    slip = round(1.4 * bell("ann", topic, page))
    return max(0, min(3, usefulness(topic, page) + slip))


def bob(topic, page):
    """Is generous, above all to pages that share words with the question."""
    shares_words = noise("words", topic, page) < 0.05
    bonus = 2 if shares_words else int(noise("bob", topic, page) < 0.4)
    return min(3, usefulness(topic, page) + bonus)


def cid(topic, page):
    """Is strict, and skips one page in ten."""
    if noise("skip", topic, page) < 0.1:
        return None
    return max(0, usefulness(topic, page) - int(noise("cid", topic, page) < 0.45))


ASSESSORS = {"ann": ann, "bob": bob, "cid": cid}


def chair(topic, page):
    """Settles what the assessors dispute."""
    grades = [grade for assessor in ASSESSORS.values() if (grade := assessor(topic, page)) is not None]
    return usefulness(topic, page) if max(grades) - min(grades) >= 2 else None


def write_judgements(path, grade):
    with open(HERE / path, "w", encoding="ascii", newline="\n") as out:
        for topic in TOPICS:
            for page in judged(topic):
                if (given := grade(topic, page)) is not None:
                    out.write(f"{topic} 0 {page} {given}\n")


def main():
    write_judgements("qrels.txt", usefulness)
    for name, grade in {**ASSESSORS, "chair": chair}.items():
        write_judgements(f"assessors/{name}.txt", grade)
    for name, system in SYSTEMS.items():
        with open(HERE / "runs" / f"{name}.run", "w", encoding="ascii", newline="\n") as out:
            for topic in TOPICS:
                if (name, topic) == ("bm25-rm3", "109"):
                    continue
                for rank, (page, score) in enumerate(system(topic), 1):
                    out.write(f"{topic} Q0 {page} {rank} {score} {name}\n")


if __name__ == "__main__":
    main()
