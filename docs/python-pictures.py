"""A page of positions, as a notebook would show them.

    python docs/python-pictures.py pictures.html

Each cell is what stands in a notebook: some lines of Python, and what they give. Objects with a picture are drawn by the same
`_repr_svg_` that notebooks call.
"""

import html
import sys

import boardprint as bp

CELLS = [
    ("A Sicilian, after four half-moves. The last move is marked.", 'bp.read("1. e4 c5 2. Nf3 d6")[4]'),
    ("A game draws its last position.", 'bp.read("1. f3 e5 2. g4 Qh4#")'),
    (
        "The open board: rows and columns without pieces are folded.",
        'bp.read("K5,1|Q12,40|k5,8|r1000000000000000,8 5,1>5,2")[-1]',
    ),
    ("Shogi, from an SFEN.", 'bp.read("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")[0]'),
    (
        "Xiangqi, from a FEN.",
        'bp.read("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", game="xiangqi")[0]',
    ),
    ("The same name by two roads.", 'bp.cph("1. e4 e5 2. Nf3"), bp.cph("1. Nf3 e5 2. e4")'),
    ("What can be played.", 'bp.read("K0,0|R3,0|k5,8").legal_moves()[:6]'),
]


def page() -> str:
    """The cells as HTML."""
    parts = ["<!doctype html><meta charset='utf-8'><title>boardprint</title>"]
    parts.append("<style>body{font:16px sans-serif;max-width:60em;margin:2em auto}svg{max-width:24em;height:auto}pre{white-space:pre-wrap}</style>")
    for text, code in CELLS:
        value = eval(code, {"bp": bp})  # the cells above, nothing else
        shown = value._repr_svg_() if hasattr(value, "_repr_svg_") else f"<pre>{html.escape(repr(value))}</pre>"
        parts.append(f"<p>{html.escape(text)}</p><pre>&gt;&gt;&gt; {html.escape(code)}</pre>{shown}")
    return "\n".join(parts)


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "pictures.html"
    with open(target, "w", encoding="utf-8") as file:
        file.write(page())
    print(f"wrote {len(CELLS)} cells to {target}")
