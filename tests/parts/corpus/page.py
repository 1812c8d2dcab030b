#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a comparison's page against what the terminal shows of it: the same rows marked, the same order,
the same number to review, a card of each metric that needs review, with a curve where there is one, and links from
the findings to their rows.

usage: page.py JSON HTML TERMINAL
"""
import html
import json
import re
import sys

wrong = 0


def complain(what, *figures):
    global wrong
    wrong += 1
    print("page:", what, *figures)


def terminal_rows(text):
    """(marked, file, metric) of the table of series, whose columns are two blanks or more apart."""
    rows, inside = [], False
    for line in text.splitlines():
        if re.match(r" *file  +metric  +n_steps ", line):
            inside = True
        elif inside and not re.match(r"[*!]? +\S|\S+  +\S", line):
            break
        elif inside:
            parts = re.split(r"  +", line.lstrip("*! "))
            if len(parts) < 4:
                break
            rows.append((line[0] in "*!", parts[0], parts[1]))
    return rows


with open(sys.argv[1]) as file:
    document = json.load(file)
with open(sys.argv[2]) as file:
    page = file.read()
with open(sys.argv[3]) as file:
    terminal = terminal_rows(file.read())

rows, story = document["rows"], document["story"]
shown = [(one["look"], rows[one["row"]]["file"], rows[one["row"]]["metric"]) for one in document["page"]["rows"]]
if not terminal and shown:
    complain("the terminal shows no rows, the page", len(shown))
for place, (here, there) in enumerate(zip(shown, terminal)):
    # A name may hold two blanks, where the terminal's columns cannot be told apart.
    if here != there and "  " not in here[2]:
        complain("row", place, here, there)
        break
if len(shown) != len(terminal):
    complain("rows", len(shown), len(terminal))
for one in document["page"]["rows"]:
    if one["look"] != bool(one.get("why")):
        complain("why", one)

looks = sum(one["look"] for one in document["page"]["rows"])
if story["review"] < looks or looks and not story["findings"]:
    complain("looks", story["review"], looks)
if story["review_goldens"] < len({rows[one["row"]]["file"] for one in document["page"]["rows"] if one["look"]}):
    complain("goldens to review", story["review_goldens"])

# Cards are of the metrics that need review, and of losses that moved: the others are in a list.
curves = {(curve["file"], curve["metric"]) for curve in document["curves"]}
cards = re.findall(r'<article class="card.*?</article>', page, re.S)
moved = [one for one in story["moved"] if not one.get("of_models")]
wanted = [one for one in moved if one.get("review") or one["class"] == "loss" and one["changed"]]
if len(wanted) != len(cards) and len(moved) <= 100:
    complain("cards", len(wanted), len(cards))
figures = 0
for one, text in zip(wanted, cards):
    head = re.search(r"<h3>(?:<a href=[^>]*>)?<code>(.*?)</code>", text)
    if not head or html.unescape(head[1]) != one["metric"]:
        complain("the cards are not in the order of what moved", one["metric"], head and head[1])
        break
    if f'<strong>{one["changed"]} of {one["goldens"]}</strong> moved' not in text:
        complain("how many moved", one["metric"], one["changed"])
    if re.findall(r"(\d*) to review", text) != [str(one.get("review"))] * bool(one.get("review")):
        complain("how many to review", one["metric"], one.get("review"))
    has_curve = one.get("review") and (one.get("worst_file"), one.get("worst_metric")) in curves
    figures += bool(has_curve)
    if has_curve and figures <= 12 and 'class="plot"' not in text:
        complain("no curve of", one["metric"])

# A golden's name leads to its row, of each finding that has one.
block = re.search(r'<ul class="review">.*?</ul>', page, re.S)
for finding, item in zip(story["findings"], re.findall(r"<li[^>]*>.*?</li>", block[0] if block else "", re.S)):
    place = next((place for place, one in enumerate(document["page"]["rows"])
                  if (rows[one["row"]]["file"], rows[one["row"]]["metric"]) == (finding["file"], finding.get("row"))), None)
    link = re.search(r'<a href="#row-([^"]+)"', item)
    if place is not None and finding["kind"] not in ("records-removed", "records-added") and not link:
        complain("no link to the row of", finding["metric"], finding["file"])
    if link and f'id="row-{link[1]}"' not in page:
        complain("the row is not there", link[1])
sys.exit(wrong > 0)
