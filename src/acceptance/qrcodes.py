"""Pictures of QR codes with what people do to them, so that cameras read them and programs may not.

`write(folder)` writes PNGs, whose codes qrencode and zint made, and yields each with its trick and the texts in it."""
import math
import random
import struct
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

EACH = 34
WHITE = (255, 255, 255, 255)
BLACK = (0, 0, 0, 255)

Colour = tuple[int, ...]
# The colour at a place between the pixels of a picture.
Shown = Callable[[float, float], Colour]


class Picture:
    def __init__(self, width: int, height: int, shown: Shown, samples: int = 2):
        """Each pixel is the mean of so many times so many samples."""
        self.width, self.height = width, height
        steps = [(i + 0.5) / samples for i in range(samples)]
        self.rows = [[mean([shown(x + dx, y + dy) for dy in steps for dx in steps]) for x in range(width)] for y in range(height)]

    def __call__(self, x: float, y: float) -> Colour:
        return self.rows[int(y)][int(x)] if 0 <= x < self.width and 0 <= y < self.height else WHITE

    def png(self) -> bytes:
        rows = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in self.rows)
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks)  # fmt: skip


def mean(colours: list[Colour]) -> Colour:
    return colours[0] if len(set(colours)) == 1 else tuple(round(sum(parts) / len(colours)) for parts in zip(*colours))


def modules(text: str, turn: int, level: str = "M") -> list[list[bool]]:
    """Of one maker, then of the other."""
    if turn % 2:
        lines = subprocess.run(["qrencode", "-t", "ASCII", "-m", "0", "-l", level, text], capture_output=True, text=True, check=True).stdout.splitlines()
        return [[line[i] == "#" for i in range(0, len(line), 2)] for line in lines if line]
    dump = subprocess.run(["zint", "-b", "QRCODE", f"--secure={'LMQH'.index(level) + 1}", "--dump", "-d", text], capture_output=True, text=True, check=True).stdout
    rows = ["".join(f"{int(digit, 16):04b}" for digit in line.replace(" ", "")) for line in dump.splitlines() if line.strip()]
    return [[bit == "1" for bit in row[: len(rows)]] for row in rows]


def code(text: str, turn: int, size: float, dark: Colour = BLACK, light: Colour = WHITE, margin: float = 4, level: str = "M") -> tuple[int, Shown]:
    """Its side in pixels, and the code."""
    grid = modules(text, turn, level)

    def shown(x: float, y: float) -> Colour:
        column, row = int(x / size - margin + 1000) - 1000, int(y / size - margin + 1000) - 1000
        return dark if 0 <= row < len(grid) and 0 <= column < len(grid) and grid[row][column] else light

    return round((len(grid) + 2 * margin) * size), shown


def turned(side: int, shown: Shown, degrees: float, background: Colour = WHITE, lean: float = 0) -> Picture:
    """About the middle, on a page that holds it whole; leaning makes far what is above."""
    sine, cosine, whole = math.sin(math.radians(degrees)), math.cos(math.radians(degrees)), int(side * 1.42)

    def at(x: float, y: float) -> Colour:
        across, down = x - whole / 2, y - whole / 2
        near = 1 + lean * down / whole
        across, down = across / near, down / near
        x, y = across * cosine + down * sine + side / 2, down * cosine - across * sine + side / 2
        return shown(x, y) if 0 <= x < side and 0 <= y < side else background

    return Picture(whole, whole, at)


def plain(text, turn, chance):
    return Picture(*square(code(text, turn, chance.choice((1, 2, 3, 5, 8)))), samples=1)


def square(made: tuple[int, Shown]) -> tuple[int, int, Shown]:
    return made[0], made[0], made[1]


def of_uneven_size(text, turn, chance):
    return Picture(*square(code(text, turn, chance.uniform(1.8, 5.5))))


def a_little_turned(text, turn, chance):
    return turned(*code(text, turn, chance.uniform(3, 6)), chance.uniform(3, 20))


def turned_far(text, turn, chance):
    return turned(*code(text, turn, chance.uniform(3, 6)), chance.uniform(20, 340))


def leaning(text, turn, chance):
    return turned(*code(text, turn, chance.uniform(4, 7)), chance.uniform(-10, 10), lean=chance.uniform(-0.35, 0.35))


def inverted(text, turn, chance):
    side, shown = code(text, turn, chance.uniform(2.5, 6), dark=WHITE, light=BLACK)
    return Picture(side, side, shown)


def faint(text, turn, chance):
    shade = chance.randrange(170, 225)
    return Picture(*square(code(text, turn, chance.uniform(2.5, 6), dark=(shade,) * 3 + (255,))))


def coloured(text, turn, chance):
    dark = tuple(chance.randrange(0, 110) for _ in range(3)) + (255,)
    light = tuple(chance.randrange(170, 256) for _ in range(3)) + (255,)
    return Picture(*square(code(text, turn, chance.uniform(2.5, 6), dark, light)))


def transparent(text, turn, chance):
    clear = (chance.choice((0, 255)),) * 3 + (0,)
    return Picture(*square(code(text, turn, chance.choice((3, 4, 5)), light=clear)), samples=1)


def without_margin(text, turn, chance):
    return Picture(*square(code(text, turn, chance.choice((2, 3, 4, 6)), margin=0)), samples=1)


def noisy(text, turn, chance):
    picture = Picture(*square(code(text, turn, chance.uniform(5, 9))))
    for row in picture.rows:
        for x in range(picture.width):
            if chance.random() < 0.12:
                row[x] = chance.choice((BLACK, WHITE))
    return picture


def blurred(text, turn, chance):
    sharp = Picture(*square(code(text, turn, chance.uniform(4, 7))), samples=1)
    reach = chance.uniform(1.5, 3)
    return Picture(sharp.width, sharp.height, lambda x, y: mean([sharp(x + dx * reach, y + dy * reach) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]), samples=1)


def in_shade(text, turn, chance):
    side, shown = code(text, turn, chance.uniform(3, 6))
    deep = chance.uniform(0.3, 0.6)
    return Picture(side, side, lambda x, y: tuple(round(v * (1 - deep * x / side)) for v in shown(x, y)[:3]) + (255,))


def with_logo(text, turn, chance):
    side, shown = code(text, turn, chance.uniform(4, 6), level="H")
    half = side * 0.09
    blue = (20, 60, 200, 255)
    return Picture(side, side, lambda x, y: blue if abs(x - side / 2) < half and abs(y - side / 2) < half else shown(x, y))


def small_on_a_page(text, turn, chance):
    side, shown = code(text, turn, chance.choice((2, 3)))
    left, top, words = chance.randrange(500), chance.randrange(300), set()
    for _ in range(600):
        words.add((chance.randrange(700 // 4), chance.randrange(500 // 4)))

    def page(x: float, y: float) -> Colour:
        if left <= x < left + side and top <= y < top + side:
            return shown(x - left, y - top)
        return BLACK if (int(x / 4), int(y / 4)) in words else WHITE

    return Picture(700, 500, page, samples=1)


TRICKS = (plain, of_uneven_size, a_little_turned, turned_far, leaning, inverted, faint, coloured, transparent, without_margin, noisy, blurred, in_shade,
          with_logo, small_on_a_page)  # fmt: skip


def write(folder: Path) -> Iterator[tuple[Path, str, str]]:
    folder.mkdir(parents=True)
    for trick in TRICKS:
        for turn in range(EACH):
            chance = random.Random(f"{trick.__name__} {turn}")
            text = f"https://h{turn}.example/{trick.__name__}/" + "p" * chance.randrange(60)
            file = folder / f"{trick.__name__}-{turn:02d}.png"
            file.write_bytes(trick(text, turn, chance).png())
            yield file, trick.__name__.replace("_", " "), text
