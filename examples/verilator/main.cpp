// SPDX-License-Identifier: Apache-2.0
// Feeds files of eleven-bit words to ply11_player, 32 bits at a time, and counts what the games are made of.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "Vply11_player.h"
#include "verilated.h"

namespace {

enum Kind { PLY = 0, END = 2, ERROR = 3 };

struct Counts {
  uint64_t clocks = 0, games = 0, plies = 0, captures = 0, promotions = 0, castlings = 0, errors = 0;
  uint64_t results[4] = {};
  uint16_t longest = 0;
};

// One clock. What is offered in it has to be looked at before.
void clock(Vply11_player& player) {
  player.clk = 1;
  player.eval();
  player.clk = 0;
  player.eval();
}

void count(const Vply11_player& player, Counts& counts) {
  switch (player.m_kind) {
    case PLY:
      counts.plies++;
      counts.captures += player.m_captured != 0;
      counts.promotions += player.m_promotion != 0;
      // A king that goes two files.
      if ((player.m_piece & 7) == 1) {
        int files = (player.m_to & 7) - (player.m_from & 7);
        counts.castlings += files == 2 || files == -2;
      }
      break;
    case END:
      counts.games++;
      counts.results[player.m_result]++;
      if (player.ply > counts.longest) counts.longest = player.ply;
      break;
    case ERROR:
      counts.errors++;
      std::printf("error %d at byte %u\n", player.m_error, player.m_offset);
      break;
  }
}

// The file's bytes in words of 32 bits, the first byte in the low bits, filled up with idle ones.
bool read(const char* name, std::vector<uint32_t>& words) {
  FILE* file = std::fopen(name, "rb");
  if (!file) return false;
  uint8_t bytes[4];
  size_t n;
  do {
    std::memset(bytes, 0xff, sizeof bytes);
    n = std::fread(bytes, 1, sizeof bytes, file);
    if (n) words.push_back(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t(bytes[3]) << 24);
  } while (n == sizeof bytes);
  bool ok = !std::ferror(file);
  std::fclose(file);
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE...\n", argv[0]);
    return 2;
  }
  Counts counts;
  for (int i = 1; i < argc; i++) {
    std::vector<uint32_t> words;
    if (!read(argv[i], words)) {
      std::perror(argv[i]);
      return 1;
    }
    Vply11_player player;
    player.rst = 1;
    player.eval();  // or the first edge is none
    clock(player);
    player.rst = 0;
    player.m_ready = 1;
    // Until nothing has come out for as long as a word can be inside.
    for (size_t at = 0, quiet = 0; quiet < 64; counts.clocks++) {
      player.s_valid = at < words.size();
      player.s_data = player.s_valid ? words[at] : 0;
      player.eval();
      if (player.m_valid) count(player, counts);
      quiet = player.s_valid || player.m_valid ? 0 : quiet + 1;
      at += player.s_valid && player.s_ready;
      clock(player);
    }
    if (player.in_game) std::printf("%s ends inside a game\n", argv[i]);
  }
  std::printf("%llu games: %llu 1-0, %llu 1/2-1/2, %llu 0-1, %llu *\n", (unsigned long long)counts.games,
              (unsigned long long)counts.results[2], (unsigned long long)counts.results[1],
              (unsigned long long)counts.results[0], (unsigned long long)counts.results[3]);
  std::printf("%llu plies, the longest game %u: %llu captures, %llu castlings, %llu promotions, %llu errors\n",
              (unsigned long long)counts.plies, counts.longest, (unsigned long long)counts.captures,
              (unsigned long long)counts.castlings, (unsigned long long)counts.promotions,
              (unsigned long long)counts.errors);
  std::printf("%llu clocks, %.3f plies a clock\n", (unsigned long long)counts.clocks,
              double(counts.plies) / double(counts.clocks));
  return counts.errors != 0;
}
