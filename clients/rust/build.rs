// SPDX-License-Identifier: Apache-2.0

fn main() {
    println!("cargo:rerun-if-changed=csrc/ply11.c");
    println!("cargo:rerun-if-changed=csrc/ply11.h");
    cc::Build::new().file("csrc/ply11.c").opt_level(3).flag_if_supported("-std=c99").compile("ply11");
}
