#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a comparison's page against what the terminal shows of it: the same rows marked, the same order,
the same number to look at, and a curve of each metric that needs a look and has one.

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
exact = sum(row["kind"] != "series" and not row["identical"] for row in rows)
said = re.search(r"look at (\d+) of \d+ row", " ".join(head["text"] for head in story["heads"]))
said = int(said[1]) if said else 0
if not looks <= said <= looks + exact:
    complain("looks", said, looks, exact)
heads = re.search(r'<p class="heads">(.*)</p>', page)
if not heads or [html.unescape(text) for text in re.findall(r">([^<]+)<", heads[1])] != [head["text"] for head in story["heads"]]:
    complain("the heads of the page are not the story's")

curves = {(curve["file"], curve["metric"]) for curve in document["curves"]}
cards = re.findall(r'<article class="card.*?</article>', page, re.S)
wanted = [card for card in story["cards"] if card["looks"] or card["class"] == "loss" and card["changed"]]
if sum(card["looks"] for card in story["cards"]) < said:
    complain("rows to look at that no card has", said)
if len(wanted) != len(cards) and len(story["cards"]) <= 100:
    complain("cards", len(wanted), len(cards))
figures = 0
for card, text in zip(wanted, cards):
    if "<h3><a href=" not in text or html.escape(card["metric"], quote=False) not in html.unescape(text).replace("&", "&amp;") and \
            card["metric"] not in html.unescape(text):
        complain("the cards are not in the story's order", card["metric"])
    has_curve = card["looks"] and (card["worst"]["file"], card["worst_metric"]) in curves
    figures += bool(has_curve)
    if has_curve and figures <= 12 and 'class="plot"' not in text:
        complain("no curve of", card["metric"])
sys.exit(wrong > 0)
