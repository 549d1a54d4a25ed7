// The index, its pipelines and its ROM, for simulators (-f ply11.f, in this folder).
rtl/ply11_decode.v
rtl/ply11_encode.v
rtl/ply11_decode_pipe.v
rtl/ply11_encode_pipe.v
rtl/ply11_rom_case.v
rtl/ply11_rom.v
