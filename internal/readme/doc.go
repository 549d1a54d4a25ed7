// SPDX-License-Identifier: Apache-2.0

// Package readme keeps the project's pages true.
//
// Its tests run every command and every program that README.md and the pages keep, rom, formats and icebram of docs
// show, and compare what these print with what the page shows. They follow every link and look up every path of every
// page. What docs/INDEX.md and docs/WORDS.md say is compared in package clients, whose code in C is written from these
// pages.
//
// In a ```console block, a line that begins with "$ " is a command for a shell in the project's
// folder. The lines up to the next command are its output. A ```go block that begins with "package main"
// is a program, and the ```text block after it is its output. In an output, a line "..." stands for any
// lines, and "#" for any number.
package readme
