"""Things with writing that are no playing cards: papers, newspapers, score sheets, calendars, notes, covers, and cards of other games.

What a reader of indices takes for one is a figure above a sign, red or black, in the corner of something white. So these are
drawn with figures and letters of an index's size, in the colours of the suits, also one above the other.
"""

from __future__ import annotations

import random

from PIL import Image, ImageDraw

from datasets.things import Colour, Maker, colour, ink, sheet, text_font, words


def _white(rng: random.Random) -> Colour:
    shade = rng.randint(205, 255)
    return shade, shade, shade - rng.randint(0, 25), 255


def paper(unit: float, rng: random.Random) -> Image.Image:
    """A sheet of writing in one size."""
    out, pen = sheet(unit * rng.uniform(0.8, 3), unit * rng.uniform(0.8, 3.5), _white(rng))
    size = unit * rng.uniform(0.07, 0.45)
    font, y, fill = text_font(size, rng), size * 0.5, ink(rng)
    while y < out.height - size:
        pen.text((size * 0.6, y), words(rng, max(2, int(out.width / size / 2))), font=font, fill=fill)
        y += size * rng.uniform(1.05, 1.6)
    return out


def newspaper(unit: float, rng: random.Random) -> Image.Image:
    """A page with headlines, columns and a picture; red headlines now and then."""
    width, height = unit * rng.uniform(2.5, 5), unit * rng.uniform(2.5, 5)
    out, pen = sheet(width, height, _white(rng))
    columns = rng.randint(2, 5)
    step = width / columns
    size = unit * rng.uniform(0.05, 0.13)
    body, y0 = text_font(size, rng), unit * 0.1
    for _ in range(rng.randint(1, 2)):
        head = unit * rng.uniform(0.2, 0.6)
        pen.text((unit * 0.1, y0), words(rng, 4).title(), font=text_font(head, rng), fill=ink(rng))
        y0 += head * 1.3
    for column in range(columns):
        y = y0
        while y < height:
            if rng.random() < 0.05:
                tall = unit * rng.uniform(0.3, 1.2)
                pen.rectangle((column * step + size, y, (column + 1) * step - size, y + tall), fill=colour(rng, 40, 220))
                y += tall + size
            elif rng.random() < 0.08:
                head = size * rng.uniform(1.5, 3)
                pen.text((column * step + size, y), words(rng, 2), font=text_font(head, rng), fill=ink(rng))
                y += head * 1.3
            else:
                pen.text((column * step + size, y), words(rng, 3)[: max(3, int(step / size * 1.5))], font=body, fill=(40, 40, 40, 255))
                y += size * 1.25
    return out


def score_sheet(unit: float, rng: random.Random) -> Image.Image:
    """A table of figures and levels on lined paper, as players keep their score."""
    columns, rows = rng.randint(2, 6), rng.randint(3, 12)
    cell = (unit * rng.uniform(0.3, 0.7), unit * rng.uniform(0.2, 0.4))
    out, pen = sheet(columns * cell[0], rows * cell[1], _white(rng))
    line = colour(rng, 60, 200)
    for k in range(rows):
        pen.line((0, k * cell[1], out.width, k * cell[1]), fill=line, width=max(1, int(unit / 80)))
    for k in range(columns):
        pen.line((k * cell[0], 0, k * cell[0], out.height), fill=line, width=max(1, int(unit / 80)))
    font, fill = text_font(cell[1] * rng.uniform(0.6, 1.0), rng), ink(rng)
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.75:
                points, level = str(rng.randrange(0, 205, 5)), str(rng.randint(2, 10))
                what = rng.choice((level, rng.choice("JQKA"), points, rng.choice("EWNS"), f"+{rng.randint(1, 4)}"))
                used = fill if rng.random() < 0.8 else ink(rng)
                pen.text(((column + 0.5) * cell[0], (row + 0.5) * cell[1]), what, font=font, fill=used, anchor="mm")
    return out


def calendar(unit: float, rng: random.Random) -> Image.Image:
    """The days of a month, Sundays red; or a clock's, a lottery's, a telephone's figures: a grid of numbers."""
    cell = unit * rng.uniform(0.2, 0.5)
    columns = rng.choice((4, 5, 7, 7))
    out, pen = sheet(columns * cell, 6 * cell, _white(rng))
    font, small = text_font(cell * rng.uniform(0.4, 0.7), rng), text_font(cell * 0.25, rng)
    below = rng.random() < 0.4
    for day in range(1, columns * 5 + 1):
        column, row = (day - 1) % columns, (day - 1) // columns + 1
        fill: Colour = (200, 30, 30, 255) if column in (0, columns - 1) else (30, 30, 30, 255)
        pen.text(((column + 0.5) * cell, (row + 0.45) * cell), str(day), font=font, fill=fill, anchor="mm")
        if below:  # small writing under each figure
            pen.text(((column + 0.5) * cell, (row + 0.85) * cell), words(rng, 1)[:3], font=small, fill=fill, anchor="mm")
    return out


def column_of_letters(unit: float, rng: random.Random) -> Image.Image:
    """A word written downwards, one letter under the other, as jokers have theirs; but another word."""
    size = unit * rng.uniform(0.07, 0.25)
    letters = rng.choice((*_UPRIGHT, words(rng, 1).upper()[:6]))
    wide = rng.random() < 0.5
    out, pen = sheet(size * 1.6 if not wide else unit, max(size * 1.25 * len(letters), unit if wide else 0), _white(rng), size / 2)
    font, fill = text_font(size, rng), ink(rng)
    for k, letter in enumerate(letters):
        pen.text((size * 0.8, size * (0.65 + 1.15 * k)), letter, font=font, fill=fill, anchor="mm")
    return out


_UPRIGHT = ("HOTEL", "MENU", "OPEN", "TAXI", "CAFE", "BAR", "EXIT", "POSTER", "TOKYO", "ORDER", "KEBAB", "PIZZA", "SALE", "LEVEL", "NORTH", "EAST")


def note(unit: float, rng: random.Random) -> Image.Image:
    """A banknote or a ticket: numbers in its corners, a frame, a medallion."""
    width, height = unit * rng.uniform(1.8, 2.4), unit * rng.uniform(0.9, 1.1)
    out, pen = sheet(width, height, colour(rng, 130))
    fill = ink(rng)
    pen.rectangle((width * 0.03, height * 0.06, width * 0.97, height * 0.94), outline=fill, width=max(1, int(unit / 50)))
    pen.ellipse((width * 0.35, height * 0.15, width * 0.65, height * 0.85), fill=colour(rng, 60))
    font, number = text_font(unit * rng.uniform(0.12, 0.35), rng), str(rng.choice((1, 2, 5, 10, 20, 50, 100)))
    for x, y in ((0.12, 0.2), (0.88, 0.2), (0.12, 0.8), (0.88, 0.8)):
        pen.text((width * x, height * y), number, font=font, fill=fill, anchor="mm")
    return out


def cover(unit: float, rng: random.Random) -> Image.Image:
    """A book, a magazine, a box of something: a picture with large writing across."""
    width, height = unit * rng.uniform(1.5, 3), unit * rng.uniform(1.8, 4)
    out, pen = sheet(width, height, colour(rng))
    for _ in range(rng.randint(1, 6)):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        shape = (x, y, x + rng.uniform(0.1, 0.8) * width, y + rng.uniform(0.1, 0.6) * height)
        (pen.ellipse if rng.random() < 0.5 else pen.rectangle)(shape, fill=colour(rng))
    for _ in range(rng.randint(1, 4)):
        size = unit * rng.uniform(0.12, 0.7)
        pen.text((rng.uniform(0, 0.4) * width, rng.uniform(0, 0.9) * height), words(rng, 2), font=text_font(size, rng), fill=colour(rng))
    return out


_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XV", "XVI", "XIX", "XXI")


def _picture(pen: ImageDraw.ImageDraw, x0: float, y0: float, x1: float, y1: float, rng: random.Random) -> None:
    pen.rectangle((x0, y0, x1, y1), fill=colour(rng, 90))
    for _ in range(rng.randint(3, 12)):
        x, y = rng.uniform(x0, x1), rng.uniform(y0, y1)
        w, h = rng.uniform(0.05, 0.4) * (x1 - x0), rng.uniform(0.05, 0.4) * (y1 - y0)
        shape = (x, y, min(x1, x + w), min(y1, y + h))
        (pen.ellipse if rng.random() < 0.6 else pen.rectangle)(shape, fill=colour(rng))


def other_card(unit: float, rng: random.Random) -> Image.Image:
    """A card of another game: coloured with white figures, a tarot trump with its numeral and name, a collector's card, a visiting card."""
    width, height = unit * rng.uniform(0.9, 1.1), unit * rng.uniform(1.3, 1.7)
    kind = rng.choice(("colour", "tarot", "collector", "visiting", "figure"))
    radius = unit * 0.055
    if kind == "colour":  # one strong colour, a slanted oval, white figures in two corners
        base = rng.choice(((215, 30, 35, 255), (20, 90, 190, 255), (245, 205, 20, 255), (40, 150, 60, 255), (20, 20, 20, 255)))
        out, pen = sheet(width, height, (250, 250, 250, 255), radius)
        pen.rounded_rectangle((width * 0.06, width * 0.06, width * 0.94, height - width * 0.06), radius, fill=base)
        pen.ellipse((width * 0.15, height * 0.2, width * 0.85, height * 0.8), fill=(250, 250, 250, 255))
        what = rng.choice((*"0123456789", "+2", "+4", "×"))
        pen.text((width / 2, height / 2), what, font=text_font(unit * 0.5, rng), fill=base, anchor="mm")
        small = text_font(unit * rng.uniform(0.14, 0.26), rng)
        layer = Image.new("RGBA", out.size)
        ImageDraw.Draw(layer).text((width * 0.17, width * 0.2), what, font=small, fill=(250, 250, 250, 255), anchor="mm")
        out.alpha_composite(layer)
        out.alpha_composite(layer.rotate(180))
        return out
    if kind == "tarot":
        out, pen = sheet(width, height, _white(rng), radius)
        _picture(pen, width * 0.12, height * 0.13, width * 0.88, height * 0.87, rng)
        font, fill = text_font(unit * rng.uniform(0.09, 0.16), rng), ink(rng)
        pen.text((width / 2, height * 0.065), rng.choice(_NUMERALS), font=font, fill=fill, anchor="mm")
        pen.text((width / 2, height * 0.935), words(rng, 2).upper()[:14], font=font, fill=fill, anchor="mm")
        return out
    if kind == "collector":
        out, pen = sheet(width, height, colour(rng, 40), radius)
        _picture(pen, width * 0.08, height * 0.12, width * 0.92, height * 0.52, rng)
        pen.text((width * 0.08, height * 0.03), words(rng, 1).title(), font=text_font(unit * 0.1, rng), fill=(15, 15, 15, 255))
        pen.text((width * 0.78, height * 0.03), str(rng.randint(1, 12) * 10), font=text_font(unit * 0.12, rng), fill=ink(rng))
        font = text_font(unit * 0.06, rng)
        for k in range(5):
            pen.text((width * 0.08, height * (0.58 + 0.075 * k)), words(rng, 4), font=font, fill=(20, 20, 20, 255))
        return out
    if kind == "visiting":
        out, pen = sheet(unit * 1.35, unit * 0.85, _white(rng))
        fill = ink(rng)
        for k in range(4):
            pen.text((unit * 0.1, unit * (0.1 + 0.18 * k)), words(rng, 3), font=text_font(unit * (0.14 if k == 0 else 0.08), rng), fill=fill)
        return out
    # a white card with a figure in its corners and no suit
    out, pen = sheet(width, height, _white(rng), radius)
    layer = Image.new("RGBA", out.size)
    brush = ImageDraw.Draw(layer)
    fill, what = colour(rng, 0, 200), rng.choice(("13", "14", "15", "0", "1", "½", "20", "40", "?", "W", "B", "M", "S", "P", "R", "G", "&"))
    brush.text((width * 0.14, width * 0.17), what, font=text_font(unit * rng.uniform(0.14, 0.3), rng), fill=fill, anchor="mm")
    if rng.random() < 0.5:
        x, y, r = width * 0.14, width * 0.4, unit * rng.uniform(0.03, 0.07)
        draw = brush.rectangle if rng.random() < 0.4 else brush.ellipse
        draw((x - r, y - r, x + r, y + r), fill=fill if rng.random() < 0.7 else None, outline=fill)
    out.alpha_composite(layer)
    out.alpha_composite(layer.rotate(180))
    pen.text((width / 2, height / 2), what, font=text_font(unit * 0.5, rng), fill=fill, anchor="mm")
    return out


PRINTS: tuple[Maker, ...] = (paper, paper, newspaper, score_sheet, score_sheet, calendar, column_of_letters, note, cover, other_card, other_card)
"""Every kind of thing with much writing."""
