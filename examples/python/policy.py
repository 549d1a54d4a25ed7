# SPDX-License-Identifier: Apache-2.0
"""From PGN to a small policy network: python policy.py games.pgn [STEPS]. It writes games.p11, games.npz and games.svg, a plot of the loss."""
import itertools, os, sys
import numpy as np
import ply11

HIDDEN, BATCH, RATE = 128, 256, 0.002

def train(data, steps):
    """One hidden layer, trained by Adam. Returns the weights, and the loss of each step in nats a move."""
    rng = np.random.default_rng(1)
    weights = [rng.normal(0, 768**-0.5, (768, HIDDEN)), np.zeros(HIDDEN), np.zeros((HIDDEN, 1858)), np.zeros(1858)]
    weights = [w.astype(np.float32) for w in weights]
    means, squares, losses = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights], []
    batches = itertools.chain.from_iterable(itertools.repeat(data))  # epochs
    for step, b in enumerate(itertools.islice(batches, steps), 1):
        x, legal, played = b["planes"].reshape(-1, 768), b["legal"], b["labels"]
        hidden = np.maximum(x @ weights[0] + weights[1], 0)
        scores = np.where(legal, hidden @ weights[2] + weights[3], -np.inf)
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        rows = np.arange(len(played))
        losses.append(-np.log(p[rows, played]).mean())
        p[rows, played] -= 1  # the gradient of the scores, but for the size of the batch
        p /= len(played)
        back = p @ weights[2].T * (hidden > 0)
        for w, m, s, g in zip(weights, means, squares, [x.T @ back, back.sum(axis=0), hidden.T @ p, p.sum(axis=0)]):
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            w -= RATE * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
        if step % max(1, steps // 10) == 0:
            print(f"step {step}: {losses[-1]:.3f} nats a move")
    return weights, losses

pgn, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
name = os.path.splitext(pgn)[0]
data = ply11.Dataset(ply11.open(pgn, beside=True), BATCH, planes="board", legal="bool", dtype=np.float32)
if len(data) == 0:
    sys.exit(f"{pgn} has no moves")
weights, losses = train(data, steps)
np.savez(name + ".npz", *weights)
points = " ".join(f"{20 + 600 * i / len(losses):.1f},{380 - 360 * loss / max(losses):.1f}" for i, loss in enumerate(losses))
with open(name + ".svg", "w") as f:
    f.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400"><path d="M20 20V380H620" fill="none" stroke="#888"/><polyline points="{points}" fill="none" stroke="#06c"/><text x="30" y="30">{max(losses):.2f} nats a move</text></svg>\n')
