"""Sweeps the restitution of a running gas, and compares its cooling with Haff's law in a plot.

    carom gas --remote
    python3 examples/remote/cooling.py cooling.svg

For each restitution it resets the energy: every disc gets a random velocity from the same distribution. Then it records
the energy per disc over time. Haff (J. Fluid Mech. 134, 1983): E = E0 / (1 + t / tH)^2, with tH = 4 / ((1 - e^2) nu),
where nu is the collision rate of a disc at the start. It needs only the standard library. `--ticks N` sets the number of
ticks, `--port N` the port.
"""

import argparse
import json
import math
import random
import urllib.request

SETTINGS = "carom::collision::settings::CollisionSettings"
PLAYBACK = "carom::timeline::Playback"
DISC = "carom::components::"
COLOURS = {0.95: "#2a6fb0", 0.9: "#2f8f5b", 0.8: "#c2571a"}
SPREAD = 3.0  # m/s, of each component of a velocity at the start


class Carom:
    """The running program, by JSON-RPC on the loopback."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"

    def ask(self, calls):
        """Sends several calls (method, parameters) at once, and returns their results."""
        batch = [{"jsonrpc": "2.0", "id": i, "method": method, "params": params} for i, (method, params) in enumerate(calls)]
        request = urllib.request.Request(self.url, json.dumps(batch).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            answers = json.load(response)
        for answer in answers:
            if "error" in answer:
                raise SystemExit(f"carom says: {answer['error']['message']}")
        return [answer["result"] for answer in answers]

    def set(self, resource, **values):
        """Writes fields of a resource."""
        self.ask([("world.mutate_resources", {"resource": resource, "path": f".{field}", "value": value}) for field, value in values.items()])

    def discs(self):
        """All discs: their entities, velocities, masses and radii."""
        parts = ["Velocity", "Mass", "Radius"]
        found = self.ask([("world.query", {"data": {"components": [DISC + part for part in parts]}, "filter": {"with": [DISC + "Disc"]}})])[0]
        return [(disc["entity"], *(disc["components"][DISC + part] for part in parts)) for disc in found]

    def run(self, ticks):
        """Runs this many ticks, and waits for them."""
        self.set(PLAYBACK, pending_steps=ticks)
        while self.ask([("world.get_resources", {"resource": PLAYBACK})])[0]["value"]["pending_steps"] > 0:
            pass


def energy(discs):
    """The mean kinetic energy of a disc, joules."""
    return sum(0.5 * mass * (v[0] ** 2 + v[1] ** 2) for _, v, mass, _ in discs) / len(discs)


def heat(carom):
    """Gives every disc a random velocity, with zero total momentum."""
    discs = carom.discs()
    chance = random.Random(1)
    velocities = [[chance.gauss(0, SPREAD), chance.gauss(0, SPREAD)] for _ in discs]
    mean = [sum(v[k] for v in velocities) / len(velocities) for k in (0, 1)]
    carom.ask([
        ("world.insert_components", {"entity": disc[0], "components": {DISC + "Velocity": [v[0] - mean[0], v[1] - mean[1]]}})
        for disc, v in zip(discs, velocities)
    ])
    return carom.discs()


def hit_rate(discs, area):
    """The collision rate of a disc in a gas, 1/s: 2 sqrt(pi) n s g(s) sqrt(kT / m), with Henderson's g(s)."""
    radius, mass = discs[0][3], discs[0][2]
    share = len(discs) * math.pi * radius**2 / area
    contact = (1 - 7 * share / 16) / (1 - share) ** 2
    return 2 * math.sqrt(math.pi) * len(discs) / area * 2 * radius * contact * math.sqrt(energy(discs) / mass)


def cool(carom, restitution, area, ticks, step):
    """Lets the gas cool for at most this many ticks, and returns the points (t / tH, E / E0)."""
    carom.set(SETTINGS, restitution=1.0)
    discs = heat(carom)
    carom.run(60)  # the velocities find their distribution
    discs = carom.discs()
    haff = 4 / ((1 - restitution**2) * hit_rate(discs, area))
    carom.set(SETTINGS, restitution=restitution)
    start, points = energy(discs), [(0.0, 1.0)]
    each = max(1, ticks // 40)
    for tick in range(each, ticks + 1, each):
        carom.run(each)
        points.append((tick * step / haff, energy(carom.discs()) / start))
        if points[-1][0] > 5:
            break
    return points


def draw(curves, path):
    """Writes a plot: the points of each sweep, and Haff's curve."""
    width, height, left, bottom, most = 720, 480, 70, 50, 5.0
    x = lambda t: left + t / most * (width - left - 20)
    y = lambda e: 20 + -math.log10(max(e, 1e-2)) / 2 * (height - bottom - 20)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for share in (1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01):
        parts.append(f'<path d="M{left} {y(share):.1f}H{width - 20}" stroke="#ddd"/><text x="{left - 8}" y="{y(share) + 5:.1f}" text-anchor="end">{share}</text>')
    for t in range(int(most) + 1):
        parts.append(f'<path d="M{x(t):.1f} 20V{height - bottom}" stroke="#ddd"/><text x="{x(t):.1f}" y="{height - bottom + 20}" text-anchor="middle">{t}</text>')
    law = " ".join(f"{x(t / 20):.1f},{y((1 + t / 20) ** -2):.1f}" for t in range(int(most * 20) + 1))
    parts.append(f'<polyline points="{law}" fill="none" stroke="#444" stroke-width="2"/>')
    for row, (restitution, points) in enumerate(curves):
        colour = COLOURS.get(restitution, "#888")
        parts += [f'<circle cx="{x(t):.1f}" cy="{y(e):.1f}" r="3.5" fill="{colour}"/>' for t, e in points if t <= most]
        parts.append(f'<circle cx="{width - 150}" cy="{45 + 22 * row}" r="4" fill="{colour}"/><text x="{width - 138}" y="{50 + 22 * row}">e = {restitution}</text>')
    parts.append(f'<path d="M{width - 158} {45 + 22 * len(curves)}h16" stroke="#444" stroke-width="2"/><text x="{width - 138}" y="{50 + 22 * len(curves)}">Haff</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 10}" text-anchor="middle">t / tH</text><text x="12" y="15">E / E0</text></svg>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", nargs="?", default="cooling.svg")
    parser.add_argument("--port", type=int, default=15702)
    parser.add_argument("--ticks", type=int, default=2400)
    parser.add_argument("--half", type=float, nargs=2, help="half the width and height of the box, metres [default: as the arena says]")
    options = parser.parse_args()
    carom = Carom(options.port)
    half = options.half
    if not half:
        pieces = carom.ask([("world.query", {"data": {"components": ["carom::components::Terrain"]}})])[0]
        half = next(shape["Arena"]["half_size"] for piece in pieces for shape in piece["components"].values() if "Arena" in shape)
    playback = carom.ask([("world.get_resources", {"resource": PLAYBACK})])[0]["value"]
    step = 1 / (playback["tick_rate"] or 64)
    carom.set(PLAYBACK, paused=True)
    # Centres keep a radius away from the walls, but their density is higher there. In a gas this dense the two effects
    # nearly cancel.
    area = 4 * half[0] * half[1]
    curves = []
    for restitution in COLOURS:
        points = cool(carom, restitution, area, options.ticks, step)
        curves.append((restitution, points))
        near = min(points, key=lambda point: abs(point[0] - 1))
        print(f"e = {restitution}: at t = {near[0]:.2f} tH E/E0 is {near[1]:.3f}; Haff's law says {(1 + near[0]) ** -2:.3f}")
    carom.set(SETTINGS, restitution=1.0)
    carom.set(PLAYBACK, paused=playback["paused"])
    draw(curves, options.picture)
    print(f"drawn: {options.picture}")


if __name__ == "__main__":
    main()
