# SPDX-License-Identifier: Apache-2.0
"""Reads what reports print of a comparison, and decides whether a printed figure is a number's. It shares no code with
regild: tests/parts/corpus/story.py and sentences.py compare what it reads with the document and the goldens."""
import collections
import html
import math
import re

SHOWN = 8  # findings that are printed
# A sign and a figure, without an exponent.
PERCENT = r"(?:< 0\.00001|0|[+-](?:[\d,]+(?:\.\d+)?|inf|over 1,000,000,000)) %"
SHARE = r"(?:< 0\.00001|[\d,]+(?:\.\d+)?|inf|over 1,000,000,000) %"
BLOCKS = ("REVIEW", "MOVED", "CHECKS", "NOISE", "NEXT")

Finding = collections.namedtuple("Finding", "metric figure note name more")


def number(text):
    return float(text.replace(",", ""))


def is_near(text, share):
    """Is "+1.87 %" the share 0.0187, with three digits, or two of what is under 1 %?"""
    sign, digits = re.match(r"([+-]?)(.*) %$", text).groups()
    percent = abs(share) * 100
    if digits == "< 0.00001":
        return 0 < percent < 0.00001
    if sign and (sign == "-") != (share < 0):
        return False
    if digits == "inf" or digits.startswith("over"):
        return math.isinf(percent) if digits == "inf" else percent >= 1e9
    if digits == "0":
        return share == 0
    return abs(number(digits) - percent) <= max(0.00502 * percent, 0.0502 * percent if percent < 1 else 0, 0.00000501)


def is_range(text, low, high):
    """Is "-1.34 to +0.15 %" that range?"""
    if " to " not in text:
        return is_near(text, low) and is_near(text, high)
    first, last = text[:-2].split(" to ")
    return low < high and is_near(first + " %", low) and is_near(last + " %", high)


def is_within(text, share):
    """Is "7.5 %" no less than the share, and hardly more?"""
    percent = abs(share) * 100
    if text == "< 0.00001 %":
        return percent < 0.00001
    return percent <= number(text[:-2]) * (1 + 1e-9) and number(text[:-2]) <= percent * 1.11 + 0.00001


def is_pair(text, old, new):
    """Is "0 -> 0.04" these two values, with digits enough to tell them apart?"""
    before, after = text.split(" -> ")
    return before != after and all(abs(float(a) - b) <= 0.0051 * abs(b) + 1e-300 for a, b in ((before, old), (after, new)))


# --- what a page, markdown and a pipe have of the findings ---

def without_escapes(text):
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


# A name with signs that mean something is between tags of HTML.
CODE = r"(?:`(?P<%s>[^`]*)`|<code>(?P<%s_>.*?)</code>)"


def code_of(found, name):
    return found[name] or without_escapes(found[name + "_"] or "")


def markdown_findings(text):
    """(findings, how many more) of the list below **REVIEW**."""
    at = text.find("**REVIEW**\n")
    out, more = [], 0
    for line in text[at:].split("\n")[1:] if at >= 0 else []:
        if line.startswith("**") or line.startswith("<"):
            break
        if not line.startswith("- "):
            continue
        rest = re.match(r"- ([\d,]+) more: ", line)
        if rest:
            more = int(number(rest[1]))
            break
        found = re.match("- (?:" + CODE % ("metric", "metric") + r" )?\*\*(?P<figure>.*?)\*\*(?: \((?P<note>.*?)\))?(?:: \[?" +
                         CODE % ("name", "name") + r"(?:\]\([^)]*\))?(?: and (?P<more>\d+) more)?)?$", line)
        if not found:
            raise ValueError("not a finding: " + line)
        out.append(Finding(code_of(found, "metric"), without_escapes(found["figure"]), without_escapes(found["note"] or ""),
                           code_of(found, "name"), int(found["more"] or 0)))
    return out, more


def page_findings(text):
    text = text[:text.find("<script")]
    block = re.search(r'<ul class="review">(.*?)</ul>(?:\s*<p>([\d,]+) more: )?', text, re.S)
    if not block:
        return [], 0
    out = []
    for item in re.findall(r"<li[^>]*>(.*?)</li>", block[1], re.S):
        found = re.match(r'(?:<code>(.*?)</code> )?<strong>(.*?)</strong>(?: <span class="note">(.*?)</span>)?'
                         r"(?: (?:<a [^>]*>)?<code>(.*?)</code>(?:</a>)?(?: and (\d+) more)?)?(?: \(<a .*</a>\))?$", item, re.S)
        if not found:
            raise ValueError("not a finding: " + item)
        metric, figure, note, name = (html.unescape(part or "") for part in found.groups()[:4])
        out.append(Finding(metric, figure, note, name, int(found[5] or 0)))
    return out, int(number(block[2])) if block[2] else 0


def block_of(text, name):
    """The lines of a block, the last in the text, without its head's word; None: there is none. What has no label of
    its own ends it."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if line == name or line.startswith(name + " ")]
    if not starts:
        return None
    out = [lines[starts[-1]][len(name):]]
    for line in lines[starts[-1] + 1:]:
        if not line.startswith("  "):
            break
        out.append(line)
    return out


def piped_findings(text):
    """Of a pipe, whose lines are as long as they have to be."""
    lines = block_of(text, "REVIEW")
    out = []
    for line in (lines or [""])[1:]:
        rest = re.match(r"  ([\d,]+) more: ", line)
        if rest:
            return out, int(number(rest[1]))
        out.append([part for part in re.split(r"  +", line) if part])
    return out, 0


def verdict_of(text):
    """The last line that begins as a verdict does, with what follows where it was wrapped."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if re.match(r"[\d,]+ goldens? compared|showing ", line)]
    if not starts:
        return ""
    out = lines[starts[-1]]
    for line in lines[starts[-1] + 1:]:
        if not line.startswith("    "):
            break
        out += " " + line.strip()
    return out


SIDES = r"(?P<sides>, .+? -> .+?)"
REASON = (r"(?:[\d,]+ goldens? (?:has|have) new (?:NaNs|infinite values|NaN or infinite values)|(?:values|metrics) removed from [\d,]+ goldens?|"
          r"records (?:removed|added)|[\d,]+ goldens? (?:removed|held back|unreadable|partly read)|\d+ new goldens?|"
          r"[\d,]+ artifacts? missing|[\d,]+ tests? or operator results? worse|\d+ fails? .+?|the run has changed|"
          r"outliers in [\d,]+ goldens?|[\d,]+ goldens? over (?:its|their) flag levels?|[\d,]+ goldens? moved|"
          r"values that were 0 or tiny in [\d,]+ goldens?|another kind of values in [\d,]+ goldens?|"
          r"[\d,]+ goldens? (?:is|are) finite again|(?:values|metrics) added to [\d,]+ goldens?|"
          r"[\d,]+ goldens? differs? without a figure)")
# Nothing was compared exactly where it says so.
VERDICT = re.compile(r"(?!0 .*nothing to review)(?![1-9].*nothing to compare)(?P<compared>[\d,]+) goldens? compared(?:%s)?: "
                     r"(?:nothing to (?:review|compare)|needs review \((?P<why>%s(?:; %s)?)\))$" %
                     (SIDES, REASON, REASON))
