# SPDX-License-Identifier: Apache-2.0
"""Draws a routed layout by klayout: picture.py DEF LEF PNG WIDTH. Cells lie below, flip-flops bright; wires above, by metal."""
import sys

import klayout.db as db
import klayout.lay as lay

CELLS = {"DFF": 0x2F8FA8, "BUF": 0x6A4C93, "CLKBUF": 0xA0457A, "X": 0x2C6E63, "MUX": 0x3B7A4F, "N": 0x2A4468, "A": 0x24385A,
         "O": 0x24385A, "INV": 0x35577F, "FILL": 0x141924}  # by the first letters
METALS = {"metal1": 0x6C8CFF, "metal2": 0xFF5A6E, "metal3": 0x35D6A0, "metal4": 0xFFC44D, "metal5": 0xB98CFF}

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
for instance in (i for i in top.each_inst() if not i.cell.name.startswith("VIA")):
    kind = next(k for k in CELLS if instance.cell.name.startswith(k))
    kinds[kind].insert(instance.bbox().enlarged(-12, -40))
for number, (name, colour) in enumerate(METALS.items(), 11):
    shapes = layer(number, colour, colour)
    for info in chip.layer_infos():
        if info.name == name and info.datatype == 0:
            for shape in top.shapes(chip.layer(info)).each():
                if shape.is_path():
                    shapes.insert(shape.path)
view.active_cellview().cell = cell
view.max_hier()
box = top.dbbox()
view.save_image_with_options(png, int(width), round(int(width) * box.height() / box.width()), 0, 3, 0, box, False)
