// SPDX-License-Identifier: Apache-2.0
// Reads the inputs of each clock from standard input and writes the outputs to standard output. Its first argument says how
// many instances there are, of which each gets its inputs in turn; with a second one registers begin as 0; with a third one it
// writes the outputs of each clock at once. ports.h has the record of the ports.
#include "Vply11_dut.h"
#include "ports.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

int main(int argc, char** argv) {
  VerilatedContext context;
  // What no reset reaches begins with random values, or with 0.
  context.randReset(argc > 2 ? 0 : 2);
  context.randSeed(11);
  std::vector<Vply11_dut*> duts;
  for (int i = atoi(argv[1]); i > 0; i--) duts.push_back(new Vply11_dut(&context));
  size_t turn = 0;
  static unsigned char in[IN_SIZE], out[OUT_SIZE];
  static char from[1 << 16], to[BATCH * sizeof out];
  setvbuf(stdin, from, _IOFBF, sizeof from);
  // Whoever reads waits for a whole batch, and writes one more meanwhile.
  setvbuf(stdout, to, _IOFBF, sizeof to);
  while (fread(in, sizeof in, 1, stdin) == 1) {
    Vply11_dut* dut = duts[turn];
    turn = turn + 1 == duts.size() ? 0 : turn + 1;
    INPUTS(dut)
    dut->eval();
    OUTPUTS(dut)
    if (fwrite(out, sizeof out, 1, stdout) != 1 || (argc > 3 && fflush(stdout) != 0)) return 1;
    RISE(dut)
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
