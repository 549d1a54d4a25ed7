# SPDX-License-Identifier: Apache-2.0
"""Draws a layout by klayout, picture.py DEF LEF PNG WIDTH: the cells, and the wires where they would not hide all of them."""
import re
import sys

import klayout.db as db
import klayout.lay as lay

# By the first letters; and the flip-flops of a board's squares.
CELLS = {"light": 0xFFD166, "dark": 0xC4763B, "DFF": 0x2B8298, "BUF": 0x6A4C93, "CLKBUF": 0xB5446E, "X": 0x2C6E63, "MUX": 0x3B7A4F,
         "N": 0x2A4468, "A": 0x24385A, "O": 0x24385A, "INV": 0x35577F, "FILL": 0x141924}
METALS = {"metal1": 0x6C8CFF, "metal2": 0xFF5A6E, "metal3": 0x35D6A0, "metal4": 0xFFC44D, "metal5": 0xB98CFF}
MOST_CELLS = 2000  # below wires
BLACK = 0x0B0E14

source, lef, png, width = sys.argv[1:]
options = db.LoadLayoutOptions()
reader = options.lefdef_config
reader.read_lef_with_def, reader.lef_files = False, [lef]
reader.special_routing_datatype = 9  # power, which is not drawn
reader.macro_resolution_mode = 1  # outlines
reader.dbu = 0.01
chip = db.Layout()
chip.read(source, options)
top = chip.top_cell()

net_of, driver, kind_of = {}, {}, {}
for net, pins in re.findall(r"^- (\S+)\s+((?:\( \S+ \S+ \)\s+)+)", open(source, encoding="ascii").read(), re.MULTILINE):
    for instance, pin in re.findall(r"\( (\S+) (\S+) \)", pins):
        net_of[instance, pin] = net
        if pin in ("Y", "Q"):
            driver[net] = instance
for net, instance in driver.items():
    if bit := re.fullmatch(r"board_o\[(\d+)\]", net):
        while "BUF" in instance:
            instance = driver[net_of[instance, "A"]]
        square = int(bit[1]) // 4
        kind_of[instance] = "light" if (square + square // 8) % 2 else "dark"

view = lay.LayoutView()
view.set_config("background-color", f"#{BLACK:06x}")
view.set_config("grid-visible", "false")
view.create_layout(True)
drawn = view.active_cellview().layout()
drawn.dbu = chip.dbu
view.active_cellview().cell = cell = drawn.create_cell("TOP")


def layer(number, colour, frame):
    look = lay.LayerProperties()
    look.source, look.dither_pattern, look.fill_color, look.frame_color = f"{number}/0", 0, colour, frame
    view.insert_layer(view.end_layers(), look)
    return cell.shapes(drawn.layer(number, 0))


kinds = {name: layer(i, colour, BLACK) for i, (name, colour) in enumerate(CELLS.items())}
cells = [i for i in top.each_inst() if not i.cell.name.startswith("VIA")]
for instance in cells:
    kind = kind_of.get(instance.property(1)) or next(k for k in CELLS if instance.cell.name.startswith(k))
    kinds[kind].insert(instance.bbox().enlarged(-12, -40))
for number, (name, colour) in enumerate(METALS.items(), len(CELLS)):
    shapes = layer(number, colour, colour)
    for info in chip.layer_infos():
        if info.name == name and info.datatype == 0 and len(cells) <= MOST_CELLS:
            for shape in top.shapes(chip.layer(info)).each():
                if shape.is_path():
                    shapes.insert(shape.path)
view.max_hier()
box = top.dbbox()
view.save_image_with_options(png, int(width), round(int(width) * box.height() / box.width()), 0, 3, 0, box, False)
