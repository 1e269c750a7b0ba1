"""A player for `carom play --players "exec:python3 examples/bots/ghost_ball.py",bot:easy`, in every game.

It gets one line of JSON for every decision and answers with one: docs/src/bots.md says what stands in both. It sends the ball on that needs the
thinnest turn to the pocket that is nearest to straight, by the ghost ball alone, and plays no position. Where there are no pockets it hits the
nearest red, and in curling it sends its stone to the button, or at a stone of the other side that lies nearer.
"""

import json
import math
import sys


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1])


def length(a):
    return math.hypot(a[0], a[1])


def is_clear(start, end, others, width):
    """Whether no ball is within `width` of the straight path."""
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
    """The balls on the table, with their places. The place of any other ball is a word such as "Hand"."""
    return {ball["id"]: ball["place"]["Table"] for ball in question["balls"] if "Table" in ball["place"]}


def may_lie(question, place):
    """Whether the ball in hand may be placed here: on the cloth, where the rules allow it, and clear of other balls."""
    region, radius = question["shoot"]["in_hand"], question["radius"]
    x, y = place
    if abs(x) > question["length"] / 2 - 1.01 * radius or abs(y) > question["width"] / 2 - 1.01 * radius:
        return False
    if region == "BehindHeadString" and question["head_string"] is not None and x >= question["head_string"] - 1e-4:
        return False
    if region == "D" and question["baulk"] is not None:
        line, bow = question["baulk"]["line"], question["baulk"]["radius"]
        if x > line or length((x - line, y)) > bow - 1e-4:
            return False
    others = [at for ball, at in on_table(question).items() if ball != question["shoot"]["cue_ball"]]
    return all(length(sub(place, other)) > 2.01 * radius for other in others)


def places_in_hand(question):
    """The places for the ball in hand: its spot, or else the marked places and then a grid."""
    region = question["shoot"]["in_hand"]
    if isinstance(region, dict):
        return [region["Spot"]]
    half = (question["length"] / 2, question["width"] / 2)
    grid = [(half[0] * (i / 32 - 1), half[1] * (j / 8 - 1)) for i in range(1, 64) for j in range(1, 16)]
    marked = [question["spots"][name] for name in ("hack", "brown", "head") if name in question["spots"]]
    return [place for place in marked + grid if may_lie(question, place)]


def pots(question, cue):
    """Every possible pot, as (cosine of the cut angle, distance from ball to pocket, ghost ball, ball, pocket)."""
    radius = question["radius"]
    places = on_table(question)
    task = question["shoot"]
    places.pop(task["cue_ball"], None)
    on = task["on"] or list(places)
    for ball in on:
        if ball not in places or (task["may_call"] and ball not in task["may_call"]):
            continue
        at = places[ball]
        others = [place for other, place in places.items() if other != ball]
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


def call(task, ball, pocket):
    """The call that the rules require: nothing, the ball to hit, or a ball and a pocket."""
    if task["call"] == "nothing":
        return {}
    if task["call"] == "ball":
        return {"ball": ball}
    if task["may_call"] and ball not in task["may_call"]:
        ball = task["may_call"][0]
    return {"ball": ball, "pocket": pocket}


def deliver(question, stone):
    """A stroke for a flat stone, which slides: v² = 2 µ g s. Its speed is (1 + e) / (1 + m / M) times that of the cue."""
    cue = question["cue"]
    button = question["circles"][0]["place"]
    places = on_table(question)
    names = {ball["id"]: ball["name"] for ball in question["balls"]}
    start = places.pop(stone)
    lying = sorted(places, key=lambda ball: length(sub(places[ball], button)))
    target, further = button, 0.0
    if lying and names[lying[0]] != names[stone]:
        target, further = places[lying[0]], 0.3
    way = sub(target, start)
    speed = math.sqrt(2 * question["sliding"] * 9.81 * (length(way) + further))
    ratio = (1 + cue["tip_restitution"]) / (1 + question["ball_mass"] / cue["mass"])
    return {"speed": min(speed / ratio, 20.0), "direction": way}


def shoot(question):
    task = question["shoot"]
    places = on_table(question)
    lies = places.get(task["cue_ball"])
    is_in_hand = task["in_hand"] is not None and not isinstance(task["in_hand"], dict)
    if lies is None or (is_in_hand and not may_lie(question, lies)):
        free = places_in_hand(question)
        # The place with the straightest pot, if there is one.
        best = max(free[:200], key=lambda place: max(pots(question, place), default=(0.0,))[0])
        return {"Place": free[0] if task["is_break"] else best}
    if question["flat"]:
        return {"Shoot": {"strike": deliver(question, task["cue_ball"])}}
    cue = places.pop(task["cue_ball"])
    found = None if task["is_break"] else max(pots(question, cue), default=None)
    if found:
        cosine, far, ghost, ball, pocket = found
        direction = sub(ghost, cue)
        speed = (1.0 + 0.6 * (far + length(direction))) / cosine
    else:
        on = [ball for ball in places if not task["on"] or ball in task["on"]] or list(places)
        if not question["pockets"]:
            # In some games the opponent's ball must not be hit. A red ball may be hit in all of them.
            names = {ball["id"]: ball["name"] for ball in question["balls"]}
            on = [ball for ball in on if names[ball] == "red"] or on
        ball, pocket = min(on, key=lambda ball: length(sub(places[ball], cue)), default=None), 0
        direction = sub(places[ball], cue) if on else [1.0, 0.0]
        speed = 7.0 if task["is_break"] else 2.5
    strike = {"speed": min(speed, 8.0), "direction": direction}
    return {"Shoot": {"call": call(task, ball, pocket), "strike": strike}}


for line in sys.stdin:
    question = json.loads(line)
    if "choose" in question:
        answer = {"Choose": question["choose"][0]}
    else:
        answer = shoot(question)
    print(json.dumps(answer), flush=True)
