"""A player for `carom play --players "exec:python3 examples/bots/ghost_ball.py",bot:easy`.

It gets one line of JSON for every decision and answers with one: docs/games.md says what stands in both. It sends the ball on that needs the
thinnest turn to the pocket that is nearest to straight, by the ghost ball alone, and plays no position.
"""

import json
import math
import sys


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1])


def length(a):
    return math.hypot(a[0], a[1])


def is_clear(start, end, others, width):
    """Whether no ball lies within `width` of the way."""
    way = sub(end, start)
    far = length(way)
    if far == 0:
        return True
    along = (way[0] / far, way[1] / far)
    for other in others:
        beside = sub(other, start)
        nearest = min(max(beside[0] * along[0] + beside[1] * along[1], 0), far)
        if length((beside[0] - along[0] * nearest, beside[1] - along[1] * nearest)) < width:
            return False
    return True


def on_table(question):
    """The balls that lie on the table, with their places; of the others the place is a word such as "Hand"."""
    return {ball["id"]: ball["place"]["Table"] for ball in question["balls"] if "Table" in ball["place"]}


def pots(question, cue):
    """Every pot that is there, as (cosine of the cut angle, way of the object ball, ghost ball, ball, pocket)."""
    radius = question["radius"]
    places = on_table(question)
    cue_ball = question["shoot"]["cue_ball"]
    on = question["shoot"]["on"] or [ball for ball in places if ball != cue_ball]
    may_call = question["shoot"]["may_call"]
    for ball in on:
        if ball not in places or (may_call and ball not in may_call):
            continue
        at = places[ball]
        others = [place for other, place in places.items() if other not in (ball, cue_ball)]
        for number, pocket in enumerate(question["pockets"]):
            way = sub(pocket, at)
            far = length(way)
            line = (way[0] / far, way[1] / far)
            ghost = (at[0] - 2 * radius * line[0], at[1] - 2 * radius * line[1])
            aim = sub(ghost, cue)
            if length(aim) == 0:
                continue
            cosine = (aim[0] * line[0] + aim[1] * line[1]) / length(aim)
            if cosine > 0.2 and is_clear(at, pocket, others, 2 * radius) and is_clear(cue, ghost, others, 2 * radius):
                yield cosine, far, ghost, ball, number


def shoot(question):
    task = question["shoot"]
    places = on_table(question)
    if task["cue_ball"] not in places:
        # In hand: beside the middle of the D, or of the head string, unless a ball lies there.
        baulk = question["baulk"] or {"line": -question["length"] / 4}
        return {"Place": [baulk["line"] - question["radius"], 0.1]}
    cue = places.pop(task["cue_ball"])
    found = None if task["is_break"] else max(pots(question, cue), default=None)
    if found:
        cosine, far, ghost, ball, pocket = found
        direction = sub(ghost, cue)
        speed = (1.0 + 0.6 * (far + length(direction))) / cosine
    else:
        on = [ball for ball in places if not task["on"] or ball in task["on"]]
        ball, pocket = min(on, key=lambda ball: length(sub(places[ball], cue))), 0
        direction = sub(places[ball], cue)
        speed = 7.0 if task["is_break"] else 2.5
        if task["may_call"] and ball not in task["may_call"]:
            ball = task["may_call"][0]
    strike = {"speed": min(speed, 8.0), "direction": direction}
    return {"Shoot": {"call": {"ball": ball, "pocket": pocket}, "strike": strike}}


for line in sys.stdin:
    question = json.loads(line)
    if "choose" in question:
        answer = {"Choose": question["choose"][0]}
    else:
        answer = shoot(question)
    print(json.dumps(answer), flush=True)
