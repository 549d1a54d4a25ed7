# SPDX-License-Identifier: Apache-2.0
"""Draws a layout by klayout: picture.py DEF LEF PNG WIDTH. Cells lie below, and the wires above, unless they would hide all cells.

Flip-flops are turquoise, those of a board's light squares yellow, of its dark squares brown; buffers violet and those of clocks red.
"""
import re
import sys

import klayout.db as db
import klayout.lay as lay

CELLS = {"light": 0xFFD166, "dark": 0xC4763B, "DFF": 0x2B8298, "BUF": 0x6A4C93, "CLKBUF": 0xB5446E, "X": 0x2C6E63, "MUX": 0x3B7A4F,
         "N": 0x2A4468, "A": 0x24385A, "O": 0x24385A, "INV": 0x35577F, "FILL": 0x141924}  # by the first letters
METALS = {"metal1": 0x6C8CFF, "metal2": 0xFF5A6E, "metal3": 0x35D6A0, "metal4": 0xFFC44D, "metal5": 0xB98CFF}
MOST_CELLS = 2000  # below wires

source, lef, png, width = sys.argv[1:]
options = db.LoadLayoutOptions()
options.lefdef_config.read_lef_with_def = False
options.lefdef_config.lef_files = [lef]
options.lefdef_config.special_routing_datatype = 9  # power, which is not drawn
options.lefdef_config.macro_resolution_mode = 1  # outlines, as the cells are nowhere else
options.lefdef_config.dbu = 0.01
chip = db.Layout()
chip.read(source, options)
top = chip.top_cell()

# The flip-flops of squares: those that board_o comes from, through buffers.
net_of, driver = {}, {}
for net, pins in re.findall(r"^- (\S+)\s+((?:\( \S+ \S+ \)\s+)+)", open(source, encoding="ascii").read(), re.MULTILINE):
    for instance, pin in re.findall(r"\( (\S+) (\S+) \)", pins):
        net_of[instance, pin] = net
        if pin in ("Y", "Q"):
            driver[net] = instance
kind_of = {}
for net, instance in list(driver.items()):
    if bit := re.fullmatch(r"board_o[<[](\d+)[]>]", net):
        while "BUF" in instance:
            instance = driver[net_of[instance, "A"]]
        square = int(bit[1]) // 4
        kind_of[instance] = "light" if (square + square // 8) % 2 else "dark"

view = lay.LayoutView()
for key, value in {"background-color": "#0b0e14", "grid-visible": "false", "text-visible": "false"}.items():
    view.set_config(key, value)
view.create_layout(True)
drawn = view.active_cellview().layout()
drawn.dbu = chip.dbu
cell = drawn.create_cell("TOP")


def layer(number, colour, frame):
    index = drawn.layer(number, 0)
    properties = lay.LayerProperties()
    properties.source = f"{number}/0"
    properties.fill_color, properties.frame_color = colour, frame
    properties.dither_pattern = 0
    view.insert_layer(view.end_layers(), properties)
    return cell.shapes(index)


kinds = {name: layer(i, colour, 0x0B0E14) for i, (name, colour) in enumerate(CELLS.items(), 1)}
cells = [i for i in top.each_inst() if not i.cell.name.startswith("VIA")]
for instance in cells:
    kind = kind_of.get(instance.property(1)) or next(k for k in CELLS if instance.cell.name.startswith(k))
    kinds[kind].insert(instance.bbox().enlarged(-12, -40))
for number, (name, colour) in enumerate(METALS.items(), len(CELLS) + 1):
    shapes = layer(number, colour, colour)
    for info in chip.layer_infos():
        if info.name == name and info.datatype == 0 and len(cells) <= MOST_CELLS:
            for shape in top.shapes(chip.layer(info)).each():
                if shape.is_path():
                    shapes.insert(shape.path)
view.active_cellview().cell = cell
view.max_hier()
box = top.dbbox()
view.save_image_with_options(png, int(width), round(int(width) * box.height() / box.width()), 0, 3, 0, box, False)
