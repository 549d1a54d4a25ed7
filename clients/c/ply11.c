/* SPDX-License-Identifier: Apache-2.0 */
#include "ply11.h"

#if defined(__SSE2__) && !defined(PLY11_PORTABLE)
#include <emmintrin.h>
#define PLY11_SSE2
#endif
/* Not on Windows: GCC gives the stack 16 bytes of alignment there, and AVX2 wants 32. */
#if (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 7)) && defined(__x86_64__) && !defined(_WIN32) && !defined(PLY11_PORTABLE)
#include <cpuid.h>
#include <immintrin.h>
#define PLY11_AVX2 __attribute__((target("avx2")))
#define PLY11_SHA __attribute__((target("sha,sse4.2")))
#elif defined(__aarch64__) && defined(__ARM_FEATURE_SHA2) && defined(__ARM_FEATURE_CRC32) && !defined(__ARM_BIG_ENDIAN) && !defined(PLY11_PORTABLE)
#include <arm_acle.h>
#include <arm_neon.h>
#define PLY11_ARM
#endif

/* ---- Tables: made by `go generate ./clients`, which runs test/tables.c ---- */
/* BEGIN TABLES */
/* The words of the moves, as ply11_word returns them. */
static const uint16_t word_table[PLY11_MOVES] = {
  0x8040, 0x8081, 0x80c2, 0x8103, 0x8144, 0x8185, 0x81c6, 0x8007, 0x8248, 0x8289, 0x82ca, 0x830b, 0x834c, 0x838d, 0x83ce, 0x820f,
  0x8450, 0x8491, 0x84d2, 0x8513, 0x8554, 0x8595, 0x85d6, 0x8417, 0x8658, 0x8699, 0x86da, 0x871b, 0x875c, 0x879d, 0x87de, 0x861f,
  0x8860, 0x88a1, 0x88e2, 0x8923, 0x8964, 0x89a5, 0x89e6, 0x8827, 0x8a68, 0x8aa9, 0x8aea, 0x8b2b, 0x8b6c, 0x8bad, 0x8bee, 0x8a2f,
  0x8c70, 0x8cb1, 0x8cf2, 0x8d33, 0x8d74, 0x8db5, 0x8df6, 0x8c37, 0x8e78, 0x8eb9, 0x8efa, 0x8f3b, 0x8f7c, 0x8fbd, 0x8ffe, 0x8e3f,
  0x8240, 0x8281, 0x82c2, 0x8303, 0x8344, 0x8385, 0x83c6, 0x8202, 0x8448, 0x8489, 0x84ca, 0x850b, 0x854c, 0x858d, 0x85ce, 0x840a,
  0x8650, 0x8691, 0x86d2, 0x8713, 0x8754, 0x8795, 0x87d6, 0x8612, 0x8858, 0x8899, 0x88da, 0x891b, 0x895c, 0x899d, 0x89de, 0x881a,
  0x8a60, 0x8aa1, 0x8ae2, 0x8b23, 0x8b64, 0x8ba5, 0x8be6, 0x8a22, 0x8c68, 0x8ca9, 0x8cea, 0x8d2b, 0x8d6c, 0x8dad, 0x8dee, 0x8c2a,
  0x8e70, 0x8eb1, 0x8ef2, 0x8f33, 0x8f74, 0x8fb5, 0x8ff6, 0x8e32, 0x8dbc, 0x8bb4, 0x89ac, 0x87a4, 0x859c, 0x8394, 0x818c, 0x803f,
  0x8200, 0x8241, 0x8282, 0x82c3, 0x8304, 0x8345, 0x8386, 0x83c7, 0x8408, 0x8449, 0x848a, 0x84cb, 0x850c, 0x854d, 0x858e, 0x85cf,
  0x8610, 0x8651, 0x8692, 0x86d3, 0x8714, 0x8755, 0x8796, 0x87d7, 0x8818, 0x8859, 0x889a, 0x88db, 0x891c, 0x895d, 0x899e, 0x89df,
  0x8a20, 0x8a61, 0x8aa2, 0x8ae3, 0x8b24, 0x8b65, 0x8ba6, 0x8be7, 0x8c28, 0x8c69, 0x8caa, 0x8ceb, 0x8d2c, 0x8d6d, 0x8dae, 0x8def,
  0x8e30, 0x8e71, 0x8eb2, 0x8ef3, 0x8f34, 0x8f75, 0x8fb6, 0x8ff7, 0x8038, 0x8079, 0x80ba, 0x80fb, 0x813c, 0x817d, 0x81be, 0x81ff,
  0x83c5, 0x8201, 0x8242, 0x8283, 0x82c4, 0x8305, 0x8346, 0x8387, 0x85cd, 0x8409, 0x844a, 0x848b, 0x84cc, 0x850d, 0x854e, 0x858f,
  0x87d5, 0x8611, 0x8652, 0x8693, 0x86d4, 0x8715, 0x8756, 0x8797, 0x89dd, 0x8819, 0x885a, 0x889b, 0x88dc, 0x891d, 0x895e, 0x899f,
  0x8be5, 0x8a21, 0x8a62, 0x8aa3, 0x8ae4, 0x8b25, 0x8b66, 0x8ba7, 0x8ded, 0x8c29, 0x8c6a, 0x8cab, 0x8cec, 0x8d2d, 0x8d6e, 0x8daf,
  0x8ff5, 0x8e31, 0x8e72, 0x8eb3, 0x8ef4, 0x8f35, 0x8f76, 0x8fb7, 0x81f8, 0x804b, 0x8253, 0x845b, 0x8663, 0x886b, 0x8a73, 0x8c7b,
  0x8080, 0x80c1, 0x8102, 0x8143, 0x8184, 0x81c5, 0x8006, 0x8047, 0x8288, 0x82c9, 0x830a, 0x834b, 0x838c, 0x83cd, 0x820e, 0x824f,
  0x8490, 0x84d1, 0x8512, 0x8553, 0x8594, 0x85d5, 0x8416, 0x8457, 0x8698, 0x86d9, 0x871a, 0x875b, 0x879c, 0x87dd, 0x861e, 0x865f,
  0x88a0, 0x88e1, 0x8922, 0x8963, 0x89a4, 0x89e5, 0x8826, 0x8867, 0x8aa8, 0x8ae9, 0x8b2a, 0x8b6b, 0x8bac, 0x8bed, 0x8a2e, 0x8a6f,
  0x8cb0, 0x8cf1, 0x8d32, 0x8d73, 0x8db4, 0x8df5, 0x8c36, 0x8c77, 0x8eb8, 0x8ef9, 0x8f3a, 0x8f7b, 0x8fbc, 0x8ffd, 0x8e3e, 0x8e7f,
  0x8480, 0x84c1, 0x8502, 0x8543, 0x8584, 0x85c5, 0x8401, 0x8442, 0x8688, 0x86c9, 0x870a, 0x874b, 0x878c, 0x87cd, 0x8609, 0x864a,
  0x8890, 0x88d1, 0x8912, 0x8953, 0x8994, 0x89d5, 0x8811, 0x8852, 0x8a98, 0x8ad9, 0x8b1a, 0x8b5b, 0x8b9c, 0x8bdd, 0x8a19, 0x8a5a,
  0x8ca0, 0x8ce1, 0x8d22, 0x8d63, 0x8da4, 0x8de5, 0x8c21, 0x8c62, 0x8ea8, 0x8ee9, 0x8f2a, 0x8f6b, 0x8fac, 0x8fed, 0x8e29, 0x8e6a,
  0x851a, 0x855b, 0x8312, 0x8353, 0x810a, 0x814b, 0x8036, 0x8077, 0x8498, 0x84d9, 0x8290, 0x82d1, 0x8088, 0x80c9, 0x823e, 0x827f,
  0x8400, 0x8441, 0x8482, 0x84c3, 0x8504, 0x8545, 0x8586, 0x85c7, 0x8608, 0x8649, 0x868a, 0x86cb, 0x870c, 0x874d, 0x878e, 0x87cf,
  0x8810, 0x8851, 0x8892, 0x88d3, 0x8914, 0x8955, 0x8996, 0x89d7, 0x8a18, 0x8a59, 0x8a9a, 0x8adb, 0x8b1c, 0x8b5d, 0x8b9e, 0x8bdf,
  0x8c20, 0x8c61, 0x8ca2, 0x8ce3, 0x8d24, 0x8d65, 0x8da6, 0x8de7, 0x8e28, 0x8e69, 0x8eaa, 0x8eeb, 0x8f2c, 0x8f6d, 0x8fae, 0x8fef,
  0x8030, 0x8071, 0x80b2, 0x80f3, 0x8134, 0x8175, 0x81b6, 0x81f7, 0x8238, 0x8279, 0x82ba, 0x82fb, 0x833c, 0x837d, 0x83be, 0x83ff,
  0x8585, 0x85c6, 0x8402, 0x8443, 0x8484, 0x84c5, 0x8506, 0x8547, 0x878d, 0x87ce, 0x860a, 0x864b, 0x868c, 0x86cd, 0x870e, 0x874f,
  0x8995, 0x89d6, 0x8812, 0x8853, 0x8894, 0x88d5, 0x8916, 0x8957, 0x8b9d, 0x8bde, 0x8a1a, 0x8a5b, 0x8a9c, 0x8add, 0x8b1e, 0x8b5f,
  0x8da5, 0x8de6, 0x8c22, 0x8c63, 0x8ca4, 0x8ce5, 0x8d26, 0x8d67, 0x8fad, 0x8fee, 0x8e2a, 0x8e6b, 0x8eac, 0x8eed, 0x8f2e, 0x8f6f,
  0x81b0, 0x81f1, 0x808c, 0x80cd, 0x8294, 0x82d5, 0x849c, 0x84dd, 0x83b8, 0x83f9, 0x810e, 0x814f, 0x8316, 0x8357, 0x851e, 0x855f,
  0x80c0, 0x8101, 0x8142, 0x8183, 0x81c4, 0x8005, 0x8046, 0x8087, 0x82c8, 0x8309, 0x834a, 0x838b, 0x83cc, 0x820d, 0x824e, 0x828f,
  0x84d0, 0x8511, 0x8552, 0x8593, 0x85d4, 0x8415, 0x8456, 0x8497, 0x86d8, 0x8719, 0x875a, 0x879b, 0x87dc, 0x861d, 0x865e, 0x869f,
  0x88e0, 0x8921, 0x8962, 0x89a3, 0x89e4, 0x8825, 0x8866, 0x88a7, 0x8ae8, 0x8b29, 0x8b6a, 0x8bab, 0x8bec, 0x8a2d, 0x8a6e, 0x8aaf,
  0x8cf0, 0x8d31, 0x8d72, 0x8db3, 0x8df4, 0x8c35, 0x8c76, 0x8cb7, 0x8ef8, 0x8f39, 0x8f7a, 0x8fbb, 0x8ffc, 0x8e3d, 0x8e7e, 0x8ebf,
  0x86c0, 0x8701, 0x8742, 0x8783, 0x87c4, 0x8b9f, 0x8da7, 0x8faf, 0x88c8, 0x8909, 0x894a, 0x898b, 0x89cc, 0x8b5e, 0x8d66, 0x8f6e,
  0x8ad0, 0x8b11, 0x8b52, 0x8b93, 0x8bd4, 0x8b1d, 0x8d25, 0x8f2d, 0x8cd8, 0x8d19, 0x8d5a, 0x8d9b, 0x8ddc, 0x8adc, 0x8ce4, 0x8eec,
  0x8ee0, 0x8f21, 0x8f62, 0x8fa3, 0x8fe4, 0x8a9b, 0x8ca3, 0x8eab, 0x8668, 0x86a9, 0x86ea, 0x872b, 0x876c, 0x802d, 0x806e, 0x80af,
  0x8870, 0x88b1, 0x88f2, 0x8933, 0x8974, 0x8235, 0x8276, 0x82b7, 0x8a78, 0x8ab9, 0x8afa, 0x8b3b, 0x8b7c, 0x843d, 0x847e, 0x84bf,
  0x8600, 0x8641, 0x8682, 0x86c3, 0x8704, 0x8745, 0x8786, 0x87c7, 0x8808, 0x8849, 0x888a, 0x88cb, 0x890c, 0x894d, 0x898e, 0x89cf,
  0x8a10, 0x8a51, 0x8a92, 0x8ad3, 0x8b14, 0x8b55, 0x8b96, 0x8bd7, 0x8c18, 0x8c59, 0x8c9a, 0x8cdb, 0x8d1c, 0x8d5d, 0x8d9e, 0x8ddf,
  0x8e20, 0x8e61, 0x8ea2, 0x8ee3, 0x8f24, 0x8f65, 0x8fa6, 0x8fe7, 0x8028, 0x8069, 0x80aa, 0x80eb, 0x812c, 0x816d, 0x81ae, 0x81ef,
  0x8230, 0x8271, 0x82b2, 0x82f3, 0x8334, 0x8375, 0x83b6, 0x83f7, 0x8438, 0x8479, 0x84ba, 0x84fb, 0x853c, 0x857d, 0x85be, 0x85ff,
  0x8e68, 0x8c60, 0x8a58, 0x8603, 0x8644, 0x8685, 0x86c6, 0x8707, 0x8ea9, 0x8ca1, 0x8a99, 0x880b, 0x884c, 0x888d, 0x88ce, 0x890f,
  0x8eea, 0x8ce2, 0x8ada, 0x8a13, 0x8a54, 0x8a95, 0x8ad6, 0x8b17, 0x8f2b, 0x8d23, 0x8b1b, 0x8c1b, 0x8c5c, 0x8c9d, 0x8cde, 0x8d1f,
  0x8f6c, 0x8d64, 0x8b5c, 0x8e23, 0x8e64, 0x8ea5, 0x8ee6, 0x8f27, 0x8168, 0x81a9, 0x81ea, 0x86ab, 0x86ec, 0x872d, 0x876e, 0x87af,
  0x8370, 0x83b1, 0x83f2, 0x88b3, 0x88f4, 0x8935, 0x8976, 0x89b7, 0x8578, 0x85b9, 0x85fa, 0x8abb, 0x8afc, 0x8b3d, 0x8b7e, 0x8bbf,
  0x8100, 0x8141, 0x8182, 0x81c3, 0x8004, 0x8045, 0x8086, 0x80c7, 0x8308, 0x8349, 0x838a, 0x83cb, 0x820c, 0x824d, 0x828e, 0x82cf,
  0x8510, 0x8551, 0x8592, 0x85d3, 0x8414, 0x8455, 0x8496, 0x84d7, 0x8718, 0x8759, 0x879a, 0x87db, 0x861c, 0x865d, 0x869e, 0x86df,
  0x8920, 0x8961, 0x89a2, 0x89e3, 0x8824, 0x8865, 0x88a6, 0x88e7, 0x8b28, 0x8b69, 0x8baa, 0x8beb, 0x8a2c, 0x8a6d, 0x8aae, 0x8aef,
  0x8d30, 0x8d71, 0x8db2, 0x8df3, 0x8c34, 0x8c75, 0x8cb6, 0x8cf7, 0x8f38, 0x8f79, 0x8fba, 0x8ffb, 0x8e3c, 0x8e7d, 0x8ebe, 0x8eff,
  0x8900, 0x8941, 0x8982, 0x89c3, 0x895f, 0x8757, 0x854f, 0x8347, 0x8b08, 0x8b49, 0x8b8a, 0x8bcb, 0x891e, 0x8716, 0x850e, 0x8306,
  0x8d10, 0x8d51, 0x8d92, 0x8dd3, 0x88dd, 0x86d5, 0x84cd, 0x82c5, 0x8f18, 0x8f59, 0x8f9a, 0x8fdb, 0x889c, 0x8694, 0x848c, 0x8284,
  0x8d7b, 0x8b73, 0x896b, 0x8763, 0x8024, 0x8065, 0x80a6, 0x80e7, 0x8d3a, 0x8b32, 0x892a, 0x8722, 0x822c, 0x826d, 0x82ae, 0x82ef,
  0x8cf9, 0x8af1, 0x88e9, 0x86e1, 0x8434, 0x8475, 0x84b6, 0x84f7, 0x8cb8, 0x8ab0, 0x88a8, 0x86a0, 0x863c, 0x867d, 0x86be, 0x86ff,
  0x8800, 0x8841, 0x8882, 0x88c3, 0x8904, 0x8945, 0x8986, 0x89c7, 0x8a08, 0x8a49, 0x8a8a, 0x8acb, 0x8b0c, 0x8b4d, 0x8b8e, 0x8bcf,
  0x8c10, 0x8c51, 0x8c92, 0x8cd3, 0x8d14, 0x8d55, 0x8d96, 0x8dd7, 0x8e18, 0x8e59, 0x8e9a, 0x8edb, 0x8f1c, 0x8f5d, 0x8f9e, 0x8fdf,
  0x8020, 0x8061, 0x80a2, 0x80e3, 0x8124, 0x8165, 0x81a6, 0x81e7, 0x8228, 0x8269, 0x82aa, 0x82eb, 0x832c, 0x836d, 0x83ae, 0x83ef,
  0x8430, 0x8471, 0x84b2, 0x84f3, 0x8534, 0x8575, 0x85b6, 0x85f7, 0x8638, 0x8679, 0x86ba, 0x86fb, 0x873c, 0x877d, 0x87be, 0x87ff,
  0x8280, 0x8488, 0x8690, 0x8898, 0x8804, 0x8845, 0x8886, 0x88c7, 0x82c1, 0x84c9, 0x86d1, 0x88d9, 0x8a0c, 0x8a4d, 0x8a8e, 0x8acf,
  0x8302, 0x850a, 0x8712, 0x891a, 0x8c14, 0x8c55, 0x8c96, 0x8cd7, 0x8343, 0x854b, 0x8753, 0x895b, 0x8e1c, 0x8e5d, 0x8e9e, 0x8edf,
  0x8120, 0x8161, 0x81a2, 0x81e3, 0x86a4, 0x88ac, 0x8ab4, 0x8cbc, 0x8328, 0x8369, 0x83aa, 0x83eb, 0x86e5, 0x88ed, 0x8af5, 0x8cfd,
  0x8530, 0x8571, 0x85b2, 0x85f3, 0x8726, 0x892e, 0x8b36, 0x8d3e, 0x8738, 0x8779, 0x87ba, 0x87fb, 0x8767, 0x896f, 0x8b77, 0x8d7f,
  0x8140, 0x8181, 0x81c2, 0x8003, 0x8044, 0x8085, 0x80c6, 0x8107, 0x8348, 0x8389, 0x83ca, 0x820b, 0x824c, 0x828d, 0x82ce, 0x830f,
  0x8550, 0x8591, 0x85d2, 0x8413, 0x8454, 0x8495, 0x84d6, 0x8517, 0x8758, 0x8799, 0x87da, 0x861b, 0x865c, 0x869d, 0x86de, 0x871f,
  0x8960, 0x89a1, 0x89e2, 0x8823, 0x8864, 0x88a5, 0x88e6, 0x8927, 0x8b68, 0x8ba9, 0x8bea, 0x8a2b, 0x8a6c, 0x8aad, 0x8aee, 0x8b2f,
  0x8d70, 0x8db1, 0x8df2, 0x8c33, 0x8c74, 0x8cb5, 0x8cf6, 0x8d37, 0x8f78, 0x8fb9, 0x8ffa, 0x8e3b, 0x8e7c, 0x8ebd, 0x8efe, 0x8f3f,
  0x8b40, 0x8b81, 0x8bc2, 0x8483, 0x84c4, 0x8505, 0x8546, 0x8587, 0x8d48, 0x8d89, 0x8dca, 0x868b, 0x86cc, 0x870d, 0x874e, 0x878f,
  0x8f50, 0x8f91, 0x8fd2, 0x8893, 0x88d4, 0x8915, 0x8956, 0x8997, 0x8154, 0x835c, 0x8564, 0x801b, 0x805c, 0x809d, 0x80de, 0x811f,
  0x8113, 0x831b, 0x8523, 0x8223, 0x8264, 0x82a5, 0x82e6, 0x8327, 0x80d2, 0x82da, 0x84e2, 0x842b, 0x846c, 0x84ad, 0x84ee, 0x852f,
  0x8091, 0x8299, 0x84a1, 0x8633, 0x8674, 0x86b5, 0x86f6, 0x8737, 0x8050, 0x8258, 0x8460, 0x883b, 0x887c, 0x88bd, 0x88fe, 0x893f,
  0x8a00, 0x8a41, 0x8a82, 0x8ac3, 0x8b04, 0x8b45, 0x8b86, 0x8bc7, 0x8c08, 0x8c49, 0x8c8a, 0x8ccb, 0x8d0c, 0x8d4d, 0x8d8e, 0x8dcf,
  0x8e10, 0x8e51, 0x8e92, 0x8ed3, 0x8f14, 0x8f55, 0x8f96, 0x8fd7, 0x8018, 0x8059, 0x809a, 0x80db, 0x811c, 0x815d, 0x819e, 0x81df,
  0x8220, 0x8261, 0x82a2, 0x82e3, 0x8324, 0x8365, 0x83a6, 0x83e7, 0x8428, 0x8469, 0x84aa, 0x84eb, 0x852c, 0x856d, 0x85ae, 0x85ef,
  0x8630, 0x8671, 0x86b2, 0x86f3, 0x8734, 0x8775, 0x87b6, 0x87f7, 0x8838, 0x8879, 0x88ba, 0x88fb, 0x893c, 0x897d, 0x89be, 0x89ff,
  0x8440, 0x8481, 0x84c2, 0x8503, 0x8544, 0x8a05, 0x8a46, 0x8a87, 0x8648, 0x8689, 0x86ca, 0x870b, 0x874c, 0x8c0d, 0x8c4e, 0x8c8f,
  0x8850, 0x8891, 0x88d2, 0x8913, 0x8954, 0x8e15, 0x8e56, 0x8e97, 0x80d8, 0x8119, 0x815a, 0x819b, 0x81dc, 0x84a3, 0x829b, 0x8093,
  0x82e0, 0x8321, 0x8362, 0x83a3, 0x83e4, 0x84e4, 0x82dc, 0x80d4, 0x84e8, 0x8529, 0x856a, 0x85ab, 0x85ec, 0x8525, 0x831d, 0x8115,
  0x86f0, 0x8731, 0x8772, 0x87b3, 0x87f4, 0x8566, 0x835e, 0x8156, 0x88f8, 0x8939, 0x897a, 0x89bb, 0x89fc, 0x85a7, 0x839f, 0x8197,
  0x8180, 0x81c1, 0x8002, 0x8043, 0x8084, 0x80c5, 0x8106, 0x8147, 0x8388, 0x83c9, 0x820a, 0x824b, 0x828c, 0x82cd, 0x830e, 0x834f,
  0x8590, 0x85d1, 0x8412, 0x8453, 0x8494, 0x84d5, 0x8516, 0x8557, 0x8798, 0x87d9, 0x861a, 0x865b, 0x869c, 0x86dd, 0x871e, 0x875f,
  0x89a0, 0x89e1, 0x8822, 0x8863, 0x88a4, 0x88e5, 0x8926, 0x8967, 0x8ba8, 0x8be9, 0x8a2a, 0x8a6b, 0x8aac, 0x8aed, 0x8b2e, 0x8b6f,
  0x8db0, 0x8df1, 0x8c32, 0x8c73, 0x8cb4, 0x8cf5, 0x8d36, 0x8d77, 0x8fb8, 0x8ff9, 0x8e3a, 0x8e7b, 0x8ebc, 0x8efd, 0x8f3e, 0x8f7f,
  0x8d80, 0x8dc1, 0x8f36, 0x8f77, 0x8d2e, 0x8d6f, 0x8b26, 0x8b67, 0x8f88, 0x8fc9, 0x8eb4, 0x8ef5, 0x8cac, 0x8ced, 0x8aa4, 0x8ae5,
  0x8195, 0x81d6, 0x8012, 0x8053, 0x8094, 0x80d5, 0x8116, 0x8157, 0x839d, 0x83de, 0x821a, 0x825b, 0x829c, 0x82dd, 0x831e, 0x835f,
  0x85a5, 0x85e6, 0x8422, 0x8463, 0x84a4, 0x84e5, 0x8526, 0x8567, 0x87ad, 0x87ee, 0x862a, 0x866b, 0x86ac, 0x86ed, 0x872e, 0x876f,
  0x89b5, 0x89f6, 0x8832, 0x8873, 0x88b4, 0x88f5, 0x8936, 0x8977, 0x8bbd, 0x8bfe, 0x8a3a, 0x8a7b, 0x8abc, 0x8afd, 0x8b3e, 0x8b7f,
  0x8c00, 0x8c41, 0x8c82, 0x8cc3, 0x8d04, 0x8d45, 0x8d86, 0x8dc7, 0x8e08, 0x8e49, 0x8e8a, 0x8ecb, 0x8f0c, 0x8f4d, 0x8f8e, 0x8fcf,
  0x8010, 0x8051, 0x8092, 0x80d3, 0x8114, 0x8155, 0x8196, 0x81d7, 0x8218, 0x8259, 0x829a, 0x82db, 0x831c, 0x835d, 0x839e, 0x83df,
  0x8420, 0x8461, 0x84a2, 0x84e3, 0x8524, 0x8565, 0x85a6, 0x85e7, 0x8628, 0x8669, 0x86aa, 0x86eb, 0x872c, 0x876d, 0x87ae, 0x87ef,
  0x8830, 0x8871, 0x88b2, 0x88f3, 0x8934, 0x8975, 0x89b6, 0x89f7, 0x8a38, 0x8a79, 0x8aba, 0x8afb, 0x8b3c, 0x8b7d, 0x8bbe, 0x8bff,
  0x8aa0, 0x8ae1, 0x8ca8, 0x8ce9, 0x8eb0, 0x8ef1, 0x8c06, 0x8c47, 0x8b22, 0x8b63, 0x8d2a, 0x8d6b, 0x8f32, 0x8f73, 0x8e0e, 0x8e4f,
  0x8090, 0x80d1, 0x8112, 0x8153, 0x8194, 0x81d5, 0x8011, 0x8052, 0x8298, 0x82d9, 0x831a, 0x835b, 0x839c, 0x83dd, 0x8219, 0x825a,
  0x84a0, 0x84e1, 0x8522, 0x8563, 0x85a4, 0x85e5, 0x8421, 0x8462, 0x86a8, 0x86e9, 0x872a, 0x876b, 0x87ac, 0x87ed, 0x8629, 0x866a,
  0x88b0, 0x88f1, 0x8932, 0x8973, 0x89b4, 0x89f5, 0x8831, 0x8872, 0x8ab8, 0x8af9, 0x8b3a, 0x8b7b, 0x8bbc, 0x8bfd, 0x8a39, 0x8a7a,
  0x81c0, 0x8001, 0x8042, 0x8083, 0x80c4, 0x8105, 0x8146, 0x8187, 0x83c8, 0x8209, 0x824a, 0x828b, 0x82cc, 0x830d, 0x834e, 0x838f,
  0x85d0, 0x8411, 0x8452, 0x8493, 0x84d4, 0x8515, 0x8556, 0x8597, 0x87d8, 0x8619, 0x865a, 0x869b, 0x86dc, 0x871d, 0x875e, 0x879f,
  0x89e0, 0x8821, 0x8862, 0x88a3, 0x88e4, 0x8925, 0x8966, 0x89a7, 0x8be8, 0x8a29, 0x8a6a, 0x8aab, 0x8aec, 0x8b2d, 0x8b6e, 0x8baf,
  0x8df0, 0x8c31, 0x8c72, 0x8cb3, 0x8cf4, 0x8d35, 0x8d76, 0x8db7, 0x8ff8, 0x8e39, 0x8e7a, 0x8ebb, 0x8efc, 0x8f3d, 0x8f7e, 0x8fbf,
  0x8fc0, 0x8e73, 0x8c6b, 0x8a63, 0x885b, 0x8653, 0x844b, 0x8243, 0x81cd, 0x8009, 0x804a, 0x808b, 0x80cc, 0x810d, 0x814e, 0x818f,
  0x83d5, 0x8211, 0x8252, 0x8293, 0x82d4, 0x8315, 0x8356, 0x8397, 0x85dd, 0x8419, 0x845a, 0x849b, 0x84dc, 0x851d, 0x855e, 0x859f,
  0x87e5, 0x8621, 0x8662, 0x86a3, 0x86e4, 0x8725, 0x8766, 0x87a7, 0x89ed, 0x8829, 0x886a, 0x88ab, 0x88ec, 0x892d, 0x896e, 0x89af,
  0x8bf5, 0x8a31, 0x8a72, 0x8ab3, 0x8af4, 0x8b35, 0x8b76, 0x8bb7, 0x8dfd, 0x8c39, 0x8c7a, 0x8cbb, 0x8cfc, 0x8d3d, 0x8d7e, 0x8dbf,
  0x8e00, 0x8e41, 0x8e82, 0x8ec3, 0x8f04, 0x8f45, 0x8f86, 0x8fc7, 0x8008, 0x8049, 0x808a, 0x80cb, 0x810c, 0x814d, 0x818e, 0x81cf,
  0x8210, 0x8251, 0x8292, 0x82d3, 0x8314, 0x8355, 0x8396, 0x83d7, 0x8418, 0x8459, 0x849a, 0x84db, 0x851c, 0x855d, 0x859e, 0x85df,
  0x8620, 0x8661, 0x86a2, 0x86e3, 0x8724, 0x8765, 0x87a6, 0x87e7, 0x8828, 0x8869, 0x88aa, 0x88eb, 0x892c, 0x896d, 0x89ae, 0x89ef,
  0x8a30, 0x8a71, 0x8ab2, 0x8af3, 0x8b34, 0x8b75, 0x8bb6, 0x8bf7, 0x8c38, 0x8c79, 0x8cba, 0x8cfb, 0x8d3c, 0x8d7d, 0x8dbe, 0x8dff,
  0x8384, 0x858c, 0x8794, 0x899c, 0x8ba4, 0x8dac, 0x8fb4, 0x8e07, 0x8048, 0x8089, 0x80ca, 0x810b, 0x814c, 0x818d, 0x81ce, 0x800a,
  0x8250, 0x8291, 0x82d2, 0x8313, 0x8354, 0x8395, 0x83d6, 0x8212, 0x8458, 0x8499, 0x84da, 0x851b, 0x855c, 0x859d, 0x85de, 0x841a,
  0x8660, 0x86a1, 0x86e2, 0x8723, 0x8764, 0x87a5, 0x87e6, 0x8622, 0x8868, 0x88a9, 0x88ea, 0x892b, 0x896c, 0x89ad, 0x89ee, 0x882a,
  0x8a70, 0x8ab1, 0x8af2, 0x8b33, 0x8b74, 0x8bb5, 0x8bf6, 0x8a32, 0x8c78, 0x8cb9, 0x8cfa, 0x8d3b, 0x8d7c, 0x8dbd, 0x8dfe, 0x8c3a,
  0xce30, 0xce70, 0xde30, 0xde70, 0xee30, 0xee70, 0xfe30, 0xfe70, 0xc008, 0xc048, 0xd008, 0xd048, 0xe008, 0xe048, 0xf008, 0xf048,
  0xce31, 0xce71, 0xde31, 0xde71, 0xee31, 0xee71, 0xfe31, 0xfe71, 0xc009, 0xc049, 0xd009, 0xd049, 0xe009, 0xe049, 0xf009, 0xf049,
  0xceb1, 0xce72, 0xdeb1, 0xde72, 0xeeb1, 0xee72, 0xfeb1, 0xfe72, 0xc089, 0xc04a, 0xd089, 0xd04a, 0xe089, 0xe04a, 0xf089, 0xf04a,
  0xceb2, 0xcef2, 0xdeb2, 0xdef2, 0xeeb2, 0xeef2, 0xfeb2, 0xfef2, 0xc08a, 0xc0ca, 0xd08a, 0xd0ca, 0xe08a, 0xe0ca, 0xf08a, 0xf0ca,
  0xceb3, 0xcef3, 0xdeb3, 0xdef3, 0xeeb3, 0xeef3, 0xfeb3, 0xfef3, 0xc08b, 0xc0cb, 0xd08b, 0xd0cb, 0xe08b, 0xe0cb, 0xf08b, 0xf0cb,
  0xcf33, 0xcef4, 0xdf33, 0xdef4, 0xef33, 0xeef4, 0xff33, 0xfef4, 0xc10b, 0xc0cc, 0xd10b, 0xd0cc, 0xe10b, 0xe0cc, 0xf10b, 0xf0cc,
  0xcf34, 0xcf74, 0xdf34, 0xdf74, 0xef34, 0xef74, 0xff34, 0xff74, 0xc10c, 0xc14c, 0xd10c, 0xd14c, 0xe10c, 0xe14c, 0xf10c, 0xf14c,
  0xcf35, 0xcf75, 0xdf35, 0xdf75, 0xef35, 0xef75, 0xff35, 0xff75, 0xc10d, 0xc14d, 0xd10d, 0xd14d, 0xe10d, 0xe14d, 0xf10d, 0xf14d,
  0xcfb5, 0xcf76, 0xdfb5, 0xdf76, 0xefb5, 0xef76, 0xffb5, 0xff76, 0xc18d, 0xc14e, 0xd18d, 0xd14e, 0xe18d, 0xe14e, 0xf18d, 0xf14e,
  0xcfb6, 0xcff6, 0xdfb6, 0xdff6, 0xefb6, 0xeff6, 0xffb6, 0xfff6, 0xc18e, 0xc1ce, 0xd18e, 0xd1ce, 0xe18e, 0xe1ce, 0xf18e, 0xf1ce,
  0xcfb7, 0xcff7, 0xdfb7, 0xdff7, 0xefb7, 0xeff7, 0xffb7, 0xfff7, 0xc18f, 0xc1cf, 0xd18f, 0xd1cf, 0xe18f, 0xe1cf, 0xf18f, 0xf1cf,
};

/* By the difference of two squares, 16 a rank and 1 a file, 119 more: what a slider's code has more than its square, or for a
 * knight 0x8000 and the place of its row in knight_table. */
static const uint16_t step_table[240] = {
  0x0040, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x0080, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x00c0, 0xffff,
  0xffff, 0x0140, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x0180, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x01c0, 0xffff, 0xffff,
  0xffff, 0xffff, 0x0240, 0xffff, 0xffff, 0xffff, 0xffff, 0x0280, 0xffff, 0xffff, 0xffff, 0xffff, 0x02c0, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0x0340, 0xffff, 0xffff, 0xffff, 0x0380, 0xffff, 0xffff, 0xffff, 0x03c0, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0x0440, 0xffff, 0xffff, 0x0480, 0xffff, 0xffff, 0x04c0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x0540, 0x8100, 0x0580, 0x80c0, 0x05c0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x8140, 0x0640, 0x0680, 0x06c0, 0x8080, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0x0000, 0x0100, 0x0200, 0x0300, 0x0400, 0x0500, 0x0600, 0xffff, 0x0000, 0x0100, 0x0200, 0x0300, 0x0400, 0x0500, 0x0600, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x8180, 0x00c0, 0x0080, 0x0040, 0x8040, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x01c0, 0x81c0, 0x0180, 0x8000, 0x0140, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0x02c0, 0xffff, 0xffff, 0x0280, 0xffff, 0xffff, 0x0240, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0x03c0, 0xffff, 0xffff, 0xffff, 0x0380, 0xffff, 0xffff, 0xffff, 0x0340, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0x04c0, 0xffff, 0xffff, 0xffff, 0xffff, 0x0480, 0xffff, 0xffff, 0xffff, 0xffff, 0x0440, 0xffff, 0xffff, 0xffff,
  0xffff, 0x05c0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x0580, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x0540, 0xffff, 0xffff,
  0x06c0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x0680, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x0640, 0xffff,
};

/* The codes of a knight's eight leaps, by its square. */
static const uint16_t knight_table[8 * 64] = {
  0x04c0, 0x04c1, 0x04c2, 0x04c3, 0x04c4, 0x01c0, 0x01c1, 0xffff, 0x04c8, 0x04c9, 0x04ca, 0x04cb, 0x04cc, 0x01c8, 0x01c9, 0xffff,
  0x04d0, 0x04d1, 0x04d2, 0x04d3, 0x04d4, 0x01d0, 0x01d1, 0xffff, 0x02c2, 0x02ca, 0x02d2, 0x02da, 0x02e2, 0x01d8, 0x01d9, 0xffff,
  0x02c1, 0x02c9, 0x02d1, 0x02d9, 0x02e1, 0x01e0, 0x01e1, 0xffff, 0x02c0, 0x02c8, 0x02d0, 0x02d8, 0x02e0, 0x01e8, 0x01e9, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0x03c0, 0x03c8, 0x03d0, 0x03d8, 0x06c0, 0x00c0, 0xffff, 0xffff, 0x03c1, 0x03c9, 0x03d1, 0x03d9, 0x06c1, 0x00c8, 0xffff, 0xffff,
  0x03c2, 0x03ca, 0x03d2, 0x03da, 0x06c2, 0x00d0, 0xffff, 0xffff, 0x03c3, 0x03cb, 0x03d3, 0x03db, 0x06c3, 0x00d8, 0xffff, 0xffff,
  0x05c0, 0x05c1, 0x05c8, 0x05c9, 0x06c4, 0x00e0, 0xffff, 0xffff, 0x05c2, 0x05c3, 0x05ca, 0x05cb, 0x06c5, 0x00e8, 0xffff, 0xffff,
  0x05c4, 0x05c5, 0x05cc, 0x05cd, 0x06c6, 0x00f0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x017c, 0x017d, 0x0174, 0x0175, 0x007e, 0x0648, 0xffff, 0xffff,
  0x017a, 0x017b, 0x0172, 0x0173, 0x007d, 0x0650, 0xffff, 0xffff, 0x0178, 0x0179, 0x0170, 0x0171, 0x007c, 0x0658, 0xffff, 0xffff,
  0x037b, 0x0373, 0x036b, 0x0363, 0x007b, 0x0660, 0xffff, 0xffff, 0x037a, 0x0372, 0x036a, 0x0362, 0x007a, 0x0668, 0xffff, 0xffff,
  0x0379, 0x0371, 0x0369, 0x0361, 0x0079, 0x0670, 0xffff, 0xffff, 0x0378, 0x0370, 0x0368, 0x0360, 0x0078, 0x0678, 0xffff, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0x0478, 0x0470, 0x0468, 0x0460, 0x0458, 0x0550, 0x0551, 0xffff, 0x0479, 0x0471, 0x0469, 0x0461, 0x0459, 0x0558, 0x0559, 0xffff,
  0x047a, 0x0472, 0x046a, 0x0462, 0x045a, 0x0560, 0x0561, 0xffff, 0x0268, 0x0269, 0x026a, 0x026b, 0x026c, 0x0568, 0x0569, 0xffff,
  0x0270, 0x0271, 0x0272, 0x0273, 0x0274, 0x0570, 0x0571, 0xffff, 0x0278, 0x0279, 0x027a, 0x027b, 0x027c, 0x0578, 0x0579, 0xffff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0x05d6, 0x05d7, 0x04df, 0x04e7, 0x04ef, 0x04f7, 0x04ff, 0xffff, 0x05de, 0x05df, 0x04de, 0x04e6, 0x04ee, 0x04f6, 0x04fe,
  0xffff, 0x05e6, 0x05e7, 0x04dd, 0x04e5, 0x04ed, 0x04f5, 0x04fd, 0xffff, 0x05ee, 0x05ef, 0x02eb, 0x02ec, 0x02ed, 0x02ee, 0x02ef,
  0xffff, 0x05f6, 0x05f7, 0x02f3, 0x02f4, 0x02f5, 0x02f6, 0x02f7, 0xffff, 0x05fe, 0x05ff, 0x02fb, 0x02fc, 0x02fd, 0x02fe, 0x02ff,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x06cf, 0x00f9, 0x01f2, 0x01f3, 0x01fa, 0x01fb,
  0xffff, 0xffff, 0x06d7, 0x00fa, 0x01f4, 0x01f5, 0x01fc, 0x01fd, 0xffff, 0xffff, 0x06df, 0x00fb, 0x01f6, 0x01f7, 0x01fe, 0x01ff,
  0xffff, 0xffff, 0x06e7, 0x00fc, 0x03e4, 0x03ec, 0x03f4, 0x03fc, 0xffff, 0xffff, 0x06ef, 0x00fd, 0x03e5, 0x03ed, 0x03f5, 0x03fd,
  0xffff, 0xffff, 0x06f7, 0x00fe, 0x03e6, 0x03ee, 0x03f6, 0x03fe, 0xffff, 0xffff, 0x06ff, 0x00ff, 0x03e7, 0x03ef, 0x03f7, 0x03ff,
  0xffff, 0xffff, 0x0047, 0x0647, 0x035f, 0x0357, 0x034f, 0x0347, 0xffff, 0xffff, 0x004f, 0x0646, 0x035e, 0x0356, 0x034e, 0x0346,
  0xffff, 0xffff, 0x0057, 0x0645, 0x035d, 0x0355, 0x034d, 0x0345, 0xffff, 0xffff, 0x005f, 0x0644, 0x035c, 0x0354, 0x034c, 0x0344,
  0xffff, 0xffff, 0x0067, 0x0643, 0x054e, 0x054f, 0x0546, 0x0547, 0xffff, 0xffff, 0x006f, 0x0642, 0x054c, 0x054d, 0x0544, 0x0545,
  0xffff, 0xffff, 0x0077, 0x0641, 0x054a, 0x054b, 0x0542, 0x0543, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
  0xffff, 0x0146, 0x0147, 0x0443, 0x0444, 0x0445, 0x0446, 0x0447, 0xffff, 0x014e, 0x014f, 0x044b, 0x044c, 0x044d, 0x044e, 0x044f,
  0xffff, 0x0156, 0x0157, 0x0453, 0x0454, 0x0455, 0x0456, 0x0457, 0xffff, 0x015e, 0x015f, 0x0265, 0x025d, 0x0255, 0x024d, 0x0245,
  0xffff, 0x0166, 0x0167, 0x0266, 0x025e, 0x0256, 0x024e, 0x0246, 0xffff, 0x016e, 0x016f, 0x0267, 0x025f, 0x0257, 0x024f, 0x0247,
  0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff,
};

/* How many moves without promotion begin on a lower square. The same where squares are counted by files: a1, a2, .. a8, b1. */
static const uint16_t first_of[65] = {
     0,   23,   47,   72,   97,  122,  147,  171,  194,  218,  245,  274,  303,  332,  361,  388,
   412,  437,  466,  499,  532,  565,  598,  627,  652,  677,  706,  739,  774,  809,  842,  871,
   896,  921,  950,  983, 1018, 1053, 1086, 1115, 1140, 1165, 1194, 1227, 1260, 1293, 1326, 1355,
  1380, 1404, 1431, 1460, 1489, 1518, 1547, 1574, 1598, 1621, 1645, 1670, 1695, 1720, 1745, 1769,
  1792,
};
/* END TABLES */

/* ---- Bits ---- */

typedef uint64_t set; /* of squares */

#define BIT(s) ((set)1 << ((s) & 63u))
#define FILE_A ((set)0x0101010101010101u)
#define FILE_H (FILE_A << 7)
#define RANK_1 ((set)0xffu)

static unsigned popcount(set b) {
#if defined(__GNUC__) && !defined(PLY11_PORTABLE) && (!defined(__x86_64__) || defined(__POPCNT__)) /* else it would be a call */
  return (unsigned)__builtin_popcountll(b);
#else
  b -= b >> 1 & 0x5555555555555555u;
  b = (b & 0x3333333333333333u) + (b >> 2 & 0x3333333333333333u);
  return (unsigned)(((b + (b >> 4)) & 0x0f0f0f0f0f0f0f0fu) * FILE_A >> 56);
#endif
}

/* lowest returns the lowest square of a set, h8 of the empty one. */
static unsigned lowest(set b) {
  b |= (set)1 << 63;
#if defined(__GNUC__) && !defined(PLY11_PORTABLE)
  return (unsigned)__builtin_ctzll(b);
#else
  return popcount((b & (~b + 1)) - 1);
#endif
}

/* from_highest returns the highest square of a set, and all above it; the whole board for the empty set. */
static set from_highest(set b) {
#if defined(__GNUC__) && !defined(PLY11_PORTABLE)
  return ~(set)0 << (63 - __builtin_clzll(b | 1));
#else
  b |= b >> 1, b |= b >> 2, b |= b >> 4, b |= b >> 8, b |= b >> 16, b |= b >> 32;
  return ~(b >> 1);
#endif
}

/* length_of returns how many bits a number needs, 0 for 0. */
static unsigned length_of(uint64_t v) {
  unsigned n = v > 0, k;
  for (k = 32; k > 0; k /= 2)
    if (v >> k > 0) {
      n += k;
      v >>= k;
    }
  return n;
}

/* turned mirrors the ranks of a set. */
static set turned(set b) {
  b = (b >> 8 & 0x00ff00ff00ff00ffu) | (b & 0x00ff00ff00ff00ffu) << 8;
  b = (b >> 16 & 0x0000ffff0000ffffu) | (b & 0x0000ffff0000ffffu) << 16;
  return b >> 32 | b << 32;
}

/* all returns all squares for 1, none for 0. */
static set all(unsigned yes) { return (set)0 - yes; }

/* Without a loop, compilers make one store of it. */
static void put64(uint8_t *bytes, uint64_t v) {
  bytes[0] = (uint8_t)v;
  bytes[1] = (uint8_t)(v >> 8);
  bytes[2] = (uint8_t)(v >> 16);
  bytes[3] = (uint8_t)(v >> 24);
  bytes[4] = (uint8_t)(v >> 32);
  bytes[5] = (uint8_t)(v >> 40);
  bytes[6] = (uint8_t)(v >> 48);
  bytes[7] = (uint8_t)(v >> 56);
}

static uint32_t get16(const uint8_t *b) { return b[0] | (uint32_t)b[1] << 8; }
static uint32_t get24(const uint8_t *b) { return get16(b) | (uint32_t)b[2] << 16; }
static uint32_t get32(const uint8_t *b) { return get24(b) | (uint32_t)b[3] << 24; }
static uint64_t get64(const uint8_t *b) { return get32(b) | (uint64_t)get32(b + 4) << 32; }

static void copy(uint8_t *to, const uint8_t *from, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) to[i] = from[i];
}

/* ---- The index ---- */

static unsigned absolute(int a) { return (unsigned)(a < 0 ? -a : a); }

uint16_t ply11_word(unsigned code) { return code < PLY11_MOVES ? word_table[code] : 0; }

/* word_from, word_to and word_kind are the fields of a word; kind is the piece that a pawn becomes, or 0. */
static unsigned word_from(unsigned w) { return w & 63u; }
static unsigned word_to(unsigned w) { return w >> 6 & 63u; }
static unsigned word_kind(unsigned w) {
  static const uint8_t kinds[8] = {0, 0, 0, 0, PLY11_KNIGHT, PLY11_BISHOP, PLY11_ROOK, PLY11_QUEEN};
  return kinds[w >> 12 & 7u];
}

/* plain_code is ply11_code without a promotion, for squares on the board. */
static unsigned plain_code(unsigned from, unsigned to) {
  unsigned v = step_table[(to + (to & 56u)) - (from + (from & 56u)) + 119u];
  if (v & 0x8000u) return v == PLY11_NONE ? v : knight_table[(v & 0x1ffu) + from];
  return v + from;
}

/* promotion_code is ply11_code of a pawn's move to the last rank. */
static unsigned promotion_code(unsigned from, unsigned to, unsigned kind) {
  static const uint8_t order[8] = {0, 0, 3, 0, 1, 2, 0, 0}; /* Q N B R */
  unsigned j = 2 * (from & 7u) + (to & 7u);
  return 1792 + 16 * (j / 2) + (to < 8 ? 8u : 0u) + 2u * order[kind] + j % 2;
}

uint16_t ply11_code(unsigned from, unsigned to, unsigned promotion) {
  if (from > 63 || to > 63) return PLY11_NONE;
  if (promotion == 0) return (uint16_t)plain_code(from, to);
  if (promotion < PLY11_QUEEN || promotion > PLY11_ROOK) return PLY11_NONE;
  if (!((from >> 3 == 6 && to >> 3 == 7) || (from >> 3 == 1 && to >> 3 == 0))) return PLY11_NONE;
  if (absolute((int)(from & 7u) - (int)(to & 7u)) > 1) return PLY11_NONE;
  return (uint16_t)promotion_code(from, to, promotion);
}

uint16_t ply11_mirror_ranks(unsigned code) {
  unsigned n = code >> 8, axis = code >> 6 & 3u;
  if (code >= 1792) return (uint16_t)(code < PLY11_MOVES ? code ^ 8u : code);
  if (axis != 0) n = 6 - n; /* n is one less than on the page */
  return (uint16_t)(n << 8 | ((0 - axis) & 3u) << 6 | ((code & 63u) ^ 56u));
}

uint16_t ply11_mirror_files(unsigned code) {
  unsigned n = code >> 8, axis = code >> 6 & 3u;
  if (code >= PLY11_MOVES) return (uint16_t)code;
  if (code >= 1792) {
    unsigned p = code - 1792, j = 21 - (2 * (p / 16) + p % 2);
    return (uint16_t)(1792 + 16 * (j / 2) + (p & 14u) + j % 2);
  }
  if (axis == 0) n = 6 - n;
  return (uint16_t)(n << 8 | ((0 - axis) & 3u) << 6 | ((code & 63u) ^ 7u));
}

/* steps sets how far a move goes in files and ranks. */
static void steps(unsigned w, int *dx, int *dy) {
  *dx = (int)(word_to(w) & 7u) - (int)(word_from(w) & 7u);
  *dy = (int)(word_to(w) >> 3) - (int)(word_from(w) >> 3);
}

ply11_class ply11_code_class(unsigned code) {
  int dx, dy;
  if (code >= PLY11_MOVES) return code <= PLY11_START_960 || code == PLY11_IDLE ? PLY11_CLASS_CONTROL : PLY11_CLASS_RESERVED;
  if (code >= 1792) return PLY11_CLASS_PROMOTION;
  steps(word_table[code], &dx, &dy);
  if (dx == 0 || dy == 0) return PLY11_CLASS_ROOK;
  return absolute(dx) == absolute(dy) ? PLY11_CLASS_BISHOP : PLY11_CLASS_KNIGHT;
}

const char *ply11_control_name(unsigned code) {
  static const char *const names[] = {
      "ResultBlackWins", "ResultDraw", "ResultWhiteWins", "ResultUnknown", "Null", "VariationStart", "VariationEnd", "Text", "NAG",
      "NAG1", "NAG2", "NAG3", "NAG4", "NAG5", "NAG6", "NAG7", "NAG8", "NAG9", "NAG10", "NAG11", "NAG12", "NAG13", "NAG14", "NAG15",
      "NAG16", "NAG17", "NAG18", "NAG19", "NAG20", "NAG21", "NAG22", "NAG23", "NAG24", "NAG25", "NAG26", "NAG27", "NAG28", "NAG29",
      "NAG30", "NAG31", "Start", "Start960"};
  if (code >= PLY11_MOVES && code <= PLY11_START_960) return names[code - PLY11_MOVES];
  return code == PLY11_IDLE ? "Idle" : NULL;
}

int ply11_piece_moves(unsigned piece, unsigned code) {
  unsigned w = ply11_word(code), black = piece >> 3, rank = word_from(w) >> 3, x, y;
  int dx, dy;
  if (w == 0 || piece > 15) return 0;
  steps(w, &dx, &dy);
  if ((piece & 7u) == PLY11_PAWN) {
    if (black) {
      dy = -dy;
      rank = 7 - rank;
    }
    if (rank == 0 || rank == 7 || (word_kind(w) != 0) != (rank == 6)) return 0;
    return (dy == 1 && dx >= -1 && dx <= 1) || (dy == 2 && dx == 0 && rank == 1);
  }
  if (code >= 1792) return 0;
  x = absolute(dx);
  y = absolute(dy);
  switch (piece & 7u) {
    case PLY11_KING: return (x < 2 && y < 2) || (y == 0 && x == 2 && word_from(w) == (black ? 60u : 4u));
    case PLY11_QUEEN: return x == 0 || y == 0 || x == y;
    case PLY11_KNIGHT: return x + y == 3 && x != 0 && y != 0;
    case PLY11_BISHOP: return x == y;
    case PLY11_ROOK: return x == 0 || y == 0;
    default: return 0;
  }
}

/* ---- Words and bytes ---- */

size_t ply11_packed_size(size_t n) { return n / 8 * 11 + (n % 8 * 11 + 7) / 8; }

void ply11_pack(const uint16_t *words, size_t n, uint8_t *bytes) {
  uint32_t acc = 0;
  unsigned have = 0;
  size_t i;
  for (i = 0; i < n; i++) {
    acc |= (uint32_t)(words[i] & 2047u) << have;
    for (have += PLY11_BITS; have >= 8; have -= 8) {
      *bytes++ = (uint8_t)acc;
      acc >>= 8;
    }
  }
  if (have > 0) *bytes = (uint8_t)(acc | 0xffu << have);
}

/* word_at returns word number i, whose bits are all there. */
static unsigned word_at(const uint8_t *bytes, size_t i) {
  size_t at = i / 8 * 11 + i % 8 * 11 / 8;
  unsigned shift = (unsigned)(i % 8 * 11 % 8), v = bytes[at] | (unsigned)bytes[at + 1] << 8;
  if (shift > 5) v |= (unsigned)bytes[at + 2] << 16;
  return v >> shift & 2047u;
}

/* whole_words returns how many words the bytes have. */
static size_t whole_words(size_t size) { return size / 11 * 8 + size % 11 * 8 / 11; }

size_t ply11_unpack(const uint8_t *bytes, size_t size, size_t first, uint16_t *words, size_t n) {
  size_t have = whole_words(size), i = 0, at = first / 8 * 11 + first % 8 * 11 / 8;
  unsigned shift = (unsigned)(first % 8 * 11 % 8), k;
  if (first >= have) return 0;
  if (n > have - first) n = have - first;
  for (; n - i >= 5 && size - at >= 8; i += 5) { /* five words are in eight bytes, wherever they begin */
    uint64_t v = get64(bytes + at) >> shift;
    for (k = 0; k < 5; k++) words[i + k] = (uint16_t)(v >> 11 * k & 2047u);
    shift += 55;
    at += shift / 8;
    shift %= 8;
  }
  for (; i < n; i++) words[i] = (uint16_t)word_at(bytes, first + i);
  return n;
}

/* ---- Errors ---- */

const char *ply11_status_text(ply11_status status) {
  switch (status) {
    case PLY11_OK: return "no error";
    case PLY11_END: return "the stream has no more games";
    case PLY11_ERROR_ARGUMENT: return "an argument is out of its range";
    case PLY11_ERROR_SYNTAX: return "syntax error";
    case PLY11_ERROR_BOARD: return "impossible board";
    case PLY11_ERROR_CASTLING: return "impossible castling rights";
    case PLY11_ERROR_EN_PASSANT: return "impossible en passant square";
    case PLY11_ERROR_CHECK: return "side not to move is in check";
    case PLY11_ERROR_COUNTERS: return "bad counters";
    case PLY11_ERROR_ILLEGAL: return "illegal move";
    case PLY11_ERROR_AMBIGUOUS: return "ambiguous move";
    case PLY11_ERROR_TRUNCATED: return "the stream ends inside a game";
    case PLY11_ERROR_RESERVED: return "reserved code";
    case PLY11_ERROR_GRAMMAR: return "a code where it may not stand";
    case PLY11_ERROR_NAG: return "a NAG above 255";
    case PLY11_ERROR_TEXT: return "a text that is not valid";
    case PLY11_ERROR_DEPTH: return "variations are too deep";
    case PLY11_ERROR_PADDING: return "bits after the last word are not ones";
    case PLY11_ERROR_UNSUPPORTED: return "the format cannot hold this";
    case PLY11_ERROR_READ: return "the source cannot be read";
    case PLY11_ERROR_MEMORY: return "there is not enough memory";
    case PLY11_ERROR_FORMAT: return "the file is of another kind";
    case PLY11_ERROR_CORRUPT: return "the file is damaged";
    case PLY11_ERROR_LATER: return "the file is of a later version";
  }
  return "unknown status";
}

static ply11_status fail(ply11_status status, size_t where, size_t *at) {
  if (at != NULL) *at = where;
  return status;
}

/* ---- Attacks ---- */

/* Diagonals by rank - file + 7, anti-diagonals by rank + file. */
static const set diagonals[15] = {
    0x0000000000000080u, 0x0000000000008040u, 0x0000000000804020u, 0x0000000080402010u, 0x0000008040201008u,
    0x0000804020100804u, 0x0080402010080402u, 0x8040201008040201u, 0x4020100804020100u, 0x2010080402010000u,
    0x1008040201000000u, 0x0804020100000000u, 0x0402010000000000u, 0x0201000000000000u, 0x0100000000000000u};
static const set antidiagonals[15] = {
    0x0000000000000001u, 0x0000000000000102u, 0x0000000000010204u, 0x0000000001020408u, 0x0000000102040810u,
    0x0000010204081020u, 0x0001020408102040u, 0x0102040810204080u, 0x0204081020408000u, 0x0408102040800000u,
    0x0810204080000000u, 0x1020408000000000u, 0x2040800000000000u, 0x4080000000000000u, 0x8000000000000000u};

static set file_of(unsigned s) { return FILE_A << (s & 7u); }
static set rank_of(unsigned s) { return RANK_1 << (s & 56u); }
static set diagonal_of(unsigned s) { return diagonals[(s >> 3) + 7 - (s & 7u)]; }
static set antidiagonal_of(unsigned s) { return antidiagonals[(s >> 3) + (s & 7u)]; }

/* along returns what is seen along a line, both ways, from a square of it: up to the first piece each way, with it. */
static set along(set line, set from, set occupied) {
  set below = from - 1, lower, upper;
  line &= ~from;
  lower = occupied & line & below;
  upper = occupied & line & ~below;
  return line & from_highest(lower) & (upper ^ (upper - 1));
}

static set rook_attacks(unsigned s, set occupied) {
  return along(file_of(s), BIT(s), occupied) | along(rank_of(s), BIT(s), occupied);
}

static set bishop_attacks(unsigned s, set occupied) {
  return along(diagonal_of(s), BIT(s), occupied) | along(antidiagonal_of(s), BIT(s), occupied);
}

static set knight_attacks(set b) {
  set one = (b << 1 & ~FILE_A) | (b >> 1 & ~FILE_H), two = (b << 2 & ~(FILE_A | FILE_A << 1)) | (b >> 2 & ~(FILE_H | FILE_H >> 1));
  return one << 16 | one >> 16 | two << 8 | two >> 8;
}

static set king_attacks(set b) {
  set row = b | (b << 1 & ~FILE_A) | (b >> 1 & ~FILE_H);
  return (row | row << 8 | row >> 8) & ~b;
}

/* forward moves a set by one rank, to where the pawns of a side go. */
static set forward(set b, unsigned black) { return black ? b >> 8 : b << 8; }

static set pawn_attacks(set b, unsigned black) {
  b = forward(b, black);
  return (b << 1 & ~FILE_A) | (b >> 1 & ~FILE_H);
}

/* between returns the squares strictly between two different squares of a line, none if they are of no line. */
static set between(unsigned a, unsigned b) {
  set line = 0, range = (BIT(a) - 1) ^ (BIT(b) - 1);
  if (((a ^ b) & 56u) == 0) line = rank_of(a);
  else if (((a ^ b) & 7u) == 0) line = file_of(a);
  else if (diagonal_of(a) == diagonal_of(b)) line = diagonal_of(a);
  else if (antidiagonal_of(a) == antidiagonal_of(b)) line = antidiagonal_of(a);
  return line & range & ~(BIT(a) | BIT(b));
}

/* ---- Positions ---- */

/* The pieces of a position by kind. */
typedef struct pieces {
  set kings, knights, pawns, straight, oblique; /* queens are in both of the last */
  set occupied, us, them;
} pieces;

static void find_pieces(const ply11_position *p, pieces *m) {
  set a = p->plane[0], b = p->plane[1], c = p->plane[2], queens = b & ~(a | c);
  m->kings = a & ~(b | c);
  m->knights = a & b;
  m->pawns = b & c;
  m->straight = queens | (a & c);
  m->oblique = queens | (c & ~(a | b));
  m->occupied = a | b | c;
  m->us = m->occupied & (p->plane[3] ^ ~all(p->black));
  m->them = m->occupied ^ m->us;
}

static set all_pieces(const ply11_position *p) { return p->plane[0] | p->plane[1] | p->plane[2]; }

unsigned ply11_piece_on(const ply11_position *p, unsigned square) {
  unsigned s = square & 63u;
  return (unsigned)((p->plane[0] >> s & 1) | (p->plane[1] >> s & 1) << 1 | (p->plane[2] >> s & 1) << 2 | (p->plane[3] >> s & 1) << 3);
}

static void clear_square(ply11_position *p, unsigned s) {
  int i;
  for (i = 0; i < 4; i++) p->plane[i] &= ~BIT(s);
}

static void put_piece(ply11_position *p, unsigned s, unsigned piece) {
  int i;
  for (i = 0; i < 4; i++) p->plane[i] = (p->plane[i] & ~BIT(s)) | (set)(piece >> i & 1u) << s;
}

void ply11_start(ply11_position *p) {
  static const ply11_position start = {
      {0xd3000000000000d3u, 0x4aff00000000ff4au, 0xa5ff00000000ffa5u, 0xffff000000000000u}, 0x8100000000000081u, 0, 1, 0, 0, 0, {0}};
  *p = start;
}

/* same_pieces tells whether the same pieces stand on the same squares. */
static int same_pieces(const ply11_position *p, const ply11_position *q) {
  return p->plane[0] == q->plane[0] && p->plane[1] == q->plane[1] && p->plane[2] == q->plane[2] && p->plane[3] == q->plane[3];
}

/* attackers returns the pieces of a set that attack a square. */
static set attackers(const pieces *m, unsigned square, unsigned black, set of) {
  set s = BIT(square);
  /* A pawn of the other colour attacks the square from where one of ours on it would attack. */
  return of & ((knight_attacks(s) & m->knights) | (king_attacks(s) & m->kings) | (pawn_attacks(s, black) & m->pawns) |
               (rook_attacks(square, m->occupied) & m->straight) | (bishop_attacks(square, m->occupied) & m->oblique));
}

/* checkers returns the pieces that give check to the side to move, which must have a king. */
static set checkers(const ply11_position *p, const pieces *m) { return attackers(m, lowest(m->kings & m->us), p->black, m->them); }

/* rights returns the rights to castle in the four bits of docs/WORDS.md. If files is not NULL, it gets the file of each rook, 0 where there is
 * no right. */
static unsigned rights(const ply11_position *p, unsigned files[4]) {
  unsigned i, bits = 0;
  set kings = p->plane[0] & ~(p->plane[1] | p->plane[2]), b;
  for (i = 0; files != NULL && i < 4; i++) files[i] = 0;
  for (b = p->castling; b != 0; b &= b - 1) {
    unsigned s = lowest(b), right = s < 32 ? 0 : 2;
    set king = kings & rank_of(s);
    if (king > BIT(s)) right++;
    bits |= 1u << right;
    if (files != NULL) files[right] = s & 7u;
  }
  return bits;
}

/* What every question about legal moves needs. */
typedef struct legality {
  pieces m;
  unsigned king, black;
  set target;                  /* where pieces other than the king may go: not on our own; in check, what ends it */
  set pin_straight, pin_oblique; /* the lines along which our pieces are pinned, with the pinning pieces */
  set low, middle, high;       /* what pawns; knights and diagonals; kings and straight lines attack, through our king */
  set danger;                  /* all of that: where the king may not go */
  set checks;
} legality;

static void find_pins(legality *l, set snipers, set *pins) {
  for (; snipers != 0; snipers &= snipers - 1) {
    unsigned s = lowest(snipers);
    set line = between(l->king, s), ours = line & l->m.us;
    if (ours == 0) {
      l->checks |= BIT(s);
      l->target &= line | BIT(s);
    } else if ((ours & (ours - 1)) == 0) {
      *pins |= line | BIT(s);
    }
  }
}

/* find_legality leaves out what the enemy attacks where no king is asked for. */
static void find_legality(const ply11_position *p, legality *l, int with_king) {
  pieces *m = &l->m;
  set king, b, seen, leapers;
  find_pieces(p, m);
  king = m->kings & m->us;
  l->black = p->black;
  l->king = lowest(king);
  l->pin_straight = l->pin_oblique = 0;
  leapers = m->them & ((knight_attacks(king) & m->knights) | (pawn_attacks(king, p->black) & m->pawns));
  l->checks = leapers;
  l->target = leapers != 0 ? leapers : ~(set)0;
  find_pins(l, rook_attacks(l->king, m->them) & m->straight & m->them, &l->pin_straight);
  find_pins(l, bishop_attacks(l->king, m->them) & m->oblique & m->them, &l->pin_oblique);
  if (l->checks & (l->checks - 1)) l->target = 0;
  l->target &= ~m->us;
  if (!with_king) return;

  seen = m->occupied ^ king; /* the enemy looks through our king */
  l->low = pawn_attacks(m->pawns & m->them, !p->black);
  l->middle = knight_attacks(m->knights & m->them);
  l->high = king_attacks(m->kings & m->them);
  for (b = m->oblique & m->them; b != 0; b &= b - 1) l->middle |= bishop_attacks(lowest(b), seen);
  for (b = m->straight & m->them; b != 0; b &= b - 1) l->high |= rook_attacks(lowest(b), seen);
  l->danger = l->low | l->middle | l->high;
}

/* castlings returns the squares that castling has as its target: the king's, or in Chess960 the rook's. */
static set castlings(const ply11_position *p, const legality *l) {
  set rooks = p->castling & rank_of(p->black ? 56 : 0), to = 0;
  if (rooks == 0 || l->checks != 0) return 0;
  for (; rooks != 0; rooks &= rooks - 1) {
    unsigned rook = lowest(rooks), home = rook & 56u, kto = home + (rook > l->king ? 6u : 2u), rto = home + (rook > l->king ? 5u : 3u);
    set gone = BIT(l->king) | BIT(rook), way = (between(l->king, kto) | BIT(kto)) & ~BIT(l->king);
    if ((way | between(rook, rto) | BIT(rto) | BIT(kto)) & ~gone & l->m.occupied) continue;
    if (way & l->danger) continue;
    /* The rook may have stood before the king's new square. */
    if (along(rank_of(kto), BIT(kto), (l->m.occupied & ~gone) | BIT(rto)) & l->m.straight & l->m.them) continue;
    to |= BIT(p->chess960 ? rook : kto);
  }
  return to;
}

/* unpinned returns what a piece's pin leaves of its targets. */
static set unpinned(const legality *l, unsigned from, set straight, set oblique) {
  if (l->pin_straight & BIT(from)) return straight & l->pin_straight & l->target;
  if (l->pin_oblique & BIT(from)) return oblique & l->pin_oblique & l->target;
  return (straight | oblique) & l->target;
}

static set pawn_targets(const ply11_position *p, const legality *l, unsigned from) {
  set b = BIT(from), step = forward(b, l->black) & ~l->m.occupied, takes = pawn_attacks(b, l->black), to;
  step |= forward(step & rank_of(l->black ? 40 : 16), l->black) & ~l->m.occupied;
  to = unpinned(l, from, step, takes & l->m.them);
  if (p->en_passant) {
    unsigned over = (l->black ? 15u : 39u) + p->en_passant, taken = over ^ 8u;
    if (takes & BIT(over)) { /* try it: two pieces leave the king's lines at once */
      set occupied = (l->m.occupied & ~(b | BIT(taken))) | BIT(over);
      set left = l->m.them & ~BIT(taken);
      if (((rook_attacks(l->king, occupied) & l->m.straight & left) | (bishop_attacks(l->king, occupied) & l->m.oblique & left) |
           (l->checks & left & (l->m.knights | l->m.pawns))) == 0)
        to |= BIT(over);
    }
  }
  return to;
}

/* targets returns the squares to which our piece on a square, who is of a kind, may legally go. */
static set targets(const ply11_position *p, const legality *l, unsigned from, unsigned kind) {
  switch (kind) {
    case PLY11_KING: return (king_attacks(BIT(from)) & ~l->m.us & ~l->danger) | castlings(p, l);
    case PLY11_QUEEN: return unpinned(l, from, rook_attacks(from, l->m.occupied), bishop_attacks(from, l->m.occupied));
    case PLY11_KNIGHT: return (l->pin_straight | l->pin_oblique) & BIT(from) ? 0 : knight_attacks(BIT(from)) & l->target;
    case PLY11_BISHOP: return unpinned(l, from, 0, bishop_attacks(from, l->m.occupied));
    case PLY11_ROOK: return unpinned(l, from, rook_attacks(from, l->m.occupied), 0);
    default: return pawn_targets(p, l, from);
  }
}

/* of_kind returns our pieces of a kind. */
static set of_kind(const legality *l, unsigned kind) {
  set queens = l->m.straight & l->m.oblique;
  switch (kind) {
    case PLY11_KING: return l->m.us & l->m.kings;
    case PLY11_QUEEN: return l->m.us & queens;
    case PLY11_KNIGHT: return l->m.us & l->m.knights;
    case PLY11_BISHOP: return l->m.us & l->m.oblique & ~queens;
    case PLY11_ROOK: return l->m.us & l->m.straight & ~queens;
    case PLY11_PAWN: return l->m.us & l->m.pawns;
    default: return 0;
  }
}

/* A walk through the pieces of the side to move and their targets, kind by kind. */
typedef struct walk {
  legality l;
  unsigned kind, from;
  set left, to;
} walk;

static void walk_begin(const ply11_position *p, walk *w) {
  find_legality(p, &w->l, 1);
  w->kind = 0;
  w->left = 0;
}

/* walk_next goes to the next piece; it returns 0 where there is none. */
static int walk_next(const ply11_position *p, walk *w) {
  while (w->left == 0) {
    if (w->kind == PLY11_PAWN) return 0;
    w->left = of_kind(&w->l, ++w->kind);
    if (w->kind > PLY11_KING && w->l.target == 0) w->left = 0; /* a double check; no pawn takes en passant out of one */
  }
  w->from = lowest(w->left);
  w->left &= w->left - 1;
  w->to = targets(p, &w->l, w->from, w->kind);
  return 1;
}

#define LAST_RANKS (RANK_1 | RANK_1 << 56)

size_t ply11_legal(const ply11_position *p, uint16_t *codes, size_t cap) {
  walk w;
  size_t n = 0;
  walk_begin(p, &w);
  while (walk_next(p, &w)) {
    for (; w.to != 0; w.to &= w.to - 1) {
      unsigned to = lowest(w.to), kind;
      if (w.kind == PLY11_PAWN && BIT(to) & LAST_RANKS) {
        for (kind = PLY11_QUEEN; kind <= PLY11_ROOK; kind++, n++)
          if (n < cap) codes[n] = (uint16_t)promotion_code(w.from, to, kind);
        continue;
      }
      if (n < cap) codes[n] = (uint16_t)plain_code(w.from, to);
      n++;
    }
  }
  return n;
}

size_t ply11_count_legal(const ply11_position *p) {
  walk w;
  size_t n = 0;
  walk_begin(p, &w);
  while (walk_next(p, &w)) n += popcount(w.to) + (w.kind == PLY11_PAWN ? 3 * popcount(w.to & LAST_RANKS) : 0);
  return n;
}

/* has_legal tells whether there is a legal move. */
static int has_legal(const ply11_position *p) {
  walk w;
  walk_begin(p, &w);
  while (walk_next(p, &w))
    if (w.to != 0) return 1;
  return 0;
}

int ply11_is_legal(const ply11_position *p, unsigned code) {
  legality l;
  unsigned w = ply11_word(code), from = word_from(w), to = word_to(w), kind = ply11_piece_on(p, from) & 7u;
  if (w == 0) return code == PLY11_NULL && !ply11_in_check(p);
  find_legality(p, &l, kind == PLY11_KING);
  if (!(l.m.us & BIT(from)) || (word_kind(w) != 0) != (kind == PLY11_PAWN && (BIT(to) & LAST_RANKS) != 0)) return 0;
  return (targets(p, &l, from, kind) & BIT(to)) != 0;
}

void ply11_legal_masks(const ply11_position *p, size_t n, uint8_t *masks) {
  for (; n > 0; n--, p++, masks += PLY11_MASK_BYTES) {
    walk w;
    int i;
    for (i = 0; i < PLY11_MASK_BYTES; i++) masks[i] = 0;
    walk_begin(p, &w);
    while (walk_next(p, &w)) {
      for (; w.to != 0; w.to &= w.to - 1) {
        unsigned to = lowest(w.to), c;
        if (w.kind == PLY11_PAWN && BIT(to) & LAST_RANKS) {
          c = promotion_code(w.from, to, PLY11_KNIGHT);
          masks[c >> 3] |= (uint8_t)(0x55u << (c & 7u)); /* the four kinds are two bits apart, from bit 0 or 1 of a byte */
          continue;
        }
        c = plain_code(w.from, to);
        masks[c >> 3] |= (uint8_t)(1u << (c & 7u));
      }
    }
  }
}

int ply11_in_check(const ply11_position *p) {
  pieces m;
  find_pieces(p, &m);
  return checkers(p, &m) != 0;
}

ply11_outcomes ply11_outcome(const ply11_position *p) {
  int check = ply11_in_check(p);
  if (has_legal(p)) return check ? PLY11_IN_CHECK : PLY11_PLAYING;
  return check ? PLY11_MATE : PLY11_STALEMATE;
}

/* steps_aside tells whether a king's step is castling where Chess960 is not: it changes the number of the file by 2 or 6, as bits that flip, a
 * legal step to the side by 1, 3 or 7. The rights are not asked for. */
static int steps_aside(unsigned from, unsigned to) { return ((from ^ to) & 3u) == 2; }

/* make_any is ply11_make by the word of the move; 0 is the null move. */
static void make_any(ply11_position *p, unsigned w) {
  unsigned from = word_from(w), to = word_to(w), piece = ply11_piece_on(p, from), taken = ply11_piece_on(p, to), black = piece & PLY11_BLACK;
  int king = (piece & 7u) == PLY11_KING, short_side = to > from, chess960 = p->chess960;
  p->number += p->black;
  p->black ^= 1;
  p->clock++;
  p->en_passant = 0;
  if (w == 0) return;
  p->castling &= ~(BIT(from) | BIT(to));
  if (king) p->castling &= ~rank_of(black ? 56 : 0);
  p->chess960 &= p->castling != 0;
  clear_square(p, from);
  if (king && chess960 && taken != 0 && (taken & PLY11_BLACK) == black) { /* king takes rook */
    unsigned home = black ? 56 : 0;
    clear_square(p, to);
    put_piece(p, home + (short_side ? 6u : 2u), piece);
    put_piece(p, home + (short_side ? 5u : 3u), taken);
    return;
  }
  if (king && !chess960 && steps_aside(from, to)) { /* rooks with a right stand in the corners */
    put_piece(p, to, piece);
    clear_square(p, (to & 56u) + (short_side ? 7u : 0u));
    put_piece(p, short_side ? to - 1 : to + 1, PLY11_ROOK | black);
    return;
  }
  put_piece(p, to, word_kind(w) ? word_kind(w) | black : piece);
  if ((piece & 7u) == PLY11_PAWN) {
    p->clock = 0;
    if ((from ^ to) == 16) p->en_passant = (uint8_t)((from & 7u) + 1u);
    if (taken == 0 && ((from ^ to) & 7u)) clear_square(p, (from & 56u) | (to & 7u)); /* en passant */
  }
  if (taken != 0) p->clock = 0;
}

void ply11_make(ply11_position *p, unsigned code) { make_any(p, ply11_word(code)); }

/* moved returns a plane after a move from one square to another, which are sets. */
static set moved(set plane, set from, set to) {
  set rest = plane & ~(from | to);
  return plane & from ? rest | to : rest;
}

/* put_position writes a position whose pieces, and the plies that its counters are made of, are in registers. The rest is that of p. */
static inline void put_position(ply11_position *out, const ply11_position *p, set a, set b, set c, set d, uint64_t ply, uint64_t zeroed, unsigned en_passant) {
  static const uint8_t none[5] = {0};
  out->plane[0] = a, out->plane[1] = b, out->plane[2] = c, out->plane[3] = d;
  out->castling = p->castling;
  out->clock = (uint32_t)(ply - zeroed);
  out->number = (uint32_t)(ply >> 1);
  out->black = ply & 1;
  out->en_passant = (uint8_t)en_passant;
  out->chess960 = p->chess960;
  copy(out->zero, none, 5);
}

void ply11_replay(ply11_position *p, const uint16_t *codes, size_t n, ply11_position *line) {
  set a = p->plane[0], b = p->plane[1], c = p->plane[2], d = p->plane[3];
  uint64_t ply = 2 * (uint64_t)p->number + p->black, zeroed = ply - p->clock; /* zeroed: the ply at which the clock was 0 */
  unsigned en_passant = p->en_passant;
  size_t i;
  if (line != NULL) *line++ = *p;
  for (i = 0; i < n; i++) {
    unsigned w = ply11_word(codes[i]), x = word_from(w) ^ word_to(w);
    set from = BIT(word_from(w)), to = BIT(word_to(w)), pawn = from & b & c, capture = to & (a | b | c), king = from & a & ~(b | c);
    /* What is plain is made here: no promotion, nothing en passant, no castling, with a right or not, and no right to it that may be lost. */
    if ((w >> 12 != 8) | ((pawn != 0) & (capture == 0) & ((x & 7u) != 0)) | (((king ? ~(set)0 : from | to) & p->castling) != 0) |
        ((king != 0) & steps_aside(word_from(w), word_to(w)))) {
      put_position(p, p, a, b, c, d, ply, zeroed, en_passant);
      make_any(p, w);
      a = p->plane[0], b = p->plane[1], c = p->plane[2], d = p->plane[3];
      en_passant = p->en_passant;
      ply++;
      zeroed = ply - p->clock;
    } else {
      a = moved(a, from, to);
      b = moved(b, from, to);
      c = moved(c, from, to);
      d = moved(d, from, to);
      ply++;
      zeroed += (ply - zeroed) & all((pawn | capture) != 0);
      en_passant = pawn && x == 16 ? (word_from(w) & 7u) + 1u : 0u;
    }
    if (line != NULL) put_position(line++, p, a, b, c, d, ply, zeroed, en_passant); /* without p between, which would be read back at once */
  }
  put_position(p, p, a, b, c, d, ply, zeroed, en_passant);
}

ply11_status ply11_verify(ply11_position *p, const uint16_t *codes, size_t n, ply11_position *line, size_t *made) {
  size_t i;
  if (line != NULL) *line++ = *p;
  for (i = 0; i < n && ply11_is_legal(p, codes[i]); i++) {
    ply11_make(p, codes[i]);
    if (line != NULL) *line++ = *p;
  }
  if (made != NULL) *made = i;
  return i < n ? PLY11_ERROR_ILLEGAL : PLY11_OK;
}

/* ---- What is a position ---- */

/* check_board refuses pieces that cannot stand so. */
static ply11_status check_board(const ply11_position *p) {
  set pawns = p->plane[1] & p->plane[2], kings = p->plane[0] & ~(p->plane[1] | p->plane[2]);
  if (p->plane[0] & p->plane[1] & p->plane[2]) return PLY11_ERROR_BOARD; /* 7 and 15 are no pieces */
  if (p->plane[3] & ~all_pieces(p)) return PLY11_ERROR_BOARD;
  if (pawns & LAST_RANKS) return PLY11_ERROR_BOARD;
  return popcount(kings & p->plane[3]) == 1 && popcount(kings & ~p->plane[3]) == 1 ? PLY11_OK : PLY11_ERROR_BOARD;
}

/* check_en_passant refuses a file without the pawn, or with pieces where it came from. */
static ply11_status check_en_passant(const ply11_position *p) {
  unsigned file = p->en_passant - 1u, to = (p->black ? 24u : 32u) + file, by = p->black ? 0 : PLY11_BLACK;
  set way = p->black ? BIT(8 + file) | BIT(16 + file) : BIT(48 + file) | BIT(40 + file);
  if (p->en_passant == 0) return PLY11_OK;
  if (p->en_passant > 8 || ply11_piece_on(p, to) != (PLY11_PAWN | by)) return PLY11_ERROR_EN_PASSANT;
  return way & all_pieces(p) ? PLY11_ERROR_EN_PASSANT : PLY11_OK;
}

/* check_opponent refuses a position in which the side to move could take the king. */
static ply11_status check_opponent(const ply11_position *p) {
  pieces m;
  find_pieces(p, &m);
  return attackers(&m, lowest(m.kings & m.them), !p->black, m.us) ? PLY11_ERROR_CHECK : PLY11_OK;
}

/* king_on_home returns the square of a side's king, if it is on its first rank, else 64. */
static unsigned king_on_home(const ply11_position *p, unsigned black) {
  set kings = p->plane[0] & ~(p->plane[1] | p->plane[2]) & (p->plane[3] ^ ~all(black)) & rank_of(black ? 56 : 0);
  return kings ? lowest(kings) : 64;
}

/* add_right adds the right to castle with the rook on a file. It is PLY11_ERROR_CASTLING if the rook or the king is not there. */
static ply11_status add_right(ply11_position *p, unsigned black, unsigned file) {
  unsigned king = king_on_home(p, black), rook = (black ? 56u : 0u) + file;
  if (king > 63 || ply11_piece_on(p, rook) != (PLY11_ROOK | (black ? PLY11_BLACK : 0u))) return PLY11_ERROR_CASTLING;
  p->castling |= BIT(rook);
  if ((king & 7u) != 4 || (file != 0 && file != 7)) p->chess960 = 1;
  return PLY11_OK;
}

/* outermost returns the file of the outermost rook on a side of the king, 8 if there is none. */
static unsigned outermost(const ply11_position *p, unsigned black, int short_side) {
  unsigned king = king_on_home(p, black), i;
  if (king > 63) return 8;
  for (i = 0; i < 8; i++) {
    unsigned s = (king & 56u) + (short_side ? 7 - i : i);
    if (s == king) break;
    if (ply11_piece_on(p, s) == (PLY11_ROOK | (black ? PLY11_BLACK : 0u))) return s & 7u;
  }
  return 8;
}

/* ---- FEN ---- */

static const char letters[16] = {'.', 'K', 'Q', 'N', 'B', 'R', 'P', '.', '.', 'k', 'q', 'n', 'b', 'r', 'p', '.'};

/* piece_of returns the piece of a letter, 0 if it has none. */
static unsigned piece_of(char c) {
  unsigned piece;
  for (piece = 1; piece < 15; piece++)
    if (letters[piece] == c && c != '.') return piece;
  return 0;
}

/* square_of returns the square of two characters, 64 if they are none. */
static unsigned square_of(const char *text) {
  if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return 64;
  return 8u * (unsigned)(text[1] - '1') + (unsigned)(text[0] - 'a');
}

/* A text that is read. */
typedef struct scan {
  const char *text;
  size_t size, at;
} scan;

/* peek returns the next byte, 0 at the end. */
static char peek(const scan *s) { return s->at < s->size ? s->text[s->at] : 0; }

static int take(scan *s, char c) {
  if (s->at >= s->size || s->text[s->at] != c) return 0;
  s->at++;
  return 1;
}

static ply11_status scan_board(scan *s, ply11_position *p) {
  unsigned rank = 7, file = 0, digit = 0, piece;
  for (;; s->at++) {
    char c = peek(s);
    if (c == '/') {
      if (file != 8 || rank == 0) return PLY11_ERROR_SYNTAX;
      rank--;
      file = digit = 0;
    } else if (c >= '1' && c <= '8') {
      if (digit || file + (unsigned)(c - '0') > 8) return PLY11_ERROR_SYNTAX;
      file += (unsigned)(c - '0');
      digit = 1;
    } else if (c == ' ' || s->at >= s->size) {
      return rank == 0 && file == 8 ? PLY11_OK : PLY11_ERROR_SYNTAX;
    } else {
      if ((piece = piece_of(c)) == 0 || file > 7) return PLY11_ERROR_SYNTAX;
      put_piece(p, 8 * rank + file, piece);
      file++;
      digit = 0;
    }
  }
}

static ply11_status scan_castling(scan *s, ply11_position *p) {
  unsigned next = 0; /* the rights come in the order KQkq, each once */
  if (take(s, '-')) return PLY11_OK;
  if (peek(s) == ' ' || s->at >= s->size) return PLY11_ERROR_SYNTAX;
  for (; peek(s) != ' ' && s->at < s->size; s->at++) {
    char c = peek(s), upper = (char)(c & ~32);
    unsigned black = c >= 'a', king = king_on_home(p, black), right = 2 * black, file;
    if (upper == 'K' || upper == 'Q') {
      right += upper == 'Q';
      file = outermost(p, black, upper == 'K');
    } else if (upper >= 'A' && upper <= 'H') {
      file = (unsigned)(upper - 'A');
      right += king < 64 && file < (king & 7u);
      p->chess960 = 1;
    } else {
      return PLY11_ERROR_SYNTAX;
    }
    if (right < next) return PLY11_ERROR_SYNTAX;
    next = right + 1;
    if (file > 7 || add_right(p, black, file) != PLY11_OK) return PLY11_ERROR_CASTLING;
  }
  return PLY11_OK;
}

static ply11_status scan_en_passant(scan *s, ply11_position *p) {
  char file, rank;
  if (take(s, '-')) return PLY11_OK;
  file = peek(s);
  if (file < 'a' || file > 'h') return PLY11_ERROR_SYNTAX;
  s->at++;
  rank = peek(s);
  if (rank < '1' || rank > '8') return PLY11_ERROR_SYNTAX;
  s->at++;
  if (rank != (p->black ? '3' : '6')) return PLY11_ERROR_EN_PASSANT;
  p->en_passant = (uint8_t)(file - 'a' + 1);
  return check_en_passant(p);
}

static ply11_status scan_number(scan *s, uint32_t low, uint32_t *out) {
  uint32_t v = 0;
  size_t first = s->at;
  for (; peek(s) >= '0' && peek(s) <= '9'; s->at++) {
    if (s->at > first && v == 0) return PLY11_ERROR_COUNTERS; /* a leading zero */
    v = 10 * v + (uint32_t)(peek(s) - '0');
    if (v > 65535) return PLY11_ERROR_COUNTERS;
  }
  if (s->at == first || v < low) return PLY11_ERROR_COUNTERS;
  *out = v;
  return PLY11_OK;
}

static const ply11_position nowhere = {{0, 0, 0, 0}, 0, 0, 1, 0, 0, 0, {0}};

ply11_status ply11_from_fen(ply11_position *p, const char *text, size_t size, size_t *at) {
  ply11_position q = nowhere;
  scan s;
  ply11_status status;
  size_t field = 0;
  int i;
  s.text = text;
  s.size = size;
  s.at = 0;
  for (i = 0; i < 6; i++) {
    if (i > 0 && !take(&s, ' ')) return fail(PLY11_ERROR_SYNTAX, s.at, at);
    field = s.at;
    switch (i) {
      case 0:
        status = scan_board(&s, &q);
        if (status == PLY11_OK && (status = check_board(&q)) != PLY11_OK) s.at = field;
        break;
      case 1:
        status = take(&s, 'w') ? PLY11_OK : take(&s, 'b') ? (q.black = 1, PLY11_OK) : PLY11_ERROR_SYNTAX;
        break;
      case 2: status = scan_castling(&s, &q); break;
      case 3:
        status = scan_en_passant(&s, &q);
        if (status == PLY11_ERROR_EN_PASSANT) s.at = field;
        break;
      case 4: status = scan_number(&s, 0, &q.clock); break;
      default: status = scan_number(&s, 1, &q.number); break;
    }
    if (status != PLY11_OK) return fail(status, s.at, at);
  }
  if (s.at != size) return fail(PLY11_ERROR_SYNTAX, s.at, at);
  if ((status = check_opponent(&q)) != PLY11_OK) return fail(status, 0, at);
  *p = q;
  return PLY11_OK;
}

static size_t put_number(char *out, uint32_t v) {
  char digits[10];
  size_t n = 0, i;
  do digits[n++] = (char)('0' + v % 10);
  while (v /= 10);
  for (i = 0; i < n; i++) out[i] = digits[n - 1 - i];
  return n;
}

static size_t put_square(char *out, unsigned s) {
  out[0] = (char)('a' + (s & 7u));
  out[1] = (char)('1' + (s >> 3));
  return 2;
}

size_t ply11_to_fen(const ply11_position *p, char out[PLY11_FEN_SIZE]) {
  size_t n = 0;
  unsigned i, files[4], have = rights(p, files), gap = 0, plain = 1;
  for (i = 0; i < 4; i++) /* K and Q alone would be read as standard chess */
    if (have >> i & 1u && (files[i] != (i & 1u ? 0u : 7u) || (king_on_home(p, i >> 1) & 7u) != 4)) plain = 0;
  for (i = 0; i < 64; i++) {
    unsigned piece = ply11_piece_on(p, i ^ 56u);
    if (piece == 0) gap++;
    if (gap && (piece != 0 || i % 8 == 7)) {
      out[n++] = (char)('0' + gap);
      gap = 0;
    }
    if (piece != 0) out[n++] = letters[piece];
    if (i % 8 == 7) out[n++] = i == 63 ? ' ' : '/';
  }
  out[n++] = p->black ? 'b' : 'w';
  out[n++] = ' ';
  for (i = 0; i < 4; i++) {
    if (!(have >> i & 1u)) continue;
    if (!(p->chess960 && plain) && outermost(p, i >> 1, !(i & 1u)) == files[i]) out[n++] = "KQkq"[i];
    else out[n++] = (char)((i < 2 ? 'A' : 'a') + (int)files[i]);
  }
  if (have == 0) out[n++] = '-';
  out[n++] = ' ';
  if (p->en_passant) n += put_square(out + n, (p->black ? 15u : 39u) + p->en_passant);
  else out[n++] = '-';
  out[n++] = ' ';
  n += put_number(out + n, p->clock);
  out[n++] = ' ';
  n += put_number(out + n, p->number);
  out[n] = 0;
  return n;
}

/* ---- SAN and UCI ---- */

/* castling_side returns 'K' or 'Q' if a legal move is castling, else 0. */
static char castling_side(const ply11_position *p, unsigned w) {
  unsigned from = word_from(w), to = word_to(w), piece = ply11_piece_on(p, from);
  if ((piece & 7u) != PLY11_KING) return 0;
  if (p->chess960 ? !(p->castling & BIT(to) && ply11_piece_on(p, to) == (PLY11_ROOK | (piece & PLY11_BLACK)))
                  : absolute((int)(from & 7u) - (int)(to & 7u)) != 2)
    return 0;
  return to > from ? 'K' : 'Q';
}

size_t ply11_to_san(const ply11_position *p, unsigned code, char out[PLY11_SAN_SIZE]) {
  legality l;
  unsigned w = ply11_word(code), from = word_from(w), to = word_to(w), kind = ply11_piece_on(p, from) & 7u;
  size_t n = 0;
  char side;
  ply11_position after = *p;
  out[0] = 0;
  if (!ply11_is_legal(p, code)) return 0;
  if (code == PLY11_NULL) {
    out[0] = out[1] = '-';
    out[2] = 0;
    return 2;
  }
  find_legality(p, &l, 1);
  side = castling_side(p, w);
  if (side) {
    const char *text = side == 'K' ? "O-O" : "O-O-O";
    while (*text) out[n++] = *text++;
  } else {
    int takes = (l.m.occupied & BIT(to)) != 0;
    if (kind == PLY11_PAWN) {
      takes = ((from ^ to) & 7u) != 0;
      if (takes) out[n++] = (char)('a' + (from & 7u));
    } else {
      set others = of_kind(&l, kind) & ~BIT(from), rivals = 0;
      out[n++] = letters[kind];
      for (; others != 0 && kind != PLY11_KING; others &= others - 1) {
        unsigned s = lowest(others);
        if (targets(p, &l, s, kind) & BIT(to)) rivals |= BIT(s);
      }
      if (rivals) {
        int same_file = (rivals & file_of(from)) != 0, same_rank = (rivals & rank_of(from)) != 0;
        if (!same_file || same_rank) out[n++] = (char)('a' + (from & 7u));
        if (same_file) out[n++] = (char)('1' + (from >> 3));
      }
    }
    if (takes) out[n++] = 'x';
    n += put_square(out + n, to);
    if (word_kind(w)) {
      out[n++] = '=';
      out[n++] = letters[word_kind(w)];
    }
  }
  ply11_make(&after, code);
  if (ply11_in_check(&after)) out[n++] = has_legal(&after) ? '+' : '#';
  out[n] = 0;
  return n;
}

/* castle sets code to the castling of the side to move, if it is legal. */
static ply11_status castle(const ply11_position *p, int short_side, uint16_t *code) {
  legality l;
  set to;
  find_legality(p, &l, 1);
  for (to = castlings(p, &l); to != 0; to &= to - 1) {
    unsigned s = lowest(to);
    if ((s > l.king) != (short_side != 0)) continue;
    *code = (uint16_t)plain_code(l.king, s);
    return PLY11_OK;
  }
  return PLY11_ERROR_ILLEGAL;
}

/* kind_of returns the kind of a letter of SAN, 0 if it has none. */
static unsigned kind_of(char c) { return piece_of(c) < PLY11_PAWN ? piece_of(c) : 0; }

ply11_status ply11_from_san(const ply11_position *p, const char *text, size_t size, uint16_t *code) {
  legality l;
  unsigned kind = PLY11_PAWN, promotion = 0, to, found = PLY11_NONE;
  set among = ~(set)0, b;
  size_t n = size, first = 0, i;
  while (n > 0 && (text[n - 1] == '+' || text[n - 1] == '#')) n--;
  if (n == 2 && text[0] == '-' && text[1] == '-') {
    *code = PLY11_NULL;
    return ply11_in_check(p) ? PLY11_ERROR_ILLEGAL : PLY11_OK;
  }
  if ((n == 3 || n == 5) && (text[0] == 'O' || text[0] == '0')) {
    for (i = 1; i < n; i++)
      if (text[i] != (i % 2 ? '-' : text[0])) return PLY11_ERROR_SYNTAX;
    return castle(p, n == 3, code);
  }
  if (n > 0 && kind_of(text[0])) kind = kind_of(text[first++]);
  if (kind == PLY11_PAWN && n > 0 && kind_of(text[n - 1])) {
    promotion = kind_of(text[--n]);
    if (promotion == PLY11_KING) return PLY11_ERROR_SYNTAX;
    if (n > 0 && text[n - 1] == '=') n--;
  }
  if (n < first + 2 || n > first + 5 || (to = square_of(text + n - 2)) > 63) return PLY11_ERROR_SYNTAX;
  n -= 2;
  if (kind == PLY11_PAWN && n == first) among = file_of(to);
  if (n > first && text[n - 1] == 'x') n--;
  if (n > first && text[n - 1] >= '1' && text[n - 1] <= '8') among &= rank_of(8u * (unsigned)(text[--n] - '1'));
  if (n > first && text[n - 1] >= 'a' && text[n - 1] <= 'h') among &= file_of((unsigned)(text[--n] - 'a'));
  if (n != first) return PLY11_ERROR_SYNTAX;
  if (kind == PLY11_PAWN && (promotion != 0) != ((BIT(to) & LAST_RANKS) != 0)) return PLY11_ERROR_ILLEGAL;
  find_legality(p, &l, 1);
  for (b = of_kind(&l, kind) & among; b != 0; b &= b - 1) {
    unsigned from = lowest(b);
    set where = kind == PLY11_KING ? king_attacks(BIT(from)) & ~l.m.us & ~l.danger : targets(p, &l, from, kind);
    if (!(where & BIT(to))) continue;
    if (found != PLY11_NONE) return PLY11_ERROR_AMBIGUOUS;
    found = promotion ? promotion_code(from, to, promotion) : plain_code(from, to);
  }
  if (found == PLY11_NONE) return PLY11_ERROR_ILLEGAL;
  *code = (uint16_t)found;
  return PLY11_OK;
}

size_t ply11_to_uci(unsigned code, char out[PLY11_UCI_SIZE]) {
  unsigned w = ply11_word(code);
  size_t n = 0;
  if (code == PLY11_NULL) {
    for (; n < 4; n++) out[n] = '0';
  } else if (w != 0) {
    n = put_square(out, word_from(w));
    n += put_square(out + 2, word_to(w));
    if (word_kind(w)) out[n++] = letters[word_kind(w) | PLY11_BLACK];
  }
  out[n] = 0;
  return n;
}

ply11_status ply11_from_uci(const ply11_position *p, const char *text, size_t size, uint16_t *code) {
  unsigned from, to, promotion = 0, c;
  if (size == 4 && text[0] == '0' && text[1] == '0' && text[2] == '0' && text[3] == '0') {
    *code = PLY11_NULL;
    return p == NULL || !ply11_in_check(p) ? PLY11_OK : PLY11_ERROR_ILLEGAL;
  }
  if (size != 4 && size != 5) return PLY11_ERROR_SYNTAX;
  if ((from = square_of(text)) > 63 || (to = square_of(text + 2)) > 63) return PLY11_ERROR_SYNTAX;
  if (size == 5) {
    promotion = piece_of(text[4]) ^ PLY11_BLACK;
    if (promotion < PLY11_QUEEN || promotion > PLY11_ROOK) return PLY11_ERROR_SYNTAX;
  }
  c = ply11_code(from, to, promotion);
  if (c == PLY11_NONE) return PLY11_ERROR_ILLEGAL;
  if (p != NULL) {
    /* The other way to write castling. */
    unsigned piece = ply11_piece_on(p, from);
    if (piece == (PLY11_KING | (p->black ? PLY11_BLACK : 0u)) && ((from ^ to) & 56u) == 0) {
      if (!p->chess960 && p->castling & BIT(to) && ply11_piece_on(p, to) == (PLY11_ROOK | (piece & PLY11_BLACK))) return castle(p, to > from, code);
      if (p->chess960 && absolute((int)from - (int)to) == 2 && !(p->castling & BIT(to))) return castle(p, to > from, code);
    }
    if (!ply11_is_legal(p, c)) return PLY11_ERROR_ILLEGAL;
  }
  *code = (uint16_t)c;
  return PLY11_OK;
}

/* ---- The start position in words ---- */

#define MAX_START_CLOCK 255
#define MAX_START_NUMBER 8187

size_t ply11_start_words(const ply11_position *p, uint16_t words[PLY11_START_WORDS]) {
  uint8_t bytes[44];
  unsigned files[4], i, have = rights(p, files);
  size_t n = p->chess960 ? 28 : 26;
  uint64_t state;
  if (p->clock > MAX_START_CLOCK || p->number > MAX_START_NUMBER) return 0;
  for (i = 0; i < 44; i++) bytes[i] = 0;
  for (i = 0; i < 64; i++) bytes[i / 2] |= (uint8_t)(ply11_piece_on(p, i) << 4 * (i % 2));
  state = p->black | (uint64_t)have << 1 | (uint64_t)p->en_passant << 5 | (uint64_t)p->clock << 9 | (uint64_t)p->number << 17;
  for (i = 0; p->chess960 && i < 4; i++) state |= (uint64_t)files[i] << (30 + 3 * i);
  put64(bytes + 32, state);
  words[0] = p->chess960 ? PLY11_START_960 : PLY11_START;
  for (i = 0; i < n; i++) {
    words[i + 1] = (uint16_t)word_at(bytes, i);
    if (words[i + 1] == PLY11_IDLE) return 0;
  }
  return n + 1;
}

ply11_status ply11_from_start_words(ply11_position *p, const uint16_t *words, size_t n, size_t *at) {
  ply11_position q = nowhere;
  uint8_t bytes[48];
  uint64_t state = 0;
  unsigned i, have;
  size_t want;
  ply11_status status;
  if (n == 0) return fail(PLY11_ERROR_TRUNCATED, 0, at);
  if (words[0] != PLY11_START && words[0] != PLY11_START_960) return fail(PLY11_ERROR_GRAMMAR, 0, at);
  q.chess960 = words[0] == PLY11_START_960;
  want = q.chess960 ? 28 : 26;
  if (n < want + 1) return fail(PLY11_ERROR_TRUNCATED, n, at);
  for (i = 0; i < 48; i++) bytes[i] = 0;
  ply11_pack(words + 1, want, bytes);
  for (i = 0; i < 64; i++) put_piece(&q, i, (unsigned)bytes[i / 2] >> 4 * (i % 2) & 15u);
  for (i = 0; i < 8; i++) state |= (uint64_t)bytes[32 + i] << 8 * i;
  q.black = state & 1;
  have = state >> 1 & 15;
  q.en_passant = state >> 5 & 15;
  q.clock = state >> 9 & 255;
  q.number = state >> 17 & 8191;
  if ((status = check_board(&q)) != PLY11_OK) return fail(status, want, at);
  for (i = 0; i < 4; i++) {
    unsigned file = q.chess960 ? (unsigned)(state >> (30 + 3 * i) & 7) : i & 1u ? 0 : 7, king = king_on_home(&q, i >> 1);
    if (!(have >> i & 1u)) {
      if (q.chess960 && file != 0) return fail(PLY11_ERROR_CASTLING, want, at);
      continue;
    }
    if (king > 63 || ((king & 7u) < file) != !(i & 1u)) return fail(PLY11_ERROR_CASTLING, want, at);
    if (!q.chess960 && (king & 7u) != 4) return fail(PLY11_ERROR_CASTLING, want, at);
    if (add_right(&q, i >> 1, file) != PLY11_OK) return fail(PLY11_ERROR_CASTLING, want, at);
  }
  if (q.chess960 && (state >> 42 & 1023u) != 0) return fail(PLY11_ERROR_CASTLING, want, at);
  q.chess960 &= have != 0;
  if ((status = check_en_passant(&q)) != PLY11_OK) return fail(status, want, at);
  if (q.number < 1 || q.number > MAX_START_NUMBER) return fail(PLY11_ERROR_COUNTERS, want, at);
  if ((status = check_opponent(&q)) != PLY11_OK) return fail(status, want, at);
  *p = q;
  return PLY11_OK;
}

/* ---- Texts ---- */

#define MAX_PIECE 2046

/* utf8_next takes a byte of a text. state is 0 between characters; else the bytes that are missing, and the bounds of the next. It returns 0 for a
 * byte that may not stand there, and for NUL. */
static int utf8_next(uint32_t *state, uint8_t byte) {
  if (*state != 0) {
    unsigned missing = *state & 255u;
    if (byte < (*state >> 8 & 255u) || byte > *state >> 16) return 0;
    *state = missing == 1 ? 0 : (missing - 1) | 0x80u << 8 | 0xbfu << 16;
    return 1;
  }
  if (byte < 0x80) return byte != 0;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  if (byte < 0xe0) *state = 1 | 0x80u << 8 | 0xbfu << 16;
  else if (byte < 0xf0) *state = 2 | (byte == 0xe0 ? 0xa0u : 0x80u) << 8 | (byte == 0xed ? 0x9fu : 0xbfu) << 16;
  else *state = 3 | (byte == 0xf0 ? 0x90u : 0x80u) << 8 | (byte == 0xf4 ? 0x8fu : 0xbfu) << 16;
  return 1;
}

size_t ply11_text_words(const char *text, size_t size, uint16_t *words, size_t cap) {
  size_t n = 0, i;
  uint32_t utf8 = 0;
  for (i = 0; i < size; i++)
    if (!utf8_next(&utf8, (uint8_t)text[i])) return 0;
  if (utf8 != 0) return 0;
  for (;;) {
    size_t piece = size < MAX_PIECE ? size : MAX_PIECE, count = (8 * piece + 10) / 11, w, byte = 0;
    uint32_t acc = 0;
    unsigned have = 0;
    if (n < cap) words[n] = PLY11_TEXT;
    if (n + 1 < cap) words[n + 1] = (uint16_t)piece;
    n += 2;
    for (w = 0; w < count; w++, n++) {
      for (; have < PLY11_BITS && byte < piece; have += 8) acc |= (uint32_t)(uint8_t)text[byte++] << have;
      if (n < cap) words[n] = acc & 2047u;
      acc >>= PLY11_BITS;
      have = have > PLY11_BITS ? have - PLY11_BITS : 0;
    }
    text += piece;
    size -= piece;
    if (piece < MAX_PIECE) return n;
  }
}

/* ---- Games as words ---- */

enum { BETWEEN_GAMES, IN_GAME, IN_TEXT };

static void reader_begin(ply11_reader *r, size_t size, ply11_level *levels, uint32_t max_depth, char *text, size_t cap) {
  static const ply11_reader empty = {{{0, 0, 0, 0}, 0, 0, 1, 0, 0, 0, {0}}, {{0, 0, 0, 0}, 0, 0, 1, 0, 0, 0, {0}}, 0, 0, 0, NULL, NULL, 0, 0, NULL, NULL,
                                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PLY11_OK};
  *r = empty;
  ply11_start(&r->position);
  r->before = r->position;
  r->size = size;
  r->levels = levels;
  r->max_depth = max_depth;
  r->text = text;
  r->cap = cap;
  if (cap == 0 || (levels == NULL && max_depth > 0)) r->failed = PLY11_ERROR_ARGUMENT;
}

void ply11_reader_bytes(ply11_reader *r, const uint8_t *bytes, size_t size, ply11_level *levels, uint32_t max_depth, char *text, size_t cap) {
  reader_begin(r, size, levels, max_depth, text, cap);
  r->bytes = bytes;
}

void ply11_reader_words(ply11_reader *r, const uint16_t *words, size_t n, ply11_level *levels, uint32_t max_depth, char *text, size_t cap) {
  reader_begin(r, n, levels, max_depth, text, cap);
  r->words = words;
}

/* next_word returns the next word that is not idle, or PLY11_NONE at the end. */
static unsigned next_word(ply11_reader *r) {
  size_t n = r->words != NULL ? r->size : whole_words(r->size);
  while (r->next < n) {
    unsigned w = r->words != NULL ? r->words[r->next] & 2047u : word_at(r->bytes, r->next);
    r->next++;
    if (w != PLY11_IDLE) return w;
  }
  return PLY11_NONE;
}

/* padded tells whether the bits after the last word are ones. */
static int padded(const ply11_reader *r) {
  unsigned left = r->words != NULL ? 0 : (unsigned)(r->size % 11 * 8 % 11), have;
  size_t i = r->size;
  for (; left > 0; left -= have) {
    unsigned mask;
    have = left < 8 ? left : 8;
    mask = 0xffu << (8 - have) & 0xffu;
    if ((r->bytes[--i] & mask) != mask) return 0;
  }
  return 1;
}

/* stop ends a reader with an error at the last word. */
static ply11_status stop(ply11_reader *r, ply11_status status) {
  r->word = status == PLY11_ERROR_TRUNCATED || status == PLY11_ERROR_PADDING || r->next == 0 ? r->next : r->next - 1;
  r->failed = status;
  return status;
}

/* read_text reads a text, or the rest of one, into the buffer. */
static ply11_status read_text(ply11_reader *r, ply11_event *e) {
  size_t n = 0;
  unsigned w;
  e->kind = PLY11_EVENT_TEXT;
  e->text = r->text;
  for (;;) {
    for (; r->piece > 0; r->piece--) {
      uint8_t byte;
      if (n == r->cap) {
        e->size = n;
        e->more = 1;
        r->state = IN_TEXT;
        return PLY11_OK;
      }
      if (r->have < 8) {
        if ((w = next_word(r)) == PLY11_NONE) return stop(r, PLY11_ERROR_TRUNCATED);
        r->acc |= w << r->have;
        r->have += PLY11_BITS;
      }
      byte = (uint8_t)r->acc;
      r->acc >>= 8;
      r->have -= 8;
      if (!utf8_next(&r->utf8, byte)) return stop(r, PLY11_ERROR_TEXT);
      r->text[n++] = (char)byte;
    }
    if (r->acc != 0) return stop(r, PLY11_ERROR_TEXT); /* spare bits */
    r->have = 0;
    if (!r->full) break;
    if ((w = next_word(r)) == PLY11_NONE) return stop(r, PLY11_ERROR_TRUNCATED);
    if (w != PLY11_TEXT) return stop(r, PLY11_ERROR_TEXT);
    if ((w = next_word(r)) == PLY11_NONE) return stop(r, PLY11_ERROR_TRUNCATED);
    r->piece = w;
    r->full = w == MAX_PIECE;
  }
  if (r->utf8 != 0) return stop(r, PLY11_ERROR_TEXT);
  e->size = n;
  r->state = IN_GAME;
  return PLY11_OK;
}

/* begin_game reads the front of a game. */
static ply11_status begin_game(ply11_reader *r, ply11_event *e, unsigned w) {
  r->games++;
  r->ply = 0;
  r->depth = 0;
  r->moved = 0;
  e->kind = PLY11_EVENT_START;
  if (w == PLY11_START || w == PLY11_START_960) {
    uint16_t words[PLY11_START_WORDS];
    size_t n = w == PLY11_START ? 27 : 29, i;
    ply11_status status;
    words[0] = (uint16_t)w;
    for (i = 1; i < n; i++) {
      if ((w = next_word(r)) == PLY11_NONE) return stop(r, PLY11_ERROR_TRUNCATED);
      words[i] = (uint16_t)w;
    }
    status = ply11_from_start_words(&r->position, words, n, NULL);
    if (status != PLY11_OK) return stop(r, status);
    e->told = 1;
  } else {
    ply11_start(&r->position);
    r->next--; /* the word belongs to the next event */
  }
  r->before = r->position;
  r->state = IN_GAME;
  return PLY11_OK;
}

ply11_status ply11_read(ply11_reader *r, ply11_event *e) {
  static const ply11_event empty = {PLY11_EVENT_START, 0, 0, 0, 0, 0, 0, NULL, 0};
  ply11_status status = PLY11_OK;
  unsigned w;
  *e = empty;
  e->ply = r->ply;
  e->depth = r->depth;
  if (r->failed != PLY11_OK) return r->failed;
  if (r->state == IN_TEXT) {
    status = read_text(r, e);
    if (status == PLY11_OK) r->word = r->next;
    return status;
  }
  w = next_word(r);
  if (w == PLY11_NONE) {
    if (r->state != BETWEEN_GAMES) return stop(r, PLY11_ERROR_TRUNCATED);
    if (!padded(r)) return stop(r, PLY11_ERROR_PADDING);
    return stop(r, PLY11_END);
  }
  if (r->state == BETWEEN_GAMES) {
    status = begin_game(r, e, w);
    if (status != PLY11_OK) return status;
    e->ply = 0;
    e->depth = 0;
  } else if (w < PLY11_MOVES || w == PLY11_NULL) {
    if (!ply11_is_legal(&r->position, w)) return stop(r, PLY11_ERROR_ILLEGAL);
    r->before = r->position;
    ply11_make(&r->position, w);
    r->moved = 1;
    r->ply += r->depth == 0;
    e->kind = PLY11_EVENT_MOVE;
    e->code = (uint16_t)w;
    e->ply = r->ply;
  } else if (w <= PLY11_UNKNOWN) {
    if (r->depth > 0) return stop(r, PLY11_ERROR_GRAMMAR);
    e->kind = PLY11_EVENT_RESULT;
    e->code = (uint16_t)w;
    r->state = BETWEEN_GAMES;
  } else if (w == PLY11_VARIATION) {
    if (!r->moved) return stop(r, PLY11_ERROR_GRAMMAR);
    if (r->depth == r->max_depth) return stop(r, PLY11_ERROR_DEPTH);
    r->levels[r->depth].at = r->position;
    r->levels[r->depth].before = r->before;
    r->position = r->before;
    e->kind = PLY11_EVENT_VARIATION;
    e->depth = ++r->depth;
    r->moved = 0;
  } else if (w == PLY11_VARIATION_END) {
    if (r->depth == 0 || !r->moved) return stop(r, PLY11_ERROR_GRAMMAR);
    e->kind = PLY11_EVENT_VARIATION_END;
    r->depth--;
    r->position = r->levels[r->depth].at;
    r->before = r->levels[r->depth].before;
  } else if (w == PLY11_TEXT) {
    if ((w = next_word(r)) == PLY11_NONE) return stop(r, PLY11_ERROR_TRUNCATED);
    r->piece = w;
    r->full = w == MAX_PIECE;
    r->acc = r->have = r->utf8 = 0;
    status = read_text(r, e);
    if (status != PLY11_OK) return status;
  } else if (w >= PLY11_NAG && w < PLY11_START) {
    if (w == PLY11_NAG) {
      if ((w = next_word(r)) == PLY11_NONE) return stop(r, PLY11_ERROR_TRUNCATED);
      if (w > 255) return stop(r, PLY11_ERROR_NAG);
    } else {
      w -= PLY11_NAG;
    }
    e->kind = PLY11_EVENT_NAG;
    e->nag = (uint8_t)w;
  } else {
    return stop(r, w <= PLY11_START_960 ? PLY11_ERROR_GRAMMAR : PLY11_ERROR_RESERVED);
  }
  r->word = r->next;
  return PLY11_OK;
}

void ply11_skip(ply11_reader *r) {
  if (r->failed == PLY11_END || r->failed == PLY11_ERROR_PADDING || r->failed == PLY11_ERROR_ARGUMENT) return;
  for (;;) {
    unsigned w = next_word(r);
    if (w == PLY11_NONE || (w >= PLY11_BLACK_WINS && w <= PLY11_UNKNOWN)) break;
  }
  r->failed = PLY11_OK;
  r->state = BETWEEN_GAMES;
  r->word = r->next;
}

/* ---- Networks ---- */

const char *ply11_vocabulary_name(ply11_vocabulary v) {
  switch (v) {
    case PLY11_INDEX: return "index";
    case PLY11_LC0: return "lc0";
    case PLY11_ALPHAZERO: return "alphazero";
    case PLY11_ZETA36: return "zeta36";
    case PLY11_SEARCHLESS_CHESS: return "searchless-chess";
  }
  return NULL;
}

size_t ply11_vocabulary_size(ply11_vocabulary v) {
  switch (v) {
    case PLY11_LC0: return 1858;
    case PLY11_ALPHAZERO: return 4672;
    case PLY11_INDEX:
    case PLY11_ZETA36:
    case PLY11_SEARCHLESS_CHESS: return PLY11_MOVES;
  }
  return 0;
}

int ply11_vocabulary_turns(ply11_vocabulary v) { return v == PLY11_LC0 || v == PLY11_ALPHAZERO || v == PLY11_ZETA36; }

static set queen_lines(unsigned s) { return (file_of(s) | rank_of(s) | diagonal_of(s) | antidiagonal_of(s)) & ~BIT(s); }

/* Kinds in the order of Q R B N, as zeta36 and searchless-chess have them, and Q R B, as lc0 has. */
static const uint8_t place_of_kind[8] = {0, 0, 0, 3, 2, 1, 0, 0};

/* lc0_label sorts by from-square and to-square. Promotions follow, but those to a knight. */
static int32_t lc0_label(unsigned from, unsigned to, unsigned kind) {
  set before = BIT(to) - 1;
  if (kind != 0 && to < 8) return -1;
  if (kind != 0 && kind != PLY11_KNIGHT) return (int32_t)(1792 + 3 * (2 * (from & 7u) + (to & 7u)) + place_of_kind[kind]);
  return (int32_t)(first_of[from] + popcount((queen_lines(from) | knight_attacks(BIT(from))) & before));
}

/* alphazero_label is 73 * square + plane. */
static int32_t alphazero_label(unsigned from, unsigned to, unsigned kind) {
  static const uint8_t directions[9] = {5, 4, 3, 6, 0, 2, 7, 0, 1}; /* by 3 * (sign of dy + 1) + sign of dx + 1: N is 0, NE 1, … */
  static const uint8_t knights[25] = {0, 5, 0, 4, 0, 6, 0, 0, 0, 3, 0, 0, 0, 0, 0, 7, 0, 0, 0, 2, 0, 8, 0, 1, 0}; /* by 5 * (dy + 2) + dx + 2, from 1 */
  int dx = (int)(to & 7u) - (int)(from & 7u), dy = (int)(to >> 3) - (int)(from >> 3);
  unsigned x = absolute(dx), y = absolute(dy), plane;
  if (kind != 0 && to < 8) return -1;
  if (kind != 0 && kind != PLY11_QUEEN) {
    plane = 64 + 3 * (unsigned)(dx + 1) + (kind == PLY11_KNIGHT ? 0u : kind == PLY11_BISHOP ? 1u : 2u);
  } else if (x + y == 3 && x != 0 && y != 0) {
    plane = 55u + knights[5 * (dy + 2) + dx + 2];
  } else {
    plane = 7u * directions[3 * ((dy > 0) - (dy < 0) + 1) + (dx > 0) - (dx < 0) + 1] + (x > y ? x : y) - 1;
  }
  return (int32_t)(73 * from + plane);
}

/* promotions_before counts promotions of one rank from files before a file: 4 kinds to 2 or 3 files. */
static unsigned promotions_before(unsigned file) { return file == 0 ? 0 : 12 * file - 4; }

/* target_place is the place of a promotion's target among straight on, left, right. */
static unsigned target_place(unsigned from, unsigned to) {
  unsigned a = from & 7u, b = to & 7u;
  return a == b ? 0 : b < a || a == 0 ? 1 : 2;
}

/* zeta36_label goes by the from-square's file and rank: along the rank, the file, the diagonal, the other diagonal, then knights. */
static int32_t zeta36_label(unsigned from, unsigned to, unsigned kind) {
  static const int8_t leaps[8][2] = {{-2, -1}, {-1, -2}, {-2, 1}, {1, -2}, {2, -1}, {-1, 2}, {2, 1}, {1, 2}};
  unsigned file = from & 7u, rank = from >> 3, at = first_of[8 * file + rank], i;
  set t = BIT(to), before = t - 1, line;
  if (kind != 0) {
    unsigned targets_here = file == 0 || file == 7 ? 2 : 3;
    return (int32_t)(1792 + 2 * (promotions_before(file) + place_of_kind[kind] * targets_here + target_place(from, to)) + (to >= 56));
  }
  line = rank_of(from) & ~BIT(from);
  if (line & t) return (int32_t)(at + popcount(line & before));
  line = file_of(from) & ~BIT(from);
  if (line & t) return (int32_t)(at + 7 + popcount(line & before));
  line = diagonal_of(from) & ~BIT(from);
  if (line & t) return (int32_t)(at + 14 + popcount(line & before));
  at += 14 + popcount(line);
  line = antidiagonal_of(from) & ~BIT(from);
  if (line & t) return (int32_t)(at + popcount(line & ~before & ~t));
  at += popcount(line);
  for (i = 0; i < 8; i++) {
    int x = (int)file + leaps[i][0], y = (int)rank + leaps[i][1];
    if (x < 0 || x > 7 || y < 0 || y > 7) continue;
    if ((unsigned)(8 * y + x) == to) return (int32_t)at;
    at++;
  }
  return -1;
}

/* searchless_label goes by from-square, a queen's moves by target, then a knight's; the promotions of Black, then those of White. */
static int32_t searchless_label(unsigned from, unsigned to, unsigned kind) {
  set lines = queen_lines(from), before = BIT(to) - 1;
  if (kind != 0) return (int32_t)(1792 + (to < 8 ? 0u : 88u) + promotions_before(from & 7u) + 4 * target_place(from, to) + place_of_kind[kind]);
  if (lines & BIT(to)) return (int32_t)(first_of[from] + popcount(lines & before));
  return (int32_t)(first_of[from] + popcount(lines) + popcount(knight_attacks(BIT(from)) & before));
}

/* plain_label is the label of a move that the side to move sees so. */
static int32_t plain_label(ply11_vocabulary v, unsigned code) {
  unsigned w = word_table[code], from = word_from(w), to = word_to(w), kind = word_kind(w);
  switch (v) {
    case PLY11_LC0: return lc0_label(from, to, kind);
    case PLY11_ALPHAZERO: return alphazero_label(from, to, kind);
    case PLY11_ZETA36: return zeta36_label(from, to, kind);
    case PLY11_SEARCHLESS_CHESS: return searchless_label(from, to, kind);
    case PLY11_INDEX: break;
  }
  return v == PLY11_INDEX ? (int32_t)code : -1;
}

/* Castlings of a white king on e1. */
#define E1G1 260u
#define E1C1 1284u
#define E1H1 516u
#define E1A1 772u

/* rook_step returns king takes rook for the king's step from e1 by two squares, and any other code as it is. */
static unsigned rook_step(unsigned code) { return code == E1G1 ? E1H1 : code == E1C1 ? E1A1 : code; }

/* label_of is ply11_label of a move that a piece makes. */
static int32_t label_of(ply11_vocabulary v, unsigned piece, unsigned code) {
  if (ply11_vocabulary_turns(v) && piece & PLY11_BLACK) code = ply11_mirror_ranks(code);
  if (v == PLY11_LC0 && (piece & 7u) == PLY11_KING) code = rook_step(code);
  return plain_label(v, code);
}

int32_t ply11_label(ply11_vocabulary v, unsigned piece, unsigned code) {
  return ply11_piece_moves(piece, code) ? label_of(v, piece, code) : -1;
}

uint16_t ply11_unlabel(ply11_vocabulary v, unsigned piece, int32_t label) {
  unsigned code = PLY11_NONE, c;
  if (label < 0 || (size_t)label >= ply11_vocabulary_size(v)) return PLY11_NONE;
  /* The plain code of the label; the lower of two is the one without promotion. */
  for (c = 0; c < PLY11_MOVES && code == PLY11_NONE; c++)
    if (plain_label(v, c) == label) code = c;
  if (code == PLY11_NONE) return PLY11_NONE;
  if ((piece & 7u) == PLY11_PAWN && (v == PLY11_LC0 || v == PLY11_ALPHAZERO) && code < 1792 && word_to(word_table[code]) >= 56)
    code = ply11_code(word_from(word_table[code]), word_to(word_table[code]), v == PLY11_LC0 ? PLY11_KNIGHT : PLY11_QUEEN);
  else if ((piece & 7u) == PLY11_KING && v == PLY11_LC0)
    code = code == E1H1 ? E1G1 : code == E1A1 ? E1C1 : code;
  if (code == PLY11_NONE) return PLY11_NONE;
  if (ply11_vocabulary_turns(v) && piece & PLY11_BLACK) code = ply11_mirror_ranks(code);
  return (uint16_t)(ply11_piece_moves(piece, code) ? code : PLY11_NONE);
}

void ply11_labels(ply11_vocabulary v, const ply11_position *p, const uint16_t *codes, size_t n, int32_t *labels) {
  size_t i;
  for (i = 0; i < n; i++) {
    unsigned w = ply11_word(codes[i]), piece = w == 0 ? 0 : ply11_piece_on(p + i, word_from(w));
    if (piece == 0) labels[i] = -1;
    else if (p[i].chess960 && castling_side(p + i, w))
      labels[i] = plain_label(v, ply11_vocabulary_turns(v) && piece & PLY11_BLACK ? ply11_mirror_ranks(codes[i]) : codes[i]);
    else labels[i] = ply11_label(v, piece, codes[i]);
  }
}

void ply11_label_masks(ply11_vocabulary v, const ply11_position *p, size_t n, uint8_t *masks) {
  size_t size = (ply11_vocabulary_size(v) + 7) / 8, i;
  for (; n > 0; n--, p++, masks += size) {
    walk w;
    for (i = 0; i < size; i++) masks[i] = 0;
    walk_begin(p, &w);
    while (walk_next(p, &w)) {
      for (; w.to != 0; w.to &= w.to - 1) {
        unsigned to = lowest(w.to), last = w.kind == PLY11_PAWN && BIT(to) & LAST_RANKS ? PLY11_ROOK + 0u : 0u, kind = last ? PLY11_QUEEN + 0u : 0u;
        for (; kind <= last; kind++) {
          uint16_t code = (uint16_t)(kind ? promotion_code(w.from, to, kind) : plain_code(w.from, to));
          int32_t label;
          ply11_labels(v, p, &code, 1, &label);
          if (label >= 0) masks[label / 8] |= (uint8_t)(1u << (label & 7));
        }
      }
    }
  }
}

/* put_board writes the sets of P N B R Q K of the first side, then of the other. flip is 1 if the first side is Black, and the ranks are mirrored. */
static inline void put_board(const ply11_position *p, int flip, uint8_t *out) {
  set a = p->plane[0], b = p->plane[1], c = p->plane[2], d = p->plane[3], list[6];
  int i;
  if (flip) a = turned(a), b = turned(b), c = turned(c), d = ~turned(d);
  list[0] = b & c;
  list[1] = a & b;
  list[2] = c & ~(a | b);
  list[3] = a & c;
  list[4] = b & ~(a | c);
  list[5] = a & ~(b | c);
  for (i = 0; i < 6; i++) {
    put64(out + 8 * i, list[i] & ~d);
    put64(out + 8 * i + 48, list[i] & d);
  }
}

void ply11_planes(const ply11_position *p, size_t n, int turns, uint8_t *planes) {
  for (; n > 0; n--, p++, planes += PLY11_PLANES_BYTES) put_board(p, turns && p->black, planes);
}

void ply11_states(const ply11_position *p, size_t n, int turns, uint8_t *states) {
  for (; n > 0; n--, p++, states += PLY11_STATE_BYTES) {
    unsigned have = rights(p, NULL), i;
    if (turns && p->black) have = (have >> 2 | have << 2) & 15u;
    states[0] = p->black;
    for (i = 0; i < 4; i++) states[1 + i] = have >> i & 1u;
    states[5] = p->en_passant;
    states[6] = (uint8_t)(p->clock < 255 ? p->clock : 255);
  }
}

/* usable_en_passant returns the en passant file if a capture there is legal, else 0. */
static unsigned usable_en_passant(const ply11_position *p) {
  legality l;
  set b;
  if (p->en_passant == 0) return 0;
  find_legality(p, &l, 0);
  for (b = of_kind(&l, PLY11_PAWN); b != 0; b &= b - 1)
    if (pawn_targets(p, &l, lowest(b)) & BIT((p->black ? 15u : 39u) + p->en_passant)) return p->en_passant;
  return 0;
}

/* occurred tells whether position i of a line is the same as an earlier one, as the rules of repetition have it. */
static unsigned occurred(const ply11_position *line, size_t i) {
  const ply11_position *p = line + i;
  size_t back = p->clock < i ? p->clock : i, k;
  for (k = 2; k <= back; k += 2) {
    const ply11_position *q = p - k;
    if (!same_pieces(p, q) || p->black != q->black || p->castling != q->castling) continue;
    if (usable_en_passant(p) == usable_en_passant(q)) return 1;
  }
  return 0;
}

/* usual tells whether a position is the usual start. */
static int usual(const ply11_position *p) {
  ply11_position s;
  ply11_start(&s);
  return same_pieces(p, &s) && p->castling == s.castling && p->clock == 0 && p->number == 1 && p->black == 0 && p->en_passant == 0;
}

#define LC0_BOARDS 8

static void lc0_one(const ply11_position *line, size_t at, unsigned repeated, int begins, uint8_t *out) {
  const ply11_position *p = line + at;
  unsigned have = rights(p, NULL), i, j;
  for (i = 0; i < LC0_BOARDS; i++, out += 104) {
    const ply11_position *q = i <= at ? p - i : line;
    if (i > at && begins) {
      for (j = 0; j < 13; j++) put64(out + 8 * j, 0);
      continue;
    }
    put_board(q, p->black, out);
    put64(out + 96, all(repeated >> (i <= at ? i : at) & 1u));
    if (i > at && q->en_passant) { /* the pawn is on its first square; it is of the side that is not to move at the start */
      int mine = q->black != p->black;
      unsigned file = q->en_passant - 1u;
      uint8_t *pawns = out + (mine ? 0 : 48);
      pawns[mine ? 3 : 4] &= (uint8_t)~(1u << file);
      pawns[mine ? 1 : 6] |= (uint8_t)(1u << file);
    }
  }
  if (p->black) have = (have >> 2 | have << 2) & 15u;
  for (i = 0; i < 4; i++, out += 8) put64(out, all(have >> (i ^ 1u) & 1u)); /* long before short */
  put64(out, all(p->black));
  put64(out + 8, FILE_A * (p->clock < 255 ? p->clock : 255));
  put64(out + 16, 0);
  put64(out + 24, ~(set)0);
}

void ply11_lc0_planes(const ply11_position *line, size_t first, size_t last, uint8_t *planes) {
  size_t i = first < LC0_BOARDS ? 0 : first - LC0_BOARDS + 1;
  unsigned repeated = 0;
  int begins;
  if (first >= last) return;
  begins = usual(line);
  for (; i < last; i++) {
    repeated = repeated << 1 | occurred(line, i);
    if (i < first) continue;
    lc0_one(line, i, repeated, begins, planes);
    planes += PLY11_LC0_PLANES_BYTES;
  }
}

void ply11_spread(const uint8_t *bits, size_t size, uint8_t *bytes) {
#ifdef PLY11_SSE2
  /* Eight bytes at a time: each is there twice, four and eight times, then each copy keeps its own bit. */
  const __m128i own = _mm_set1_epi64x((long long)0x8040201008040201u), one = _mm_set1_epi8(1);
  for (; size >= 8; size -= 8, bits += 8) {
    __m128i twice = _mm_loadl_epi64((const __m128i *)bits), four[2];
    int half;
    twice = _mm_unpacklo_epi8(twice, twice);
    four[0] = _mm_unpacklo_epi16(twice, twice);
    four[1] = _mm_unpackhi_epi16(twice, twice);
    for (half = 0; half < 2; half++, bytes += 32) {
      __m128i low = _mm_shuffle_epi32(four[half], 0x50), high = _mm_shuffle_epi32(four[half], 0xfa);
      _mm_storeu_si128((__m128i *)bytes, _mm_min_epu8(_mm_and_si128(low, own), one));
      _mm_storeu_si128((__m128i *)(bytes + 16), _mm_min_epu8(_mm_and_si128(high, own), one));
    }
  }
#endif
  for (; size > 0; size--, bits++, bytes += 8) {
    /* Byte i of the product keeps bit i alone, and is then filled up so that its highest bit is what that was. */
    uint64_t b = *bits * FILE_A & 0x8040201008040201u;
    b = (b + 0x00406070787c7e7fu) >> 7 & FILE_A;
    put64(bytes, b);
  }
}

/* ---- Checksums ---- */

/* bits_at returns n bits, at most 56, from a bit of a stream on, low bits first; zeros behind its end. */
static inline uint64_t bits_at(const uint8_t *b, size_t size, size_t at, unsigned n) {
  size_t byte = at / 8, i;
  uint64_t v = 0;
  if (byte < size && size - byte >= 8) v = get64(b + byte);
  else for (i = 0; byte + i < size; i++) v |= (uint64_t)b[byte + i] << 8 * i;
  return v >> at % 8 & (((uint64_t)1 << n) - 1);
}

static int same(const uint8_t *a, const uint8_t *b, size_t n) {
  unsigned other = 0;
  size_t i;
  for (i = 0; i < n; i++) other |= a[i] ^ b[i];
  return other == 0;
}

/* A fuzzer that changes what is below the checksums asks for none: SOUND is then all that is compared with one. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define SOUND(yes) ((void)(yes), 1)
#else
#define SOUND(yes) (yes)
#endif

/* What the processor has, as bits. */
enum { HAS_AVX2 = 1, HAS_SHA = 2 /* and an instruction for the CRC */ };

#ifdef PLY11_AVX2
/* processor asks the processor, and for AVX2 whether the system keeps the registers. In a virtual machine it takes a microsecond or more. */
static unsigned processor(void) {
  unsigned a, b, c, d, has = 0, one;
  if (!__get_cpuid(1, &a, &b, &one, &d) || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  if ((one >> 9 & one >> 19 & one >> 20 & b >> 29 & 1u) != 0) has = HAS_SHA;
  if ((one >> 27 & 3u) != 3) return has;
  __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return (a & 6u) == 6 && (b >> 5 & 1u) ? has | HAS_AVX2 : has;
}

PLY11_SHA static uint32_t crc32c_sse(uint32_t crc, const uint8_t *bytes, size_t n) {
  uint64_t c = crc;
  for (; n >= 8; n -= 8, bytes += 8) c = _mm_crc32_u64(c, get64(bytes));
  for (; n > 0; n--) c = _mm_crc32_u8((uint32_t)c, *bytes++);
  return (uint32_t)c;
}
#else
static unsigned processor(void) { return 0; }
#endif

static uint32_t crc32c(unsigned has, const uint8_t *bytes, size_t n) {
  static const uint32_t table[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
                                     0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
  uint32_t c = 0xffffffffu;
#ifdef PLY11_AVX2
  if (has & HAS_SHA) return ~crc32c_sse(c, bytes, n);
#endif
#ifdef PLY11_ARM
  for (; n >= 8; n -= 8, bytes += 8) c = __crc32cd(c, get64(bytes));
#endif
  (void)has;
  while (n-- > 0) {
    c ^= *bytes++;
    c = c >> 4 ^ table[c & 15u];
    c = c >> 4 ^ table[c & 15u];
  }
  return ~c;
}

/* sealed tells whether the last four of n bytes are the CRC of the others. */
static int sealed(const uint8_t *b, size_t n) { return SOUND(crc32c(0, b, n - 4) == get32(b + n - 4)); }

static const uint32_t sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#ifdef PLY11_AVX2
/* Four words of the schedule are in a register; h is in the order in which the instructions want it. */
PLY11_SHA static void sha256_sse(uint32_t h[8], const uint8_t *b, size_t blocks) {
  const __m128i bytes = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i x = _mm_loadu_si128((const __m128i *)(const void *)h), y = _mm_loadu_si128((const __m128i *)(const void *)(h + 4)), w[4], k, before[2];
  unsigned i;
  k = _mm_shuffle_epi32(x, 0xb1); /* c d a b */
  y = _mm_shuffle_epi32(y, 0x1b); /* h g f e, from the highest */
  x = _mm_alignr_epi8(k, y, 8);
  y = _mm_blend_epi16(y, k, 0xf0);
  for (; blocks > 0; blocks--) {
    before[0] = x, before[1] = y;
    for (i = 0; i < 16; i++) {
      if (i < 4) w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(b + 16 * i)), bytes);
      else
        w[i & 3u] = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(w[i & 3u], w[(i + 1) & 3u]), _mm_alignr_epi8(w[(i + 3) & 3u], w[(i + 2) & 3u], 4)), w[(i + 3) & 3u]);
      k = _mm_add_epi32(w[i & 3u], _mm_loadu_si128((const __m128i *)(const void *)(sha256_k + 4 * i)));
      y = _mm_sha256rnds2_epu32(y, x, k);
      x = _mm_sha256rnds2_epu32(x, y, _mm_shuffle_epi32(k, 0x0e));
    }
    x = _mm_add_epi32(x, before[0]);
    y = _mm_add_epi32(y, before[1]);
    b += 64;
  }
  k = _mm_shuffle_epi32(x, 0x1b);
  y = _mm_shuffle_epi32(y, 0xb1);
  _mm_storeu_si128((__m128i *)(void *)h, _mm_blend_epi16(k, y, 0xf0));
  _mm_storeu_si128((__m128i *)(void *)(h + 4), _mm_alignr_epi8(y, k, 8));
}
#endif

#ifdef PLY11_ARM
static void sha256_block(uint32_t h[8], const uint8_t *b) {
  uint32x4_t x = vld1q_u32(h), y = vld1q_u32(h + 4), w[4], k, before;
  unsigned i;
  for (i = 0; i < 16; i++) {
    if (i < 4) w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(b + 16 * i)));
    else w[i & 3u] = vsha256su1q_u32(vsha256su0q_u32(w[i & 3u], w[(i + 1) & 3u]), w[(i + 2) & 3u], w[(i + 3) & 3u]);
    k = vaddq_u32(w[i & 3u], vld1q_u32(sha256_k + 4 * i));
    before = x;
    x = vsha256hq_u32(x, y, k);
    y = vsha256h2q_u32(y, before, k);
  }
  vst1q_u32(h, vaddq_u32(vld1q_u32(h), x));
  vst1q_u32(h + 4, vaddq_u32(vld1q_u32(h + 4), y));
}
#else
static uint32_t turn(uint32_t v, unsigned by) { return v >> by | v << (32 - by); }

static void sha256_block(uint32_t h[8], const uint8_t *b) {
  uint32_t w[64], s[8], x, y;
  unsigned i, j;
  for (i = 0; i < 16; i++) w[i] = (uint32_t)b[4 * i] << 24 | (uint32_t)b[4 * i + 1] << 16 | (uint32_t)b[4 * i + 2] << 8 | b[4 * i + 3];
  for (; i < 64; i++)
    w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
  for (i = 0; i < 8; i++) s[i] = h[i];
  for (i = 0; i < 64; i++) {
    x = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha256_k[i] + w[i];
    y = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    for (j = 7; j > 0; j--) s[j] = s[j - 1];
    s[4] += x;
    s[0] = x + y;
  }
  for (i = 0; i < 8; i++) h[i] += s[i];
}
#endif

static void sha256_blocks(unsigned has, uint32_t h[8], const uint8_t *b, size_t blocks) {
#ifdef PLY11_AVX2
  if (has & HAS_SHA) {
    sha256_sse(h, b, blocks);
    return;
  }
#endif
  (void)has;
  for (; blocks > 0; blocks--, b += 64) sha256_block(h, b);
}

/* digest_is tells whether the first 16 bytes of the SHA-256 are these. */
static int digest_is(unsigned has, const uint8_t *bytes, size_t n, const uint8_t want[16]) {
  uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t last[128];
  size_t i, rest = n % 64, end = rest < 56 ? 64 : 128;
  sha256_blocks(has, h, bytes, n / 64);
  for (i = 0; i < 128; i++) last[i] = 0;
  copy(last, bytes + n - rest, rest);
  last[rest] = 0x80;
  for (i = 0; i < 8; i++) last[end - 1 - i] = (uint8_t)((uint64_t)n << 3 >> 8 * i);
  sha256_blocks(has, h, last, end / 64);
  for (i = 0; i < 16; i++)
    if (!SOUND(want[i] == (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4))))) return 0;
  return 1;
}

#define XXH1 0x9e3779b185ebca87u
#define XXH2 0xc2b2ae3d27d4eb4fu
#define XXH3 0x165667b19e3779f9u
#define XXH4 0x85ebca77c2b2ae63u
#define XXH5 0x27d4eb2f165667c5u

static uint64_t turn64(uint64_t v, unsigned by) { return v << by | v >> (64 - by); }
static uint64_t xxh_round(uint64_t acc, uint64_t v) { return turn64(acc + v * XXH2, 31) * XXH1; }

/* xxh64 is the checksum of zstd's frames, which keep its low 32 bits. */
static uint64_t xxh64(const uint8_t *b, size_t n) {
  uint64_t v[4], h = XXH5;
  size_t i = 0;
  unsigned j;
  if (n >= 32) {
    v[0] = XXH1 + XXH2, v[1] = XXH2, v[2] = 0, v[3] = 0 - XXH1;
    for (; i + 32 <= n; i += 32)
      for (j = 0; j < 4; j++) v[j] = xxh_round(v[j], get64(b + i + 8 * j));
    h = turn64(v[0], 1) + turn64(v[1], 7) + turn64(v[2], 12) + turn64(v[3], 18);
    for (j = 0; j < 4; j++) h = (h ^ xxh_round(0, v[j])) * XXH1 + XXH4;
  }
  h += n;
  for (; i + 8 <= n; i += 8) h = turn64(h ^ xxh_round(0, get64(b + i)), 27) * XXH1 + XXH4;
  if (i + 4 <= n) {
    h = turn64(h ^ get32(b + i) * XXH1, 23) * XXH2 + XXH3;
    i += 4;
  }
  for (; i < n; i++) h = turn64(h ^ b[i] * XXH5, 11) * XXH1;
  h = (h ^ h >> 33) * XXH2;
  h = (h ^ h >> 29) * XXH3;
  return h ^ h >> 32;
}

/* ---- zstd: RFC 8878 ---- */

#define ZSTD_BLOCK (128u << 10)

typedef struct cell { /* of a table of FSE */
  uint16_t next;
  uint8_t symbol, bits;
} cell;

typedef struct fse {
  cell cells[512];
  unsigned log, set; /* log is 0 for one symbol */
} fse;

typedef struct unzstd_state {
  fse tables[3], weights; /* literals' lengths, offsets, matches' lengths */
  uint8_t symbols[2048], lengths[2048]; /* of Huffman's codes */
  unsigned huffman;                     /* bits of the longest; 0 if there is no table */
  size_t repeated[3];
  uint8_t literals[ZSTD_BLOCK];
} unzstd_state;

/* A stream of bits that is read from its end. left are the bits that are there; below 0, zeros were read before the begin. */
typedef struct backward {
  const uint8_t *bytes;
  size_t size;
  int64_t left;
} backward;

/* peek_bits returns the next n bits, at most 32. */
static uint32_t peek_bits(const backward *s, unsigned n) {
  int64_t at = s->left - n;
  if (at >= 0) return (uint32_t)bits_at(s->bytes, s->size, (size_t)at, n);
  return s->left <= 0 ? 0 : (uint32_t)(bits_at(s->bytes, s->size, 0, (unsigned)s->left) << -at);
}

static uint32_t take_bits(backward *s, unsigned n) {
  uint32_t v = peek_bits(s, n);
  s->left -= n;
  return v;
}

/* backward_begin finds the mark at the end of the stream. */
static int backward_begin(backward *s, const uint8_t *bytes, size_t size) {
  if (size == 0 || bytes[size - 1] == 0) return 0;
  s->bytes = bytes;
  s->size = size;
  s->left = (int64_t)(8 * (size - 1) + length_of(bytes[size - 1]) - 1);
  return 1;
}

/* fse_build makes a table from the counts of n symbols, which sum to its size. -1 is a symbol that is rarer than one. */
static int fse_build(fse *t, const int16_t *counts, unsigned n, unsigned log) {
  uint16_t seen[256];
  unsigned size = 1u << log, high = size, at = 0, s, i, step = (size >> 1) + (size >> 3) + 3;
  int k;
  for (s = 0; s < n; s++) {
    seen[s] = (uint16_t)(counts[s] < 0 ? 1 : counts[s]);
    if (counts[s] < 0) t->cells[--high].symbol = (uint8_t)s;
  }
  for (s = 0; s < n; s++)
    for (k = 0; k < counts[s]; k++) {
      t->cells[at].symbol = (uint8_t)s;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  if (at != 0) return 0;
  for (i = 0; i < size; i++) {
    unsigned next = seen[t->cells[i].symbol]++;
    t->cells[i].bits = (uint8_t)(log + 1 - length_of(next));
    t->cells[i].next = (uint16_t)((next << t->cells[i].bits) - size);
  }
  t->log = log;
  t->set = 1;
  return 1;
}

/* fse_read reads the description of a table of at most symbols symbols. It returns the bytes that it takes, 0 if it is wrong. */
static size_t fse_read(fse *t, const uint8_t *bytes, size_t size, unsigned symbols, unsigned max_log) {
  int16_t counts[256];
  size_t at = 4, total = 8 * size;
  unsigned log, n = 0, repeat, width;
  uint32_t v, limit;
  int left;
#define FORWARD(n) (bits_at(bytes, size, at, (n)))
  if (size == 0) return 0;
  log = (bytes[0] & 15u) + 5;
  if (log > max_log) return 0;
  for (left = 1 << log; left > 0 && n < symbols;) {
    width = length_of((uint32_t)left + 1);
    v = (uint32_t)FORWARD(width);
    limit = (1u << width) - 2 - (uint32_t)left;
    if ((v & ((1u << (width - 1)) - 1)) < limit) {
      v &= (1u << (width - 1)) - 1;
      width--;
    } else if (v >= 1u << (width - 1)) {
      v -= limit;
    }
    at += width;
    counts[n++] = (int16_t)((int)v - 1);
    left -= v == 0 ? 1 : (int)v - 1;
    if (v != 1) continue;
    do {
      repeat = (unsigned)FORWARD(2);
      at += 2;
      if (n + repeat > symbols) return 0;
      for (v = 0; v < repeat; v++) counts[n++] = 0;
    } while (repeat == 3 && at <= total);
  }
#undef FORWARD
  if (left != 0 || at > total || !fse_build(t, counts, n, log)) return 0;
  return (at + 7) / 8;
}

/* huffman_read reads Huffman's table. It returns the bytes that it takes, 0 if it is wrong. */
static size_t huffman_read(unzstd_state *z, const uint8_t *bytes, size_t size) {
  uint8_t weights[256];
  size_t used, head;
  unsigned n = 0, i, w, bits, at = 0;
  uint32_t sum = 0, left;
  if (size == 0) return 0;
  if (bytes[0] >= 128) {
    n = bytes[0] - 127u;
    used = 1 + (n + 1) / 2;
    if (used > size) return 0;
    for (i = 0; i < n; i++) weights[i] = i % 2 ? bytes[1 + i / 2] & 15u : bytes[1 + i / 2] >> 4;
  } else {
    backward s;
    unsigned state[2], turn_of = 0;
    const cell *c;
    used = 1 + (size_t)bytes[0];
    if (used > size || (head = fse_read(&z->weights, bytes + 1, used - 1, 256, 6)) == 0) return 0;
    if (!backward_begin(&s, bytes + 1 + head, used - 1 - head)) return 0;
    state[0] = take_bits(&s, z->weights.log);
    state[1] = take_bits(&s, z->weights.log);
    for (; s.left >= 0; turn_of ^= 1) {
      if (n > 253) return 0;
      c = &z->weights.cells[state[turn_of]];
      weights[n++] = c->symbol;
      state[turn_of] = c->next + take_bits(&s, c->bits);
    }
    weights[n++] = z->weights.cells[state[turn_of]].symbol;
  }
  for (i = 0; i < n; i++) {
    if (weights[i] > 11) return 0;
    sum += weights[i] ? 1u << (weights[i] - 1) : 0;
  }
  if (sum == 0 || n > 255) return 0;
  bits = length_of(sum);
  left = (1u << bits) - sum;
  if (bits > 11 || (left & (left - 1)) != 0) return 0;
  weights[n++] = (uint8_t)length_of(left);
  for (w = 1; w <= bits; w++)
    for (i = 0; i < n; i++)
      if (weights[i] == w) {
        unsigned end = at + (1u << (w - 1));
        for (; at < end; at++) {
          z->symbols[at] = (uint8_t)i;
          z->lengths[at] = (uint8_t)(bits + 1 - w);
        }
      }
  z->huffman = bits;
  return used;
}

static int huffman_stream(const unzstd_state *z, const uint8_t *bytes, size_t size, uint8_t *out, size_t n) {
  backward s;
  uint32_t code;
  if (!backward_begin(&s, bytes, size)) return 0;
  while (n-- > 0) {
    code = peek_bits(&s, z->huffman);
    *out++ = z->symbols[code];
    s.left -= z->lengths[code];
    if (s.left < 0) return 0;
  }
  return s.left == 0;
}

/* read_literals returns the bytes that the section of literals takes, 0 if it is wrong; count gets their number. */
static size_t read_literals(unzstd_state *z, const uint8_t *b, size_t size, size_t *count) {
  unsigned type, form, i;
  size_t n, stored, at, head;
  if (size == 0) return 0;
  type = b[0] & 3u;
  form = b[0] >> 2 & 3u;
  if (type < 2) {
    head = form == 1 ? 2 : form == 3 ? 3 : 1;
    if (size < head) return 0;
    n = head == 1 ? b[0] >> 3 : (head == 2 ? get16(b) : get24(b)) >> 4;
    stored = type == 0 ? n : 1;
    if (n > ZSTD_BLOCK || stored > size - head) return 0;
    for (at = 0; at < n; at++) z->literals[at] = b[head + (type == 0 ? at : 0)];
    *count = n;
    return head + stored;
  }
  head = form < 2 ? 3 : form + 2u;
  if (size < head) return 0;
  {
    unsigned width = form < 2 ? 10 : form == 2 ? 14 : 18;
    uint64_t v = bits_at(b, size, 4, 2 * width);
    n = (size_t)(v & ((1u << width) - 1));
    stored = (size_t)(v >> width);
  }
  if (n > ZSTD_BLOCK || stored > size - head) return 0;
  b += head;
  at = 0;
  if (type == 2 && (at = huffman_read(z, b, stored)) == 0) return 0;
  if (z->huffman == 0) return 0;
  *count = n;
  if (form == 0) return huffman_stream(z, b + at, stored - at, z->literals, n) ? head + stored : 0;
  if (stored - at < 6) return 0;
  {
    const uint8_t *sizes = b + at;
    size_t each = (n + 3) / 4, done = 0, length;
    at += 6;
    for (i = 0; i < 4; i++) {
      length = i < 3 ? get16(sizes + 2 * i) : stored - at;
      if (length > stored - at || (i == 3 && n < done) || (i < 3 && n - done < each)) return 0;
      if (!huffman_stream(z, b + at, length, z->literals + done, i < 3 ? each : n - done)) return 0;
      at += length;
      done += each;
    }
  }
  return head + stored;
}

/* read_table sets a table of the sequences. It returns 1 if that is right, and moves at. */
static int read_table(unzstd_state *z, unsigned which, unsigned mode, const uint8_t *b, size_t size, size_t *at) {
  static const int16_t lengths[] = {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
  static const int16_t offsets[] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
  static const int16_t matches[] = {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1, 1, 1, 1,
                                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
  static const int16_t *const usual_counts[3] = {lengths, offsets, matches};
  static const unsigned symbols[3] = {36, 29, 53}, usual_log[3] = {6, 5, 6}, max_log[3] = {9, 8, 9}, max_symbols[3] = {36, 32, 53};
  fse *t = &z->tables[which];
  size_t used;
  if (mode == 0) return fse_build(t, usual_counts[which], symbols[which], usual_log[which]);
  if (mode == 3) return t->set != 0;
  if (mode == 1) {
    if (*at >= size || b[*at] >= max_symbols[which]) return 0;
    t->cells[0].symbol = b[(*at)++];
    t->cells[0].bits = 0;
    t->cells[0].next = 0;
    t->log = 0;
    t->set = 1;
    return 1;
  }
  used = fse_read(t, b + *at, size - *at, max_symbols[which], max_log[which]);
  *at += used;
  return used != 0;
}

/* unzstd_block decodes a compressed block to out, of cap bytes, of which done are there. It returns the bytes that are then there, 0 if it is wrong. */
static size_t unzstd_block(unzstd_state *z, const uint8_t *b, size_t size, uint8_t *out, size_t done, size_t cap) {
  static const uint32_t length_base[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  11,   12,   13,   14,   15,    16,    18,
                                         20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
  static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  static const uint32_t match_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19,  20,  21,  22,   23,   24,   25,   26,    27,    28,   29,
                                        30, 31, 32, 33, 34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539};
  static const uint8_t match_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                       0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  size_t literals = 0, taken = 0, at = read_literals(z, b, size, &literals), sequences, i, begin = done;
  unsigned state[3], which;
  backward s;
  if (at == 0 || at >= size) return 0;
  sequences = b[at++];
  if (sequences >= 128) {
    size_t more = sequences == 255 ? 2 : 1;
    if (size - at < more + 1) return 0;
    sequences = more == 2 ? get16(b + at) + 0x7f00u : (sequences - 128) << 8 | b[at];
    at += more;
  }
  if (sequences > 0) {
    unsigned modes;
    if (at >= size || ((modes = b[at++]) & 3u) != 0) return 0;
    for (which = 0; which < 3; which++)
      if (!read_table(z, which, modes >> (6 - 2 * which) & 3u, b, size, &at)) return 0;
    if (!backward_begin(&s, b + at, size - at)) return 0;
    for (which = 0; which < 3; which++) state[which] = take_bits(&s, z->tables[which].log);
    for (i = 0; i < sequences; i++) {
      const cell *c[3];
      size_t offset, length, match, k;
      uint32_t code;
      for (which = 0; which < 3; which++) c[which] = &z->tables[which].cells[state[which]];
      code = c[1]->symbol;
      offset = ((size_t)1 << code) + (code > 0 ? take_bits(&s, code) : 0);
      match = match_base[c[2]->symbol] + take_bits(&s, match_bits[c[2]->symbol]);
      length = length_base[c[0]->symbol] + take_bits(&s, length_bits[c[0]->symbol]);
      if (i + 1 < sequences) {
        static const uint8_t order[3] = {0, 2, 1};
        for (k = 0; k < 3; k++) state[order[k]] = c[order[k]]->next + take_bits(&s, c[order[k]]->bits);
      }
      if (s.left < 0) return 0;
      if (offset > 3) {
        offset -= 3;
        z->repeated[2] = z->repeated[1];
        z->repeated[1] = z->repeated[0];
      } else {
        k = offset - (length == 0 ? 0u : 1u);
        offset = k < 3 ? z->repeated[k] : z->repeated[0] - 1;
        if (k > 1) z->repeated[2] = z->repeated[1];
        if (k > 0) z->repeated[1] = z->repeated[0];
      }
      z->repeated[0] = offset;
      if (length > literals - taken || length > cap - done || match > cap - done - length || offset == 0 || offset > done + length) return 0;
      for (k = 0; k < length; k++) out[done++] = z->literals[taken++];
      for (k = 0; k < match; k++, done++) out[done] = out[done - offset];
    }
    if (s.left != 0) return 0;
  } else if (at != size) {
    return 0;
  }
  if (literals - taken > cap - done) return 0;
  while (taken < literals) out[done++] = z->literals[taken++];
  return done - begin > ZSTD_BLOCK ? 0 : done + 1; /* one more, so that nothing is not an error */
}

/* unzstd decodes one frame, which is all of b, to n bytes. It returns 1 if the frame is right and no more than a column may have. */
static int unzstd(unzstd_state *z, const uint8_t *b, size_t size, uint8_t *out, size_t n) {
  static const size_t content_bytes[4] = {0, 2, 4, 8};
  unsigned descriptor, single, i, last = 0;
  size_t at = 5, done = 0, length;
  if (size < 6 || get32(b) != 0xfd2fb528u) return 0;
  descriptor = b[4];
  single = descriptor >> 5 & 1u;
  if (descriptor & 11u) return 0; /* reserved, or a dictionary */
  if (!single) {
    uint64_t window = (uint64_t)1 << (10 + (b[at] >> 3));
    if (window + window / 8 * (b[at] & 7u) > 1u << 24) return 0;
    at++;
  }
  length = descriptor >> 6 == 0 ? single : content_bytes[descriptor >> 6];
  if (length > size - at) return 0;
  if (length > 0) {
    uint64_t content = 0;
    for (i = 0; i < length; i++) content |= (uint64_t)b[at++] << 8 * i;
    if (content + (length == 2 ? 256 : 0) != n) return 0;
  }
  z->huffman = 0;
  for (i = 0; i < 3; i++) z->tables[i].set = 0;
  z->repeated[0] = 1, z->repeated[1] = 4, z->repeated[2] = 8;
  while (!last) {
    unsigned head, type;
    size_t k;
    if (size - at < 3) return 0;
    head = get24(b + at);
    at += 3;
    last = head & 1u;
    type = head >> 1 & 3u;
    length = head >> 3;
    if (length > ZSTD_BLOCK || type == 3 || (type == 1 ? 1 : length) > size - at) return 0;
    if (type == 2) {
      done = unzstd_block(z, b + at, length, out, done, n);
      if (done-- == 0) return 0;
    } else {
      if (length > n - done) return 0;
      for (k = 0; k < length; k++) out[done++] = b[at + (type == 0 ? k : 0)];
    }
    at += type == 1 ? 1 : length;
  }
  if (done != n) return 0;
  if (descriptor >> 2 & 1u) {
    if (size - at < 4 || !SOUND(get32(b + at) == (uint32_t)xxh64(out, n))) return 0;
    at += 4;
  }
  return at == size;
}

/* ---- Archives ---- */

#define TAIL 49152u
#define HEADER 32u
#define TRAILER 40u
#define ENTRY 40u
#define SEARCH_ENTRY 20u /* of a column of a search part */
#define MAX_BLOCK ((uint64_t)1 << 25) /* bytes of text, of columns, of tags */
#define MAX_PART (16 + 255 * (ENTRY + SEARCH_ENTRY))
#define MAX_COLUMNS 32u
#define MAX_BLOCK_HEADER (64 + 24 * MAX_COLUMNS)
#define MAX_BLOCK_WORDS (1u << 23)

typedef struct chunk { /* before each piece of memory */
  struct chunk *next;
  size_t size;
  uint64_t align;
} chunk;

typedef struct part { /* of the index, that is kept */
  uint64_t offset;
  uint32_t size;
  uint8_t bytes[MAX_PART];
} part;

struct ply11_archive {
  ply11_source source;
  ply11_memory memory;
  ply11_fault fault;
  size_t used;
  unsigned has; /* of the processor */
  chunk *chunks;
  uint64_t games, plies, footer_at, unfinished;
  uint32_t blocks, dense_blocks, flags;
  int edited; /* blocks do not stand in the file in their order */
  uint32_t entries[4]; /* of the footer, of level 0 to 3 */
  uint8_t *footer;
  size_t footer_size;
  part *parts; /* one for each level */
  unzstd_state *zstd;
  const ply11_model *model; /* of dense moves, or NULL */
};

typedef struct column {
  uint8_t kind, codec;
  uint32_t stored, raw;
  const uint8_t *digest, *bytes; /* bytes: as they are stored */
} column;

typedef struct block {
  ply11_block is;
  ply11_archive *archive;
  chunk *chunks;
  uint64_t offset;
  uint32_t words, exceptions;
  const uint8_t *bytes; /* the block, as it is stored */
  unsigned columns;
  column list[MAX_COLUMNS];
  /* Of each game with a start position its words, from the code on; NULL if the block has none. */
  uint16_t *start_words;
  uint32_t *start_of; /* the number of its start, from 1; 0 if it has none */
  /* Tags. */
  const uint8_t *tags;
  uint32_t *names, *shape_begins, *shape_names, *shape_of, *first_tag;
  uint32_t *values; /* two for each tag: place and size */
} block;

/* wrong notes an error, and returns it. */
static ply11_status wrong(ply11_archive *a, ply11_status status, const char *what, uint64_t offset) {
  const ply11_fault fault = {what, offset, 0, 0, 0};
  a->fault = fault;
  return status;
}

static ply11_status corrupt(ply11_archive *a, const char *what, uint64_t offset) { return wrong(a, PLY11_ERROR_CORRUPT, what, offset); }

/* grab takes memory for n elements of a size, at least one byte, and puts it in a list. */
static void *grab(ply11_archive *a, chunk **list, size_t n, size_t size) {
  chunk *c = NULL;
  size_t limit = a->memory.limit ? a->memory.limit : PLY11_MEMORY_LIMIT;
  if (a->used < limit && n <= (limit - a->used) / size && n * size + sizeof *c <= limit - a->used)
    c = (chunk *)a->memory.allocate(a->memory.user, n * size + sizeof *c);
  if (c == NULL) {
    wrong(a, PLY11_ERROR_MEMORY, "there is not enough memory", 0);
    return NULL;
  }
  c->size = n * size + sizeof *c;
  c->next = *list;
  *list = c;
  a->used += c->size;
  return c + 1;
}

static void release_all(ply11_archive *a, chunk **list) {
  while (*list != NULL) {
    chunk *c = *list;
    *list = c->next;
    a->used -= c->size;
    a->memory.release(a->memory.user, c);
  }
}

static ply11_status read_at(ply11_archive *a, uint64_t offset, uint8_t *bytes, size_t size) {
  if (offset > a->source.size || size > a->source.size - offset) return corrupt(a, "the archive tells of bytes that it does not have", offset);
  if (!a->source.read(a->source.user, offset, bytes, size)) return wrong(a, PLY11_ERROR_READ, "the archive cannot be read", offset);
  return PLY11_OK;
}

/* varint reads a number, and moves at. It returns 0 if it is wrong. */
static int varint(const uint8_t *b, size_t size, size_t *at, uint64_t *v) {
  unsigned shift = 0;
  uint64_t byte;
  *v = 0;
  for (;; shift += 7) {
    if (*at >= size || shift > 63) return 0;
    byte = b[(*at)++];
    if (shift == 63 && byte > 1) return 0;
    *v |= (byte & 127u) << shift;
    if (byte < 128) return byte != 0 || shift == 0;
  }
}

/* varint32 is varint for a number up to max. */
static int varint32(const uint8_t *b, size_t size, size_t *at, uint32_t max, uint32_t *v) {
  uint64_t n;
  if (!varint(b, size, at, &n) || n > max) return 0;
  *v = (uint32_t)n;
  return 1;
}

/* An entry of the index, of a block or of a part. */
typedef struct entry {
  uint64_t offset, games;
  uint32_t size, front, blocks; /* front: of a block, its size */
  const uint8_t *digest;
} entry;

/* get_entry reads an entry of a block, if level is 0, or of a part of a level below. */
static void get_entry(entry *e, const uint8_t *b, unsigned level) {
  e->offset = get64(b);
  e->games = get64(b + 8);
  e->size = get32(b + 16);
  e->front = level == 0 ? get32(b + 20) : 0;
  e->blocks = level == 0 ? 1 : get32(b + 20);
  e->digest = b + 24;
}

/* check_entries verifies n entries of blocks, if level is 0, or of parts of a level below, which end before end. The sums are added. */
static ply11_status check_entries(ply11_archive *a, const uint8_t *b, uint32_t n, unsigned level, uint64_t end, uint64_t *games, uint64_t *blocks) {
  uint64_t last = HEADER;
  entry e;
  for (; n-- > 0; b += ENTRY) {
    get_entry(&e, b, level);
    if (e.offset < last || e.offset > end || e.size > end - e.offset) return corrupt(a, "an entry of the index is out of order", end);
    if (level == 0 ? e.games > 65535 || e.front < 64 || e.front > e.size : e.size > MAX_PART || e.blocks == 0 || e.blocks >> 31 != 0)
      return corrupt(a, "an entry of the index is impossible", end);
    if (e.games > UINT64_MAX - *games) return corrupt(a, "an entry of the index is impossible", end);
    if (!a->edited) last = e.offset + e.size;
    *games += e.games;
    *blocks += e.blocks;
  }
  return PLY11_OK;
}

/* check_properties verifies the properties of the footer. */
static ply11_status check_properties(ply11_archive *a, const uint8_t *b, size_t size, uint64_t text) {
  static const char hash[] = ".sha256";
  size_t at = 0, i;
  const uint8_t *last = NULL;
  uint32_t last_size = 0, name_size, value_size, utf8;
  while (at < size) {
    const uint8_t *name, *value;
    size_t k = 0;
    if (!varint32(b, size, &at, 255, &name_size) || name_size == 0 || name_size > size - at) return corrupt(a, "a property is wrong", a->footer_at);
    name = b + at;
    at += name_size;
    if (!varint32(b, size, &at, 16384, &value_size) || value_size > size - at) return corrupt(a, "a property is wrong", a->footer_at);
    value = b + at;
    at += value_size;
    for (; k < name_size && k < last_size && name[k] == last[k];) k++;
    if (last != NULL && (k == name_size || (k < last_size && name[k] < last[k]))) return corrupt(a, "properties are out of order", a->footer_at);
    last = name;
    last_size = name_size;
    for (utf8 = 0, i = 0; i < name_size; i++)
      if (name[i] != 0 && !utf8_next(&utf8, name[i])) return corrupt(a, "the name of a property is no text", a->footer_at);
    if (utf8 != 0) return corrupt(a, "the name of a property is no text", a->footer_at);
    if (name[0] == '!') return wrong(a, PLY11_ERROR_LATER, "a property that a reader must know", a->footer_at);
    for (i = 0; name[0] != '.' && i < value_size; i++)
      if (value[i] != 0 && !utf8_next(&utf8, value[i])) return corrupt(a, "the value of a property is no text", a->footer_at);
    if (utf8 != 0) return corrupt(a, "the value of a property is no text", a->footer_at);
    if (name_size == 7 && same(name, (const uint8_t *)hash, 7) && value_size != 32 + text % 64) return corrupt(a, "the state of the hash is not that of the text", a->footer_at);
  }
  return PLY11_OK;
}

/* read_footer reads the trailer and the footer. While somebody adds games, the trailer is a copy of the last one before, behind the archive of before. */
static ply11_status read_footer(ply11_archive *a) {
  size_t size, n, at;
  uint64_t begin, end, games = 0, blocks = 0;
  uint32_t properties, total = 0;
  uint8_t *tail = NULL;
  const uint8_t *t, *f;
  unsigned level;
  ply11_status status;
  for (;;) {
    size = a->source.size < TAIL ? (size_t)a->source.size : TAIL;
    begin = a->source.size - size;
    end = a->source.size - TRAILER;
    if (a->source.size < HEADER + 60 + TRAILER) return wrong(a, PLY11_ERROR_FORMAT, "this is no archive: it is too short", 0);
    if (tail == NULL && (tail = (uint8_t *)grab(a, &a->chunks, size, 1)) == NULL) return PLY11_ERROR_MEMORY;
    if ((status = read_at(a, begin, tail, size)) != PLY11_OK) return status;
    t = tail + size - TRAILER;
    if (get32(t) != 0x45313150u) return wrong(a, PLY11_ERROR_FORMAT, "this is no archive, or its end is damaged: there is no trailer", end);
    if (!sealed(t, TRAILER)) return corrupt(a, "the trailer has another checksum", end);
    if (get16(t + 4) != 1 || get16(t + 6) > 1) return wrong(a, PLY11_ERROR_LATER, "the archive is of a later version", end);
    a->footer_at = get64(t + 8);
    n = get32(t + 16);
    if (get16(t + 6) == 0) break;
    if (a->unfinished > 0 || a->footer_at > end || n > end - a->footer_at) return corrupt(a, "the trailer does not tell of the footer", end);
    a->unfinished = end - a->footer_at - n;
    a->source.size -= a->unfinished;
    if (a->unfinished == 0) return corrupt(a, "the trailer does not tell of the footer", end);
  }
  if (n < 60 || n > size - TRAILER || a->footer_at != end - n) return corrupt(a, "the trailer does not tell of the footer", end);
  f = t - n;
  if (!digest_is(a->has, f, n, t + 20)) return corrupt(a, "the footer has another digest", a->footer_at);
  if (get32(f) != 0x46313150u || get32(f + 4) != n || !sealed(f, n)) return corrupt(a, "the footer is wrong", a->footer_at);
  a->games = get64(f + 8);
  a->plies = get64(f + 16);
  a->blocks = get32(f + 32);
  a->dense_blocks = get32(f + 36);
  a->flags = get32(f + 40);
  a->edited = (a->flags & 2) != 0;
  a->flags &= ~(uint32_t)2;
  properties = get32(f + 44);
  for (level = 0; level < 4; level++) total += a->entries[level] = get16(f + 48 + 2 * level);
  if (a->flags & 0xfffeu) return wrong(a, PLY11_ERROR_LATER, "a flag that a reader must know", a->footer_at);
  if (properties > 16384 || n != 60 + (size_t)ENTRY * total + properties) return corrupt(a, "the footer is not of its size", a->footer_at);
  if (a->blocks >> 31 != 0 || a->dense_blocks > a->blocks || a->blocks > a->footer_at / 64 || (a->plies | get64(f + 24)) >> 63 != 0)
    return corrupt(a, "the footer has impossible numbers", a->footer_at);
  at = 56;
  for (level = 4; level-- > 0;) {
    if ((status = check_entries(a, f + at, a->entries[level], level + 1, a->footer_at, &games, &blocks)) != PLY11_OK) return status;
    at += ENTRY * a->entries[level];
  }
  if (games != a->games || blocks != a->blocks) return corrupt(a, "the index is not that of the footer's numbers", a->footer_at);
  if ((status = check_properties(a, f + at, properties, get64(f + 24))) != PLY11_OK) return status;
  if (begin == 0) { /* the header is here, too */
    if (!same(tail, (const uint8_t *)"\x89P11\r\n\x1a\n", 8)) return wrong(a, PLY11_ERROR_FORMAT, "this is no archive: it begins with other bytes", 0);
  }
  a->footer = tail + (f - tail);
  a->footer_size = n;
  return PLY11_OK;
}

/* new_archive makes an archive of which nothing is read, or NULL. */
static ply11_archive *new_archive(const ply11_source *source, const ply11_memory *memory, ply11_fault *fault) {
  static const ply11_fault none = {NULL, 0, 0, 0, 0};
  ply11_archive *a = (ply11_archive *)memory->allocate(memory->user, sizeof *a);
  if (fault != NULL) *fault = none;
  if (a == NULL) {
    if (fault != NULL) fault->what = "there is not enough memory";
    return NULL;
  }
  a->source = *source;
  a->memory = *memory;
  a->fault = none;
  a->used = sizeof *a;
  a->has = processor();
  a->model = NULL;
  a->chunks = NULL;
  a->unfinished = 0;
  return a;
}

ply11_status ply11_archive_open(ply11_archive **archive, const ply11_source *source, const ply11_memory *memory, ply11_fault *fault) {
  ply11_archive *a = new_archive(source, memory, fault);
  ply11_status status;
  unsigned i;
  *archive = NULL;
  if (a == NULL) return PLY11_ERROR_MEMORY;
  status = read_footer(a);
  if (status == PLY11_OK && ((a->parts = (part *)grab(a, &a->chunks, 4, sizeof(part))) == NULL ||
                             (a->zstd = (unzstd_state *)grab(a, &a->chunks, 1, sizeof(unzstd_state))) == NULL))
    status = PLY11_ERROR_MEMORY;
  if (status != PLY11_OK) {
    if (fault != NULL) *fault = a->fault;
    ply11_archive_close(a);
    return status;
  }
  for (i = 0; i < 4; i++) a->parts[i].size = 0;
  *archive = a;
  return PLY11_OK;
}

void ply11_archive_close(ply11_archive *archive) {
  if (archive == NULL) return;
  release_all(archive, &archive->chunks);
  archive->memory.release(archive->memory.user, archive);
}

const ply11_fault *ply11_archive_fault(const ply11_archive *archive) { return &archive->fault; }
void ply11_archive_use(ply11_archive *archive, const ply11_model *model) { archive->model = model; }
uint64_t ply11_archive_games(const ply11_archive *archive) { return archive->games; }
uint64_t ply11_archive_plies(const ply11_archive *archive) { return archive->plies; }
uint32_t ply11_archive_blocks(const ply11_archive *archive) { return archive->blocks; }
uint64_t ply11_archive_unfinished(const ply11_archive *archive) { return archive->unfinished; }

/* search_size verifies the columns of the search part before a part of the index, and returns its size; UINT64_MAX if they are wrong. */
static uint64_t search_size(const uint8_t *b) {
  const uint8_t *c = b + 12 + ENTRY * (size_t)b[9];
  uint64_t sum = b[10] > 0 ? 12 : 0;
  uint32_t n = b[10], blocks = b[9], kind, last = 0, size, last_size = 0;
  for (; n-- > 0; c += SEARCH_ENTRY, last = kind, last_size = size) {
    kind = c[0];
    size = (get32(c) >> 8) + 1;
    if (kind <= last || (kind == 1 && size != 8 * blocks)) return UINT64_MAX;
    if (kind >= 64 && kind < 128 && (8 * (uint64_t)size < blocks || (kind > 64 && (kind != last + 1 || size != last_size)))) return UINT64_MAX;
    sum += size;
  }
  return sum;
}

/* read_part reads the part of an entry, and verifies it. */
static ply11_status read_part(ply11_archive *a, const entry *e, unsigned level, part *p) {
  uint64_t games = 0, blocks = 0, search;
  ply11_status status;
  if (e->size < 16 + ENTRY) return corrupt(a, "a part of the index is not of its size", e->offset);
  if (p->size == e->size && p->offset == e->offset) return PLY11_OK; /* it was read before: size is 0 if none was */
  p->size = 0;
  if ((status = read_at(a, e->offset, p->bytes, e->size)) != PLY11_OK) return status;
  if (!digest_is(a->has, p->bytes, e->size, e->digest)) return corrupt(a, "a part of the index has another digest", e->offset);
  if (get32(p->bytes) != 0x49313150u || get32(p->bytes + 4) != e->size || e->size != 16 + ENTRY * (size_t)p->bytes[9] + SEARCH_ENTRY * (size_t)p->bytes[10])
    return corrupt(a, "a part of the index is not of its size", e->offset);
  if (!sealed(p->bytes, e->size)) return corrupt(a, "a part of the index has another checksum", e->offset);
  if (p->bytes[11] != 0 || p->bytes[8] > 3) return wrong(a, PLY11_ERROR_LATER, "a part of the index of a later version", e->offset);
  if (p->bytes[8] != level) return corrupt(a, "a part of the index is of another level", e->offset);
  search = search_size(p->bytes);
  if (search > e->offset || (level > 0 && search > 0)) return corrupt(a, "the columns of a search part are wrong", e->offset);
  if ((status = check_entries(a, p->bytes + 12, p->bytes[9], level, e->offset - search, &games, &blocks)) != PLY11_OK) return status;
  if (games != e->games || blocks != e->blocks) return corrupt(a, "the sums of a part of the index are other ones", e->offset);
  p->offset = e->offset;
  p->size = e->size;
  return PLY11_OK;
}

/* pick goes to the entry with a game, or with a block, among n entries. games and blocks are added up before it. It returns 0 if it is none of them. */
static int pick(const uint8_t *list, unsigned n, unsigned level, int by_game, uint64_t key, entry *e, uint64_t *games, uint64_t *blocks) {
  for (; n > 0; n--, list += ENTRY) {
    get_entry(e, list, level);
    if (key < (by_game ? *games + e->games : *blocks + e->blocks)) return 1;
    *games += e->games;
    *blocks += e->blocks;
  }
  return 0;
}

/* find finds the entry of the block of a game, from 0, or that of a block by its number. first and number get the games and blocks before it. */
static ply11_status find(ply11_archive *a, int by_game, uint64_t key, entry *e, uint64_t *first, uint32_t *number) {
  const uint8_t *list = a->footer + 56;
  uint64_t blocks = 0;
  unsigned level = 4;
  int found = 0;
  ply11_status status;
  *first = 0;
  while (!found && level > 0) { /* the footer has the entries of parts by their levels, the highest first */
    level--;
    found = pick(list, a->entries[level], level + 1, by_game, key, e, first, &blocks);
    list += ENTRY * a->entries[level];
  }
  while (found) {
    part *p = &a->parts[level];
    if ((status = read_part(a, e, level, p)) != PLY11_OK) return status;
    found = pick(p->bytes + 12, p->bytes[9], level, by_game, key, e, first, &blocks);
    if (level-- == 0) break;
  }
  *number = (uint32_t)blocks;
  return found ? PLY11_OK : corrupt(a, "the index is not that of the footer's numbers", a->footer_at);
}

ply11_status ply11_archive_find(ply11_archive *archive, uint64_t game, uint32_t *number) {
  entry e;
  uint64_t first;
  if (game == 0 || game > archive->games) return wrong(archive, PLY11_ERROR_ARGUMENT, "there is no game of this number", 0);
  return find(archive, 1, game - 1, &e, &first, number);
}

/* wrong_in notes an error in a column of a block. */
static ply11_status wrong_in(block *b, ply11_status status, unsigned kind, const char *what) {
  wrong(b->archive, status, what, b->offset);
  b->archive->fault.block = b->is.number + 1;
  b->archive->fault.column = kind;
  return status;
}

static ply11_status bad(block *b, unsigned kind, const char *what) { return wrong_in(b, PLY11_ERROR_CORRUPT, kind, what); }

static ply11_status bad_game(block *b, unsigned kind, uint32_t game, const char *what) {
  bad(b, kind, what);
  b->archive->fault.game = b->is.first + game;
  return PLY11_ERROR_CORRUPT;
}

static void *grab_for(block *b, size_t n, size_t size) { return grab(b->archive, &b->chunks, n, size); }

/* place returns where a column stands among those of a block. */
static unsigned place(unsigned kind) {
  static const uint8_t places[13] = {0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 6, 4, 2};
  return kind < 13 ? places[kind] : kind;
}

/* check_header verifies the header of a block, of which so many bytes are there, and takes the numbers from it. */
static ply11_status check_header(block *b, const entry *e, const uint8_t *h, size_t there) {
  size_t size = get16(h + 4);
  b->columns = h[6];
  if (get32(h) != 0x42313150u || b->columns > MAX_COLUMNS || size != 64 + 24 * (size_t)b->columns || size > there) return bad(b, 0, "the header of a block is wrong");
  if (!digest_is(b->archive->has, h, size, e->digest) || !sealed(h, size)) return bad(b, 0, "the header of a block has another checksum");
  if (h[7] != 1 || get64(h + 8) != 0 || get32(h + 56) >> 22 != 0 || (get16(h + 56) >> 6 & 7) > 4 || (h[57] >> 3 & 3) == 3) return wrong_in(b, PLY11_ERROR_LATER, 0, "a block of a later version");
  b->is.games = get32(h + 20);
  b->words = get32(h + 24);
  b->is.plies = get32(h + 28);
  b->exceptions = get32(h + 36);
  if (get32(h + 16) != b->is.number || b->is.games != e->games || get32(h + 32) != e->size - size)
    return bad(b, 0, "it is another block");
  if (b->is.games > 65535 || b->words > MAX_BLOCK_WORDS || b->is.plies > b->words || b->exceptions > b->is.games || (b->is.games == 0 && b->words != 0))
    return bad(b, 0, "the numbers of a block are impossible");
  return get64(h + 40) <= MAX_BLOCK ? PLY11_OK : bad(b, 0, "more than 2^25 bytes of text");
}

/* read_block reads a block, and finds its columns. */
static ply11_status read_block(block *b, const entry *e) {
  ply11_archive *a = b->archive;
  uint8_t *h = (uint8_t *)grab_for(b, e->size, 1);
  size_t size, front;
  unsigned i, k, last = 0;
  uint64_t sum = 0, raw = 0;
  ply11_status status;
  if (h == NULL) return PLY11_ERROR_MEMORY;
  if ((status = read_at(a, e->offset, h, e->size)) != PLY11_OK || (status = check_header(b, e, h, e->size)) != PLY11_OK) return status;
  b->bytes = h;
  size = front = get16(h + 4);
  for (i = 0; i < b->columns; i++) {
    const uint8_t *d = h + 60 + 24 * i;
    column *c = &b->list[i];
    c->kind = d[0];
    c->stored = get24(d + 1) + 1;
    c->codec = d[4];
    c->raw = get24(d + 5) + 1;
    c->digest = d + 8;
    if (c->kind <= last) return bad(b, c->kind, "the columns are out of order");
    last = c->kind;
    if ((c->kind > 12 && c->kind < 128) || c->codec > 2) return wrong_in(b, PLY11_ERROR_LATER, c->kind, "a column of a later version");
    if (b->is.games == 0 && c->kind < 128 && c->kind != 10) return bad(b, c->kind, "a column of no games");
    if (c->codec == 0 ? c->raw != c->stored : c->kind == 1 || c->kind == 2 || c->kind == 11 || (c->codec == 2 && (c->kind < 7 || c->kind > 9)))
      return bad(b, c->kind, "a column has an impossible codec or size");
    if (c->kind == 11 && b->is.plies > 8 * (uint64_t)c->stored + 1024) return bad(b, 0, "more than 8 plies for each byte of dense moves, and 1,024");
    sum += c->stored;
    raw += c->raw;
    if (c->kind == 1 || c->kind == 12) front += c->stored;
  }
  if (sum != e->size - size) return bad(b, 0, "the columns are not as long as the block");
  if (raw > MAX_BLOCK) return bad(b, 0, "more than 2^25 bytes of columns");
  for (i = 0; i < b->columns; i++) {
    size_t at = size;
    for (k = 0; k < b->columns; k++)
      if (place(b->list[k].kind) < place(b->list[i].kind)) at += b->list[k].stored;
    b->list[i].bytes = h + at;
  }
  return front == e->front ? PLY11_OK : bad(b, 0, "the front of a block is of another size");
}

/* find_column returns a column, NULL if the block does not have it. */
static const column *find_column(const block *b, unsigned kind) {
  unsigned i;
  for (i = 0; i < b->columns; i++)
    if (b->list[i].kind == kind) return &b->list[i];
  return NULL;
}

/* sound_column tells whether a column has its digest. */
static int sound_column(block *b, const column *c) {
  return digest_is(b->archive->has, c->bytes, c->stored, c->digest) || bad(b, c->kind, "a column has another digest") == PLY11_OK;
}

/* get_column gets the raw bytes of a column, those of modelled numbers as they are stored; size is 0 if it is not there. fresh asks for a copy that may be changed. */
static ply11_status get_column(block *b, unsigned kind, int fresh, uint8_t **bytes, size_t *size) {
  const column *c = find_column(b, kind);
  *bytes = NULL;
  *size = 0;
  if (c == NULL) return PLY11_OK;
  /* Each sixteen games of fixed moves have a CRC in column 1, so that the digest would tell the same again. */
  if (kind != 2 && !sound_column(b, c)) return PLY11_ERROR_CORRUPT;
  *size = c->codec == 2 ? c->stored : c->raw;
  if (c->codec != 1 && !fresh) {
    *bytes = (uint8_t *)b->bytes + (c->bytes - b->bytes);
    return PLY11_OK;
  }
  if ((*bytes = (uint8_t *)grab_for(b, c->raw, 1)) == NULL) return PLY11_ERROR_MEMORY;
  if (c->codec == 0) copy(*bytes, c->bytes, c->raw);
  else if (!unzstd(b->archive->zstd, c->bytes, c->stored, *bytes, c->raw)) return bad(b, kind, "a column is not one sound frame of zstd");
  return PLY11_OK;
}

/* begin_starts takes memory for n start positions. */
static int begin_starts(block *b, uint32_t n) {
  uint32_t i;
  if (n == 0) return 1;
  b->start_words = (uint16_t *)grab_for(b, n, 2 * PLY11_START_WORDS);
  b->start_of = (uint32_t *)grab_for(b, b->is.games, 4);
  if (b->start_words == NULL || b->start_of == NULL) return 0;
  for (i = 0; i < b->is.games; i++) b->start_of[i] = 0;
  return 1;
}

/* add_start notes the start position of a game, in words from the code on. */
static void add_start(block *b, uint32_t game, uint32_t n, const uint16_t *words, unsigned count) {
  unsigned i;
  b->start_of[game] = n + 1;
  for (i = 0; i < count; i++) b->start_words[PLY11_START_WORDS * (size_t)n + i] = words[i];
}

/* game_start returns the start of a game, as it is told. */
static ply11_status game_start(const block *b, uint32_t i, ply11_position *p) {
  ply11_start(p);
  if (b->start_of == NULL || b->start_of[i] == 0) return PLY11_OK;
  return ply11_from_start_words(p, b->start_words + PLY11_START_WORDS * (size_t)(b->start_of[i] - 1), PLY11_START_WORDS, NULL);
}

/* read_fixed reads columns 1 and 2. */
static ply11_status read_fixed(block *b, uint32_t *offsets, uint16_t *moves, uint16_t *results, uint8_t *flags) {
  uint8_t *index, *words;
  size_t index_size, words_size, body, groups = (b->is.games + 15u) / 16u, at = 16, used;
  uint32_t i, total = 0, plies = 0, starts = 0;
  unsigned anchor, width, pass;
  ply11_status status;
  if ((status = get_column(b, 1, 0, &index, &index_size)) != PLY11_OK || (status = get_column(b, 2, 0, &words, &words_size)) != PLY11_OK) return status;
  if (index_size < 2 + 4 * groups) return bad(b, 1, "the index is too short");
  anchor = index[0];
  width = index[1];
  body = index_size - 4 * groups;
  used = 16 + groups * anchor + (size_t)b->is.games * width;
  if (anchor > 32 || width > 32 || body != (used + 7) / 8 || (used % 8 != 0 && index[body - 1] >> used % 8 != 0)) return bad(b, 1, "the index is not that of the games");
  if (words_size != ply11_packed_size(b->words) || (b->words % 8 != 0 && 0xffu >> (11 * (b->words % 8) % 8) != (unsigned)words[words_size - 1] >> (11 * (b->words % 8) % 8)))
    return bad(b, 2, "the moves are not those of the header");
  for (pass = 0; pass < 2; pass++) { /* first the starts are counted */
    at = 16;
    total = 0;
    if (pass == 1) {
      if (!begin_starts(b, starts)) return PLY11_ERROR_MEMORY;
      starts = 0;
    }
    for (i = 0; i < b->is.games; i++) {
      uint32_t length, head, k, n;
      unsigned w, other = 0;
      if (i % 16 == 0) {
        if (bits_at(index, body, at, anchor) != total) return bad_game(b, 1, i, "the index has a gap");
        at += anchor;
      }
      length = (uint32_t)bits_at(index, body, at, width);
      at += width;
      if (length == 0 || length > b->words - total) return bad_game(b, 1, i, "the index is not that of the moves");
      w = word_at(words, total);
      head = w == PLY11_START ? 27 : w == PLY11_START_960 ? 29 : 0;
      if (length < head + 1) return bad_game(b, 2, i, "a game ends too early");
      if (pass == 0) {
        starts += head > 0;
        total += length;
        continue;
      }
      if (head > 0) {
        uint16_t list[PLY11_START_WORDS];
        ply11_unpack(words, words_size, total, list, head);
        add_start(b, i, starts++, list, head);
        flags[i] = PLY11_GAME_START;
      }
      offsets[i] = plies;
      n = length - head - 1;
      if (n > b->is.plies - plies) return bad_game(b, 2, i, "the plies are not those of the header");
      ply11_unpack(words, words_size, total + head, moves + plies, n);
      for (k = 0; k < n; k++) other |= (moves[plies + k] >= PLY11_MOVES) & (moves[plies + k] != PLY11_NULL);
      if (other) return bad_game(b, 2, i, "a main line has a word that is no move");
      plies += n;
      w = word_at(words, total + length - 1);
      if (w < PLY11_BLACK_WINS || w > PLY11_UNKNOWN) return bad_game(b, 2, i, "a game ends without a result");
      results[i] = (uint16_t)w;
      total += length;
    }
    if (total != b->words) return bad(b, 1, "the index is not that of the moves");
  }
  offsets[b->is.games] = plies;
  if (plies != b->is.plies) return bad(b, 2, "the plies are not those of the header");
  at = 16;
  total = 0;
  for (i = 0; i < groups; i++) { /* checksums of sixteen games */
    uint32_t k, end = total;
    size_t first = total / 8 * 11 + total % 8 * 11 / 8;
    at += anchor;
    for (k = 16 * i; k < 16 * i + 16 && k < b->is.games; k++) {
      end += (uint32_t)bits_at(index, body, at, width);
      at += width;
    }
    if (!SOUND(crc32c(b->archive->has, words + first, ply11_packed_size(end) - first) == get32(index + body + 4 * i))) return bad_game(b, 1, 16 * i, "sixteen games have another checksum");
    total = end;
  }
  return PLY11_OK;
}

/* read_exceptions reads column 10: which games are not valid. */
static ply11_status read_exceptions(block *b, uint8_t *flags) {
  uint8_t *x;
  size_t size, at = 0;
  uint32_t n = 0, count = 0, gap, steps_left, game = 0;
  uint64_t v;
  ply11_status status = get_column(b, 10, 0, &x, &size);
  if (status != PLY11_OK) return status;
  if (size > 0) {
    if (!varint32(x, size, &at, 1u << 24, &n) || n > size - at) return bad(b, 10, "the text before the first game is longer than its column");
    at += n;
    if (!varint32(x, size, &at, b->is.games, &count)) return bad(b, 10, "the number of exceptions is wrong");
  }
  if (count != b->exceptions) return bad(b, 10, "the exceptions are not those of the header");
  for (; count > 0; count--) {
    if (!varint32(x, size, &at, b->is.games, &gap) || gap >= b->is.games - game || at >= size || x[at] > 15 || (x[at] & 10u) == 8) return bad(b, 10, "an exception is wrong");
    game += gap;
    if (x[at] & 2u) flags[game] |= PLY11_GAME_INVALID;
    game++;
    if (!(x[at++] & 1u)) continue;
    if (!varint32(x, size, &at, 1u << 24, &steps_left)) return bad_game(b, 10, game - 1, "a patch is wrong");
    for (; steps_left > 0; steps_left--) {
      if (!varint32(x, size, &at, 1u << 24, &n) || n > size - at) return bad_game(b, 10, game - 1, "a patch is wrong");
      at += n;
      if (!varint(x, size, &at, &v) || !varint(x, size, &at, &v)) return bad_game(b, 10, game - 1, "a patch is wrong");
    }
  }
  return at == size ? PLY11_OK : bad(b, 10, "bytes are left over");
}

/* The texts of results, which tags may repeat. */
static const char *result_text(unsigned code) {
  static const char *const texts[4] = {"0-1", "1/2-1/2", "1-0", "*"};
  return texts[(code - PLY11_BLACK_WINS) & 3u];
}

#define VALUE_RESULT 0xffffff00u /* a value's place: the text of a result */

#define MAX_TAG_NAMES (1u << 18) /* of a block, and numbers in its shapes */

/* read_tags reads column 3. */
static ply11_status read_tags(block *b) {
  uint8_t *t;
  size_t size, at = 0, out;
  uint32_t names = 0, shapes = 0, i, k, n, total, left, *by_name, *order;
  uint64_t held = 0;
  ply11_status status = get_column(b, 3, 1, &t, &size);
  if (status != PLY11_OK) return status;
  b->tags = t;
  if ((b->first_tag = (uint32_t *)grab_for(b, (size_t)b->is.games + 1, 4)) == NULL) return PLY11_ERROR_MEMORY;
  for (i = 0; i <= b->is.games; i++) b->first_tag[i] = 0;
  if (size == 0) return PLY11_OK;
  if (!varint32(t, size, &at, (uint32_t)(size / 3 < MAX_TAG_NAMES ? size / 3 : MAX_TAG_NAMES), &names) || names == 0) return bad(b, 3, "the number of names is wrong"); /* NUL, number, value */
  if ((b->names = (uint32_t *)grab_for(b, (size_t)names + 1, 4)) == NULL) return PLY11_ERROR_MEMORY;
  for (i = 0; i < names; i++) {
    b->names[i] = (uint32_t)at;
    while (at < size && t[at] != 0) at++;
    if (at++ >= size) return bad(b, 3, "a name does not end");
  }
  b->names[names] = (uint32_t)at;
  if (!varint32(t, size, &at, b->is.games, &shapes)) return bad(b, 3, "the number of shapes is wrong");
  if ((b->shape_begins = (uint32_t *)grab_for(b, (size_t)shapes + 1, 4)) == NULL || (b->shape_names = (uint32_t *)grab_for(b, size - at < MAX_TAG_NAMES ? size - at + 1 : MAX_TAG_NAMES, 4)) == NULL)
    return PLY11_ERROR_MEMORY;
  for (total = 0, i = 0; i < shapes; i++) {
    b->shape_begins[i] = total;
    if (!varint32(t, size, &at, MAX_TAG_NAMES - total, &n) || n > size - at) return bad(b, 3, "a shape is wrong");
    for (; n > 0; n--)
      if (!varint32(t, size, &at, names - 1, &b->shape_names[total++])) return bad(b, 3, "a shape is wrong");
  }
  b->shape_begins[shapes] = total;
  if ((b->shape_of = (uint32_t *)grab_for(b, b->is.games, 4)) == NULL || (by_name = (uint32_t *)grab_for(b, (size_t)names + 1, 4)) == NULL) return PLY11_ERROR_MEMORY;
  for (i = 0; i <= names; i++) by_name[i] = 0;
  for (total = 0, i = 0; i < b->is.games; i++) {
    b->shape_of[i] = 0;
    if (shapes == 0 || (shapes > 1 && !varint32(t, size, &at, shapes - 1, &b->shape_of[i]))) return bad_game(b, 3, i, "the shape of a game is wrong");
    b->first_tag[i] = total;
    n = b->shape_begins[b->shape_of[i] + 1] - b->shape_begins[b->shape_of[i]];
    if (n > size - total) return bad(b, 3, "there are more tags than bytes"); /* a value has a byte at least */
    total += n;
  }
  b->first_tag[b->is.games] = total;
  if (total > size - at) return bad(b, 3, "there are more tags than bytes");
  /* The values are in the order of the names: order has the tags so. */
  if ((order = (uint32_t *)grab_for(b, total, 4)) == NULL || (b->values = (uint32_t *)grab_for(b, total, 8)) == NULL) return PLY11_ERROR_MEMORY;
  for (i = 0; i < b->is.games; i++)
    for (k = b->shape_begins[b->shape_of[i]]; k < b->shape_begins[b->shape_of[i] + 1]; k++) by_name[b->shape_names[k]]++;
  for (left = 0, i = 0; i <= names; i++) {
    n = by_name[i];
    if (n == 0 && i < names) return bad(b, 3, "no game has a tag of a name");
    by_name[i] = left;
    left += n;
  }
  for (i = 0; i < b->is.games; i++)
    for (k = b->shape_begins[b->shape_of[i]], n = b->first_tag[i]; k < b->shape_begins[b->shape_of[i] + 1]; k++, n++) order[by_name[b->shape_names[k]]++] = n;
  /* by_name has the ends of the names' lists now. For a tag's game its number is in values, until its value is there. */
  for (i = 0; i < b->is.games; i++)
    for (k = b->first_tag[i]; k < b->first_tag[i + 1]; k++) b->values[2 * (size_t)k] = i;
  for (out = at, n = 0, i = 0; i < names; i++) {
    uint32_t place_now = 0, size_now = 0;
    for (; n < by_name[i]; n++) {
      uint32_t *value = b->values + 2 * (size_t)order[n];
      if (at >= size) return bad_game(b, 3, value[0], "the tags end too early");
      if (t[at] == 1) {
        at++;
      } else if (t[at] == 2) {
        at++;
        place_now = VALUE_RESULT + b->is.results[value[0]] - PLY11_BLACK_WINS;
        size_now = 0;
      } else {
        place_now = (uint32_t)out;
        while (at < size && t[at] != 0) { /* a value without its marks is no longer than with them */
          if (t[at] == 3 && ++at >= size) break;
          t[out++] = t[at++];
        }
        if (at++ >= size) return bad_game(b, 3, value[0], "a value does not end");
        size_now = (uint32_t)out - place_now;
      }
      value[0] = place_now;
      value[1] = size_now;
      held += (uint64_t)size_now + (b->names[i + 1] - b->names[i] - 1);
    }
  }
  if (held > MAX_BLOCK) return bad(b, 3, "the tags have more than 2^25 bytes");
  return at == size ? PLY11_OK : bad(b, 3, "bytes are left over");
}

/* ---- Dense moves ---- */

#define MODEL_SIZE 2336483u /* of model 1, decompressed */
#define MODEL_TABLES 663584u
#define NEURONS 96u
#define INPUTS 7685u
#define OUTPUTS 5120u
#define MAX_BOOK 32768u
#define MAX_CHOICES 512u /* a side has sixteen pieces at most */

struct ply11_model {
  ply11_memory memory;
  uint32_t positions;
  uint32_t *offsets; /* of the positions in the book */
  uint8_t bytes[MODEL_SIZE];
};

/* The keys of Polyglot's hash: docs/vectors/polyglot-keys.json. */
static const uint64_t polyglot_keys[781] = {
    0x9d39247e33776d41u, 0x2af7398005aaa5c7u, 0x44db015024623547u, 0x9c15f73e62a76ae2u, 0x75834465489c0c89u, 0x3290ac3a203001bfu, 0x0fbbad1f61042279u, 0xe83a908ff2fb60cau,
    0x0d7e765d58755c10u, 0x1a083822ceafe02du, 0x9605d5f0e25ec3b0u, 0xd021ff5cd13a2ed5u, 0x40bdf15d4a672e32u, 0x011355146fd56395u, 0x5db4832046f3d9e5u, 0x239f8b2d7ff719ccu,
    0x05d1a1ae85b49aa1u, 0x679f848f6e8fc971u, 0x7449bbff801fed0bu, 0x7d11cdb1c3b7adf0u, 0x82c7709e781eb7ccu, 0xf3218f1c9510786cu, 0x331478f3af51bbe6u, 0x4bb38de5e7219443u,
    0xaa649c6ebcfd50fcu, 0x8dbd98a352afd40bu, 0x87d2074b81d79217u, 0x19f3c751d3e92ae1u, 0xb4ab30f062b19abfu, 0x7b0500ac42047ac4u, 0xc9452ca81a09d85du, 0x24aa6c514da27500u,
    0x4c9f34427501b447u, 0x14a68fd73c910841u, 0xa71b9b83461cbd93u, 0x03488b95b0f1850fu, 0x637b2b34ff93c040u, 0x09d1bc9a3dd90a94u, 0x3575668334a1dd3bu, 0x735e2b97a4c45a23u,
    0x18727070f1bd400bu, 0x1fcbacd259bf02e7u, 0xd310a7c2ce9b6555u, 0xbf983fe0fe5d8244u, 0x9f74d14f7454a824u, 0x51ebdc4ab9ba3035u, 0x5c82c505db9ab0fau, 0xfcf7fe8a3430b241u,
    0x3253a729b9ba3ddeu, 0x8c74c368081b3075u, 0xb9bc6c87167c33e7u, 0x7ef48f2b83024e20u, 0x11d505d4c351bd7fu, 0x6568fca92c76a243u, 0x4de0b0f40f32a7b8u, 0x96d693460cc37e5du,
    0x42e240cb63689f2fu, 0x6d2bdcdae2919661u, 0x42880b0236e4d951u, 0x5f0f4a5898171bb6u, 0x39f890f579f92f88u, 0x93c5b5f47356388bu, 0x63dc359d8d231b78u, 0xec16ca8aea98ad76u,
    0x5355f900c2a82dc7u, 0x07fb9f855a997142u, 0x5093417aa8a7ed5eu, 0x7bcbc38da25a7f3cu, 0x19fc8a768cf4b6d4u, 0x637a7780decfc0d9u, 0x8249a47aee0e41f7u, 0x79ad695501e7d1e8u,
    0x14acbaf4777d5776u, 0xf145b6beccdea195u, 0xdabf2ac8201752fcu, 0x24c3c94df9c8d3f6u, 0xbb6e2924f03912eau, 0x0ce26c0b95c980d9u, 0xa49cd132bfbf7cc4u, 0xe99d662af4243939u,
    0x27e6ad7891165c3fu, 0x8535f040b9744ff1u, 0x54b3f4fa5f40d873u, 0x72b12c32127fed2bu, 0xee954d3c7b411f47u, 0x9a85ac909a24eaa1u, 0x70ac4cd9f04f21f5u, 0xf9b89d3e99a075c2u,
    0x87b3e2b2b5c907b1u, 0xa366e5b8c54f48b8u, 0xae4a9346cc3f7cf2u, 0x1920c04d47267bbdu, 0x87bf02c6b49e2ae9u, 0x092237ac237f3859u, 0xff07f64ef8ed14d0u, 0x8de8dca9f03cc54eu,
    0x9c1633264db49c89u, 0xb3f22c3d0b0b38edu, 0x390e5fb44d01144bu, 0x5bfea5b4712768e9u, 0x1e1032911fa78984u, 0x9a74acb964e78cb3u, 0x4f80f7a035dafb04u, 0x6304d09a0b3738c4u,
    0x2171e64683023a08u, 0x5b9b63eb9ceff80cu, 0x506aacf489889342u, 0x1881afc9a3a701d6u, 0x6503080440750644u, 0xdfd395339cdbf4a7u, 0xef927dbcf00c20f2u, 0x7b32f7d1e03680ecu,
    0xb9fd7620e7316243u, 0x05a7e8a57db91b77u, 0xb5889c6e15630a75u, 0x4a750a09ce9573f7u, 0xcf464cec899a2f8au, 0xf538639ce705b824u, 0x3c79a0ff5580ef7fu, 0xede6c87f8477609du,
    0x799e81f05bc93f31u, 0x86536b8cf3428a8cu, 0x97d7374c60087b73u, 0xa246637cff328532u, 0x043fcae60cc0eba0u, 0x920e449535dd359eu, 0x70eb093b15b290ccu, 0x73a1921916591cbdu,
    0x56436c9fe1a1aa8du, 0xefac4b70633b8f81u, 0xbb215798d45df7afu, 0x45f20042f24f1768u, 0x930f80f4e8eb7462u, 0xff6712ffcfd75ea1u, 0xae623fd67468aa70u, 0xdd2c5bc84bc8d8fcu,
    0x7eed120d54cf2dd9u, 0x22fe545401165f1cu, 0xc91800e98fb99929u, 0x808bd68e6ac10365u, 0xdec468145b7605f6u, 0x1bede3a3aef53302u, 0x43539603d6c55602u, 0xaa969b5c691ccb7au,
    0xa87832d392efee56u, 0x65942c7b3c7e11aeu, 0xded2d633cad004f6u, 0x21f08570f420e565u, 0xb415938d7da94e3cu, 0x91b859e59ecb6350u, 0x10cff333e0ed804au, 0x28aed140be0bb7ddu,
    0xc5cc1d89724fa456u, 0x5648f680f11a2741u, 0x2d255069f0b7dab3u, 0x9bc5a38ef729abd4u, 0xef2f054308f6a2bcu, 0xaf2042f5cc5c2858u, 0x480412bab7f5be2au, 0xaef3af4a563dfe43u,
    0x19afe59ae451497fu, 0x52593803dff1e840u, 0xf4f076e65f2ce6f0u, 0x11379625747d5af3u, 0xbce5d2248682c115u, 0x9da4243de836994fu, 0x066f70b33fe09017u, 0x4dc4de189b671a1cu,
    0x51039ab7712457c3u, 0xc07a3f80c31fb4b4u, 0xb46ee9c5e64a6e7cu, 0xb3819a42abe61c87u, 0x21a007933a522a20u, 0x2df16f761598aa4fu, 0x763c4a1371b368fdu, 0xf793c46702e086a0u,
    0xd7288e012aeb8d31u, 0xde336a2a4bc1c44bu, 0x0bf692b38d079f23u, 0x2c604a7a177326b3u, 0x4850e73e03eb6064u, 0xcfc447f1e53c8e1bu, 0xb05ca3f564268d99u, 0x9ae182c8bc9474e8u,
    0xa4fc4bd4fc5558cau, 0xe755178d58fc4e76u, 0x69b97db1a4c03dfeu, 0xf9b5b7c4acc67c96u, 0xfc6a82d64b8655fbu, 0x9c684cb6c4d24417u, 0x8ec97d2917456ed0u, 0x6703df9d2924e97eu,
    0xc547f57e42a7444eu, 0x78e37644e7cad29eu, 0xfe9a44e9362f05fau, 0x08bd35cc38336615u, 0x9315e5eb3a129aceu, 0x94061b871e04df75u, 0xdf1d9f9d784ba010u, 0x3bba57b68871b59du,
    0xd2b7adeeded1f73fu, 0xf7a255d83bc373f8u, 0xd7f4f2448c0ceb81u, 0xd95be88cd210ffa7u, 0x336f52f8ff4728e7u, 0xa74049dac312ac71u, 0xa2f61bb6e437fdb5u, 0x4f2a5cb07f6a35b3u,
    0x87d380bda5bf7859u, 0x16b9f7e06c453a21u, 0x7ba2484c8a0fd54eu, 0xf3a678cad9a2e38cu, 0x39b0bf7dde437ba2u, 0xfcaf55c1bf8a4424u, 0x18fcf680573fa594u, 0x4c0563b89f495ac3u,
    0x40e087931a00930du, 0x8cffa9412eb642c1u, 0x68ca39053261169fu, 0x7a1ee967d27579e2u, 0x9d1d60e5076f5b6fu, 0x3810e399b6f65ba2u, 0x32095b6d4ab5f9b1u, 0x35cab62109dd038au,
    0xa90b24499fcfafb1u, 0x77a225a07cc2c6bdu, 0x513e5e634c70e331u, 0x4361c0ca3f692f12u, 0xd941aca44b20a45bu, 0x528f7c8602c5807bu, 0x52ab92beb9613989u, 0x9d1dfa2efc557f73u,
    0x722ff175f572c348u, 0x1d1260a51107fe97u, 0x7a249a57ec0c9ba2u, 0x04208fe9e8f7f2d6u, 0x5a110c6058b920a0u, 0x0cd9a497658a5698u, 0x56fd23c8f9715a4cu, 0x284c847b9d887aaeu,
    0x04feabfbbdb619cbu, 0x742e1e651c60ba83u, 0x9a9632e65904ad3cu, 0x881b82a13b51b9e2u, 0x506e6744cd974924u, 0xb0183db56ffc6a79u, 0x0ed9b915c66ed37eu, 0x5e11e86d5873d484u,
    0xf678647e3519ac6eu, 0x1b85d488d0f20cc5u, 0xdab9fe6525d89021u, 0x0d151d86adb73615u, 0xa865a54edcc0f019u, 0x93c42566aef98ffbu, 0x99e7afeabe000731u, 0x48cbff086ddf285au,
    0x7f9b6af1ebf78bafu, 0x58627e1a149bba21u, 0x2cd16e2abd791e33u, 0xd363eff5f0977996u, 0x0ce2a38c344a6eedu, 0x1a804aadb9cfa741u, 0x907f30421d78c5deu, 0x501f65edb3034d07u,
    0x37624ae5a48fa6e9u, 0x957baf61700cff4eu, 0x3a6c27934e31188au, 0xd49503536abca345u, 0x088e049589c432e0u, 0xf943aee7febf21b8u, 0x6c3b8e3e336139d3u, 0x364f6ffa464ee52eu,
    0xd60f6dcedc314222u, 0x56963b0dca418fc0u, 0x16f50edf91e513afu, 0xef1955914b609f93u, 0x565601c0364e3228u, 0xecb53939887e8175u, 0xbac7a9a18531294bu, 0xb344c470397bba52u,
    0x65d34954daf3cebdu, 0xb4b81b3fa97511e2u, 0xb422061193d6f6a7u, 0x071582401c38434du, 0x7a13f18bbedc4ff5u, 0xbc4097b116c524d2u, 0x59b97885e2f2ea28u, 0x99170a5dc3115544u,
    0x6f423357e7c6a9f9u, 0x325928ee6e6f8794u, 0xd0e4366228b03343u, 0x565c31f7de89ea27u, 0x30f5611484119414u, 0xd873db391292ed4fu, 0x7bd94e1d8e17debcu, 0xc7d9f16864a76e94u,
    0x947ae053ee56e63cu, 0xc8c93882f9475f5fu, 0x3a9bf55ba91f81cau, 0xd9a11fbb3d9808e4u, 0x0fd22063edc29fcau, 0xb3f256d8aca0b0b9u, 0xb03031a8b4516e84u, 0x35dd37d5871448afu,
    0xe9f6082b05542e4eu, 0xebfafa33d7254b59u, 0x9255abb50d532280u, 0xb9ab4ce57f2d34f3u, 0x693501d628297551u, 0xc62c58f97dd949bfu, 0xcd454f8f19c5126au, 0xbbe83f4ecc2bdecbu,
    0xdc842b7e2819e230u, 0xba89142e007503b8u, 0xa3bc941d0a5061cbu, 0xe9f6760e32cd8021u, 0x09c7e552bc76492fu, 0x852f54934da55cc9u, 0x8107fccf064fcf56u, 0x098954d51fff6580u,
    0x23b70edb1955c4bfu, 0xc330de426430f69du, 0x4715ed43e8a45c0au, 0xa8d7e4dab780a08du, 0x0572b974f03ce0bbu, 0xb57d2e985e1419c7u, 0xe8d9ecbe2cf3d73fu, 0x2fe4b17170e59750u,
    0x11317ba87905e790u, 0x7fbf21ec8a1f45ecu, 0x1725cabfcb045b00u, 0x964e915cd5e2b207u, 0x3e2b8bcbf016d66du, 0xbe7444e39328a0acu, 0xf85b2b4fbcde44b7u, 0x49353fea39ba63b1u,
    0x1dd01aafcd53486au, 0x1fca8a92fd719f85u, 0xfc7c95d827357afau, 0x18a6a990c8b35ebdu, 0xcccb7005c6b9c28du, 0x3bdbb92c43b17f26u, 0xaa70b5b4f89695a2u, 0xe94c39a54a98307fu,
    0xb7a0b174cff6f36eu, 0xd4dba84729af48adu, 0x2e18bc1ad9704a68u, 0x2de0966daf2f8b1cu, 0xb9c11d5b1e43a07eu, 0x64972d68dee33360u, 0x94628d38d0c20584u, 0xdbc0d2b6ab90a559u,
    0xd2733c4335c6a72fu, 0x7e75d99d94a70f4du, 0x6ced1983376fa72bu, 0x97fcaacbf030bc24u, 0x7b77497b32503b12u, 0x8547eddfb81ccb94u, 0x79999cdff70902cbu, 0xcffe1939438e9b24u,
    0x829626e3892d95d7u, 0x92fae24291f2b3f1u, 0x63e22c147b9c3403u, 0xc678b6d860284a1cu, 0x5873888850659ae7u, 0x0981dcd296a8736du, 0x9f65789a6509a440u, 0x9ff38fed72e9052fu,
    0xe479ee5b9930578cu, 0xe7f28ecd2d49eecdu, 0x56c074a581ea17feu, 0x5544f7d774b14aefu, 0x7b3f0195fc6f290fu, 0x12153635b2c0cf57u, 0x7f5126dbba5e0ca7u, 0x7a76956c3eafb413u,
    0x3d5774a11d31ab39u, 0x8a1b083821f40cb4u, 0x7b4a38e32537df62u, 0x950113646d1d6e03u, 0x4da8979a0041e8a9u, 0x3bc36e078f7515d7u, 0x5d0a12f27ad310d1u, 0x7f9d1a2e1ebe1327u,
    0xda3a361b1c5157b1u, 0xdcdd7d20903d0c25u, 0x36833336d068f707u, 0xce68341f79893389u, 0xab9090168dd05f34u, 0x43954b3252dc25e5u, 0xb438c2b67f98e5e9u, 0x10dcd78e3851a492u,
    0xdbc27ab5447822bfu, 0x9b3cdb65f82ca382u, 0xb67b7896167b4c84u, 0xbfced1b0048eac50u, 0xa9119b60369ffebdu, 0x1fff7ac80904bf45u, 0xac12fb171817eee7u, 0xaf08da9177dda93du,
    0x1b0cab936e65c744u, 0xb559eb1d04e5e932u, 0xc37b45b3f8d6f2bau, 0xc3a9dc228caac9e9u, 0xf3b8b6675a6507ffu, 0x9fc477de4ed681dau, 0x67378d8eccef96cbu, 0x6dd856d94d259236u,
    0xa319ce15b0b4db31u, 0x073973751f12dd5eu, 0x8a8e849eb32781a5u, 0xe1925c71285279f5u, 0x74c04bf1790c0efeu, 0x4dda48153c94938au, 0x9d266d6a1cc0542cu, 0x7440fb816508c4feu,
    0x13328503df48229fu, 0xd6bf7baee43cac40u, 0x4838d65f6ef6748fu, 0x1e152328f3318deau, 0x8f8419a348f296bfu, 0x72c8834a5957b511u, 0xd7a023a73260b45cu, 0x94ebc8abcfb56daeu,
    0x9fc10d0f989993e0u, 0xde68a2355b93cae6u, 0xa44cfe79ae538bbeu, 0x9d1d84fcce371425u, 0x51d2b1ab2ddfb636u, 0x2fd7e4b9e72cd38cu, 0x65ca5b96b7552210u, 0xdd69a0d8ab3b546du,
    0x604d51b25fbf70e2u, 0x73aa8a564fb7ac9eu, 0x1a8c1e992b941148u, 0xaac40a2703d9bea0u, 0x764dbeae7fa4f3a6u, 0x1e99b96e70a9be8bu, 0x2c5e9deb57ef4743u, 0x3a938fee32d29981u,
    0x26e6db8ffdf5adfeu, 0x469356c504ec9f9du, 0xc8763c5b08d1908cu, 0x3f6c6af859d80055u, 0x7f7cc39420a3a545u, 0x9bfb227ebdf4c5ceu, 0x89039d79d6fc5c5cu, 0x8fe88b57305e2ab6u,
    0xa09e8c8c35ab96deu, 0xfa7e393983325753u, 0xd6b6d0ecc617c699u, 0xdfea21ea9e7557e3u, 0xb67c1fa481680af8u, 0xca1e3785a9e724e5u, 0x1cfc8bed0d681639u, 0xd18d8549d140caeau,
    0x4ed0fe7e9dc91335u, 0xe4dbf0634473f5d2u, 0x1761f93a44d5aefeu, 0x53898e4c3910da55u, 0x734de8181f6ec39au, 0x2680b122baa28d97u, 0x298af231c85bafabu, 0x7983eed3740847d5u,
    0x66c1a2a1a60cd889u, 0x9e17e49642a3e4c1u, 0xedb454e7badc0805u, 0x50b704cab602c329u, 0x4cc317fb9cddd023u, 0x66b4835d9eafea22u, 0x219b97e26ffc81bdu, 0x261e4e4c0a333a9du,
    0x1fe2cca76517db90u, 0xd7504dfa8816edbbu, 0xb9571fa04dc089c8u, 0x1ddc0325259b27deu, 0xcf3f4688801eb9aau, 0xf4f5d05c10cab243u, 0x38b6525c21a42b0eu, 0x36f60e2ba4fa6800u,
    0xeb3593803173e0ceu, 0x9c4cd6257c5a3603u, 0xaf0c317d32adaa8au, 0x258e5a80c7204c4bu, 0x8b889d624d44885du, 0xf4d14597e660f855u, 0xd4347f66ec8941c3u, 0xe699ed85b0dfb40du,
    0x2472f6207c2d0484u, 0xc2a1e7b5b459aeb5u, 0xab4f6451cc1d45ecu, 0x63767572ae3d6174u, 0xa59e0bd101731a28u, 0x116d0016cb948f09u, 0x2cf9c8ca052f6e9fu, 0x0b090a7560a968e3u,
    0xabeeddb2dde06ff1u, 0x58efc10b06a2068du, 0xc6e57a78fbd986e0u, 0x2eab8ca63ce802d7u, 0x14a195640116f336u, 0x7c0828dd624ec390u, 0xd74bbe77e6116ac7u, 0x804456af10f5fb53u,
    0xebe9ea2adf4321c7u, 0x03219a39ee587a30u, 0x49787fef17af9924u, 0xa1e9300cd8520548u, 0x5b45e522e4b1b4efu, 0xb49c3b3995091a36u, 0xd4490ad526f14431u, 0x12a8f216af9418c2u,
    0x001f837cc7350524u, 0x1877b51e57a764d5u, 0xa2853b80f17f58eeu, 0x993e1de72d36d310u, 0xb3598080ce64a656u, 0x252f59cf0d9f04bbu, 0xd23c8e176d113600u, 0x1bda0492e7e4586eu,
    0x21e0bd5026c619bfu, 0x3b097adaf088f94eu, 0x8d14dedb30be846eu, 0xf95cffa23af5f6f4u, 0x3871700761b3f743u, 0xca672b91e9e4fa16u, 0x64c8e531bff53b55u, 0x241260ed4ad1e87du,
    0x106c09b972d2e822u, 0x7fba195410e5ca30u, 0x7884d9bc6cb569d8u, 0x0647dfedcd894a29u, 0x63573ff03e224774u, 0x4fc8e9560f91b123u, 0x1db956e450275779u, 0xb8d91274b9e9d4fbu,
    0xa2ebee47e2fbfce1u, 0xd9f1f30ccd97fb09u, 0xefed53d75fd64e6bu, 0x2e6d02c36017f67fu, 0xa9aa4d20db084e9bu, 0xb64be8d8b25396c1u, 0x70cb6af7c2d5bcf0u, 0x98f076a4f7a2322eu,
    0xbf84470805e69b5fu, 0x94c3251f06f90cf3u, 0x3e003e616a6591e9u, 0xb925a6cd0421aff3u, 0x61bdd1307c66e300u, 0xbf8d5108e27e0d48u, 0x240ab57a8b888b20u, 0xfc87614baf287e07u,
    0xef02cdd06ffdb432u, 0xa1082c0466df6c0au, 0x8215e577001332c8u, 0xd39bb9c3a48db6cfu, 0x2738259634305c14u, 0x61cf4f94c97df93du, 0x1b6baca2ae4e125bu, 0x758f450c88572e0bu,
    0x959f587d507a8359u, 0xb063e962e045f54du, 0x60e8ed72c0dff5d1u, 0x7b64978555326f9fu, 0xfd080d236da814bau, 0x8c90fd9b083f4558u, 0x106f72fe81e2c590u, 0x7976033a39f7d952u,
    0xa4ec0132764ca04bu, 0x733ea705fae4fa77u, 0xb4d8f77bc3e56167u, 0x9e21f4f903b33fd9u, 0x9d765e419fb69f6du, 0xd30c088ba61ea5efu, 0x5d94337fbfaf7f5bu, 0x1a4e4822eb4d7a59u,
    0x6ffe73e81b637fb3u, 0xddf957bc36d8b9cau, 0x64d0e29eea8838b3u, 0x08dd9bdfd96b9f63u, 0x087e79e5a57d1d13u, 0xe328e230e3e2b3fbu, 0x1c2559e30f0946beu, 0x720bf5f26f4d2eaau,
    0xb0774d261cc609dbu, 0x443f64ec5a371195u, 0x4112cf68649a260eu, 0xd813f2fab7f5c5cau, 0x660d3257380841eeu, 0x59ac2c7873f910a3u, 0xe846963877671a17u, 0x93b633abfa3469f8u,
    0xc0c0f5a60ef4cdcfu, 0xcaf21ecd4377b28cu, 0x57277707199b8175u, 0x506c11b9d90e8b1du, 0xd83cc2687a19255fu, 0x4a29c6465a314cd1u, 0xed2df21216235097u, 0xb5635c95ff7296e2u,
    0x22af003ab672e811u, 0x52e762596bf68235u, 0x9aeba33ac6ecc6b0u, 0x944f6de09134dfb6u, 0x6c47bec883a7de39u, 0x6ad047c430a12104u, 0xa5b1cfdba0ab4067u, 0x7c45d833aff07862u,
    0x5092ef950a16da0bu, 0x9338e69c052b8e7bu, 0x455a4b4cfe30e3f5u, 0x6b02e63195ad0cf8u, 0x6b17b224bad6bf27u, 0xd1e0ccd25bb9c169u, 0xde0c89a556b9ae70u, 0x50065e535a213cf6u,
    0x9c1169fa2777b874u, 0x78edefd694af1eedu, 0x6dc93d9526a50e68u, 0xee97f453f06791edu, 0x32ab0edb696703d3u, 0x3a6853c7e70757a7u, 0x31865ced6120f37du, 0x67fef95d92607890u,
    0x1f2b1d1f15f6dc9cu, 0xb69e38a8965c6b65u, 0xaa9119ff184cccf4u, 0xf43c732873f24c13u, 0xfb4a3d794a9a80d2u, 0x3550c2321fd6109cu, 0x371f77e76bb8417eu, 0x6bfa9aae5ec05779u,
    0xcd04f3ff001a4778u, 0xe3273522064480cau, 0x9f91508bffcfc14au, 0x049a7f41061a9e60u, 0xfcb6be43a9f2fe9bu, 0x08de8a1c7797da9bu, 0x8f9887e6078735a1u, 0xb5b4071dbfc73a66u,
    0x230e343dfba08d33u, 0x43ed7f5a0fae657du, 0x3a88a0fbbcb05c63u, 0x21874b8b4d2dbc4fu, 0x1bdea12e35f6a8c9u, 0x53c065c6c8e63528u, 0xe34a1d250e7a8d6bu, 0xd6b04d3b7651dd7eu,
    0x5e90277e7cb39e2du, 0x2c046f22062dc67du, 0xb10bb459132d0a26u, 0x3fa9ddfb67e2f199u, 0x0e09b88e1914f7afu, 0x10e8b35af3eeab37u, 0x9eedeca8e272b933u, 0xd4c718bc4ae8ae5fu,
    0x81536d601170fc20u, 0x91b534f885818a06u, 0xec8177f83f900978u, 0x190e714fada5156eu, 0xb592bf39b0364963u, 0x89c350c893ae7dc1u, 0xac042e70f8b383f2u, 0xb49b52e587a1ee60u,
    0xfb152fe3ff26da89u, 0x3e666e6f69ae2c15u, 0x3b544ebe544c19f9u, 0xe805a1e290cf2456u, 0x24b33c9d7ed25117u, 0xe74733427b72f0c1u, 0x0a804d18b7097475u, 0x57e3306d881edb4fu,
    0x4ae7d6a36eb5dbcbu, 0x2d8d5432157064c8u, 0xd1e649de1e7f268bu, 0x8a328a1cedfe552cu, 0x07a3aec79624c7dau, 0x84547ddc3e203c94u, 0x990a98fd5071d263u, 0x1a4ff12616eefc89u,
    0xf6f7fd1431714200u, 0x30c05b1ba332f41cu, 0x8d2636b81555a786u, 0x46c9feb55d120902u, 0xccec0a73b49c9921u, 0x4e9d2827355fc492u, 0x19ebb029435dcb0fu, 0x4659d2b743848a2cu,
    0x963ef2c96b33be31u, 0x74f85198b05a2e7du, 0x5a0f544dd2b1fb18u, 0x03727073c2e134b1u, 0xc7f6aa2de59aea61u, 0x352787baa0d7c22fu, 0x9853eab63b5e0b35u, 0xabbdcdd7ed5c0860u,
    0xcf05daf5ac8d77b0u, 0x49cad48cebf4a71eu, 0x7a4c10ec2158c4a6u, 0xd9e92aa246bf719eu, 0x13ae978d09fe5557u, 0x730499af921549ffu, 0x4e4b705b92903ba4u, 0xff577222c14f0a3au,
    0x55b6344cf97aafaeu, 0xb862225b055b6960u, 0xcac09afbddd2cdb4u, 0xdaf8e9829fe96b5fu, 0xb5fdfc5d3132c498u, 0x310cb380db6f7503u, 0xe87fbb46217a360eu, 0x2102ae466ebb1148u,
    0xf8549e1a3aa5e00du, 0x07a69afdcc42261au, 0xc4c118bfe78feaaeu, 0xf9f4892ed96bd438u, 0x1af3dbe25d8f45dau, 0xf5b4b0b0d2deeeb4u, 0x962aceefa82e1c84u, 0x046e3ecaaf453ce9u,
    0xf05d129681949a4cu, 0x964781ce734b3c84u, 0x9c2ed44081ce5fbdu, 0x522e23f3925e319eu, 0x177e00f9fc32f791u, 0x2bc60a63a6f3b3f2u, 0x222bbfae61725606u, 0x486289ddcc3d6780u,
    0x7dc7785b8efdfc80u, 0x8af38731c02ba980u, 0x1fab64ea29a2ddf7u, 0xe4d9429322cd065au, 0x9da058c67844f20cu, 0x24c0e332b70019b0u, 0x233003b5a6cfe6adu, 0xd586bd01c5c217f6u,
    0x5e5637885f29bc2bu, 0x7eba726d8c94094bu, 0x0a56a5f0bfe39272u, 0xd79476a84ee20d06u, 0x9e4c1269baa4bf37u, 0x17efee45b0dee640u, 0x1d95b0a5fcf90bc6u, 0x93cbe0b699c2585du,
    0x65fa4f227a2b6d79u, 0xd5f9e858292504d5u, 0xc2b5a03f71471a6fu, 0x59300222b4561e00u, 0xce2f8642ca0712dcu, 0x7ca9723fbb2e8988u, 0x2785338347f2ba08u, 0xc61bb3a141e50e8cu,
    0x150f361dab9dec26u, 0x9f6a419d382595f4u, 0x64a53dc924fe7ac9u, 0x142de49fff7a7c3du, 0x0c335248857fa9e7u, 0x0a9c32d5eae45305u, 0xe6c42178c4bbb92eu, 0x71f1ce2490d20b07u,
    0xf1bcc3d275afe51au, 0xe728e8c83c334074u, 0x96fbf83a12884624u, 0x81a1549fd6573da5u, 0x5fa7867caf35e149u, 0x56986e2ef3ed091bu, 0x917f1dd5f8886c61u, 0xd20d8c88c8ffe65fu,
    0x31d71dce64b2c310u, 0xf165b587df898190u, 0xa57e6339dd2cf3a0u, 0x1ef6e6dbb1961ec9u, 0x70cc73d90bc26e24u, 0xe21a6b35df0c3ad7u, 0x003a93d8b2806962u, 0x1c99ded33cb890a1u,
    0xcf3145de0add4289u, 0xd0e4427a5514fb72u, 0x77c621cc9fb3a483u, 0x67a34dac4356550bu, 0xf8d626aaaf278509u,
};

/* polyglot returns the hash of a position. */
static uint64_t polyglot(const ply11_position *p) {
  static const uint8_t order[8] = {0, 5, 4, 1, 2, 3, 0, 0}; /* pawn, knight, bishop, rook, queen, king */
  set left = all_pieces(p), own = p->plane[1] & p->plane[2] & (p->black ? p->plane[3] : ~p->plane[3]), pushed;
  unsigned have = rights(p, NULL), i;
  uint64_t h = p->black ? 0 : polyglot_keys[780];
  for (; left != 0; left &= left - 1) {
    unsigned s = lowest(left), piece = ply11_piece_on(p, s);
    h ^= polyglot_keys[64 * (2u * order[piece & 7u] + (piece < 8 ? 1u : 0u)) + s];
  }
  for (i = 0; i < 4; i++)
    if (have >> i & 1u) h ^= polyglot_keys[768 + i];
  if (p->en_passant) {
    pushed = BIT((p->black ? 23u : 31u) + p->en_passant);
    if (((pushed << 1 & ~FILE_A) | (pushed >> 1 & ~FILE_H)) & own) h ^= polyglot_keys[771 + p->en_passant];
  }
  return h;
}

ply11_status ply11_model_open(ply11_model **model, const uint8_t *file, size_t size, const ply11_memory *memory) {
  static const uint8_t want[16] = {0x26, 0x4b, 0xe8, 0xc6, 0x43, 0xa4, 0x34, 0x0c, 0xa8, 0x2e, 0xc1, 0xc4, 0x58, 0x77, 0x78, 0x79};
  ply11_model *m = (ply11_model *)memory->allocate(memory->user, sizeof *m);
  unzstd_state *z = (unzstd_state *)memory->allocate(memory->user, sizeof *z);
  ply11_status status = m == NULL || z == NULL ? PLY11_ERROR_MEMORY : PLY11_OK;
  uint32_t i;
  size_t at;
  *model = NULL;
  if (m != NULL) m->memory = *memory, m->offsets = NULL;
  if (status == PLY11_OK && (!unzstd(z, file, size, m->bytes, MODEL_SIZE) || !digest_is(processor(), m->bytes, MODEL_SIZE, want))) status = PLY11_ERROR_FORMAT;
  if (z != NULL) memory->release(memory->user, z);
  if (status == PLY11_OK) {
    at = 8 + MODEL_TABLES + (INPUTS + OUTPUTS) * NEURONS;
    m->positions = get32(m->bytes + at);
    at += 4;
    if (m->positions > (MODEL_SIZE - at) / 9 || (m->offsets = (uint32_t *)memory->allocate(memory->user, 4 * ((size_t)m->positions + 1))) == NULL) status = PLY11_ERROR_MEMORY;
    for (i = 0; status == PLY11_OK && i < m->positions; i++) {
      m->offsets[i] = (uint32_t)at;
      if (MODEL_SIZE - at < 9 || MODEL_SIZE - at < 9 + 4 * (size_t)m->bytes[at + 8]) status = PLY11_ERROR_FORMAT;
      else at += 9 + 4 * (size_t)m->bytes[at + 8];
    }
  }
  if (status != PLY11_OK) ply11_model_close(m);
  else *model = m;
  return status;
}

void ply11_model_close(ply11_model *m) {
  if (m == NULL) return;
  if (m->offsets != NULL) m->memory.release(m->memory.user, m->offsets);
  m->memory.release(m->memory.user, m);
}

typedef struct counted { /* a move of a position of the book */
  uint16_t word, count;
  uint32_t next; /* its number, from 1; 0 is the end */
} counted;

/* The coder of docs/DENSE.md. It reads bytes, or writes to out, if that is not NULL; size is that of the bytes, or the room in out. */
typedef struct range {
  const uint8_t *bytes;
  uint8_t *out;
  size_t size, at;
  uint64_t low, span, code;
} range;

static void range_begin(range *r, const uint8_t *bytes, size_t size) {
  unsigned i;
  r->bytes = bytes;
  r->out = NULL;
  r->size = size;
  r->at = 8;
  r->low = 0;
  r->span = ~(uint64_t)0;
  r->code = 0;
  for (i = 0; i < 8; i++) r->code = r->code << 8 | (i < size ? bytes[i] : 0u);
}

/* range_take narrows the interval to a choice, by its frequency and the frequencies before it. */
static void range_take(range *r, uint64_t before, uint64_t frequency, uint64_t scale) {
  r->low += scale * before;
  r->span = scale * frequency;
  for (;;) {
    if ((r->low ^ (r->low + r->span)) >> 56 != 0) {
      if (r->span >= (uint64_t)1 << 48) return;
      r->span = (0 - r->low) & (((uint64_t)1 << 48) - 1);
    }
    if (r->out == NULL) r->code = r->code << 8 | (r->at < r->size ? r->bytes[r->at] : 0u);
    else if (r->at - 8 < r->size) r->out[r->at - 8] = (uint8_t)(r->low >> 56);
    r->at++;
    r->low <<= 8;
    r->span <<= 8;
  }
}

/* range_end returns the last number that a writer writes, and of how many bytes it is. */
static uint64_t range_end(const range *r, size_t *used) {
  uint64_t v = 0, rest;
  size_t n;
  for (n = 0; n <= 8; n++) {
    rest = n == 8 ? 0 : ~(uint64_t)0 >> 8 * n;
    v = (r->low + rest) & ~rest;
    if (v - r->low < r->span) break;
  }
  for (*used = 8; *used > 0 && (v >> (64 - 8 * *used) & 255u) == 0;) --*used;
  return v;
}

/* range_ended tells whether the bytes end as a writer ends them. */
static int range_ended(const range *r) {
  size_t used;
  return r->code == range_end(r, &used) && r->size == r->at - 8 + used;
}

typedef struct decoder {
  block *b;
  const ply11_model *model;
  int fast; /* the processor has AVX2 */
  range in;
  uint32_t positions, used, room;
  counted *moves;
  uint64_t hashes[MAX_BOOK];
  uint32_t firsts[MAX_BOOK];
  uint16_t slots[2 * MAX_BOOK]; /* the number of a position, from 1 */
} decoder;

/* begin_games begins to read the games of a block. It returns NULL if there is no memory. */
static decoder *begin_games(block *b, const uint8_t *bytes, size_t size) {
  decoder *d = (decoder *)grab_for(b, 1, sizeof *d);
  uint32_t i;
  if (d == NULL) return NULL;
  d->b = b;
  d->model = b->archive->model;
#ifdef PLY11_AVX2
  d->fast = b->archive->has & HAS_AVX2;
#else
  d->fast = 0;
#endif
  range_begin(&d->in, bytes, size);
  d->positions = d->used = d->room = 0;
  d->moves = NULL;
  for (i = 0; i < 2 * MAX_BOOK; i++) d->slots[i] = 0;
  return d;
}

/* visit returns the place in firsts of the list of a position, NULL if there is no place any more. There is room for its moves. */
static uint32_t *visit(decoder *d, uint64_t hash) {
  const ply11_model *m = d->model;
  uint32_t slot = (uint32_t)(hash >> 32) & (2 * MAX_BOOK - 1), low = 0, high = m->positions, n, i, *last;
  for (; d->slots[slot] != 0; slot = (slot + 1) & (2 * MAX_BOOK - 1))
    if (d->hashes[d->slots[slot] - 1] == hash) return &d->firsts[d->slots[slot] - 1];
  if (d->positions == MAX_BOOK) return NULL;
  d->hashes[d->positions] = hash;
  d->firsts[d->positions] = 0;
  last = &d->firsts[d->positions];
  d->slots[slot] = (uint16_t)++d->positions;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (get64(m->bytes + m->offsets[middle]) < hash) low = middle + 1;
    else high = middle;
  }
  if (low == m->positions || get64(m->bytes + m->offsets[low]) != hash) return &d->firsts[d->positions - 1];
  n = m->bytes[m->offsets[low] + 8];
  for (i = 0; i < n; i++) {
    const uint8_t *pair = m->bytes + m->offsets[low] + 9 + 4 * i;
    d->moves[d->used].word = (uint16_t)get16(pair);
    d->moves[d->used].count = (uint16_t)get16(pair + 2);
    d->moves[d->used].next = 0;
    *last = ++d->used;
    last = &d->moves[d->used - 1].next;
  }
  return &d->firsts[d->positions - 1];
}

/* make_room sees to it that n moves more fit. */
static int make_room(decoder *d, uint32_t n) {
  counted *more;
  uint32_t i, room = 2 * d->room + n;
  if (d->room - d->used >= n) return 1;
  if ((more = (counted *)grab_for(d->b, room, sizeof *more)) == NULL) return 0;
  for (i = 0; i < d->used; i++) more[i] = d->moves[i];
  d->moves = more;
  d->room = room;
  return 1;
}

/* count counts a move of a position. There is room for one more. */
static void count(decoder *d, uint32_t *first, unsigned word) {
  uint32_t sum = 1, i, *last = first;
  for (i = *first; i != 0; i = d->moves[i - 1].next) {
    sum += d->moves[i - 1].count;
    last = &d->moves[i - 1].next;
    if (d->moves[i - 1].word == word) word = PLY11_NONE, d->moves[i - 1].count++;
  }
  if (word != PLY11_NONE) {
    d->moves[d->used].word = (uint16_t)word;
    d->moves[d->used].count = 1;
    d->moves[d->used].next = 0;
    *last = ++d->used;
  }
  for (i = sum > 1023 ? *first : 0; i != 0; i = d->moves[i - 1].next) d->moves[i - 1].count = (uint16_t)((d->moves[i - 1].count + 1) / 2);
}

typedef struct last_move { /* piece is 0 if there was none */
  unsigned piece, from, to;
} last_move;

/* What a game has done so far. */
typedef struct history {
  last_move last[2]; /* of White, of Black */
  unsigned capture;
  uint32_t plies;
} history;

static set attacks_of(unsigned piece, unsigned s, set occupied) {
  switch (piece & 7u) {
    case PLY11_KING: return king_attacks(BIT(s));
    case PLY11_QUEEN: return rook_attacks(s, occupied) | bishop_attacks(s, occupied);
    case PLY11_KNIGHT: return knight_attacks(BIT(s));
    case PLY11_BISHOP: return bishop_attacks(s, occupied);
    case PLY11_ROOK: return rook_attacks(s, occupied);
    case PLY11_PAWN: return pawn_attacks(BIT(s), piece >> 3);
    default: return 0;
  }
}

/* Where a king stands, as its own side sees it. */
static unsigned home_of(unsigned king) { return king >= 8 ? 3 : king < 3 ? 0 : king > 5 ? 1 : 2; }

/* The net, in two ways that give the same: with the instructions of AVX2, if the processor has them, and without. The sums of a position's rows fit in 16 bits. */
#ifdef PLY11_AVX2
PLY11_AVX2 static void neurons_avx2(uint8_t *values, const int8_t *rows, const uint16_t *list, unsigned n) {
  __m256i sums[NEURONS / 16], most = _mm256_set1_epi16(127);
  unsigned i, k;
  for (k = 0; k < NEURONS / 16; k++) sums[k] = _mm256_setzero_si256();
  for (i = 0; i < n; i++)
    for (k = 0; k < NEURONS / 16; k++) {
      __m128i row = _mm_loadu_si128((const __m128i *)(const void *)(rows + NEURONS * (size_t)list[i] + 16 * k));
      sums[k] = _mm256_add_epi16(sums[k], _mm256_cvtepi8_epi16(row));
    }
  for (k = 0; k < NEURONS / 16; k += 2) { /* the packing makes 0 of what is less */
    __m256i both = _mm256_packus_epi16(_mm256_min_epi16(sums[k], most), _mm256_min_epi16(sums[k + 1], most));
    _mm256_storeu_si256((__m256i *)(void *)(values + 16 * k), _mm256_permute4x64_epi64(both, 0xd8));
  }
}

/* A row's product in eight parts. The sum of two products of values up to 127 and weights fits in 16 bits. */
PLY11_AVX2 static inline __m256i product_avx2(const __m256i *v, const int8_t *row) {
  const __m256i *r = (const __m256i *)(const void *)row, ones = _mm256_set1_epi16(1);
  __m256i a = _mm256_madd_epi16(_mm256_maddubs_epi16(v[0], _mm256_loadu_si256(r)), ones);
  __m256i b = _mm256_madd_epi16(_mm256_maddubs_epi16(v[1], _mm256_loadu_si256(r + 1)), ones);
  __m256i c = _mm256_madd_epi16(_mm256_maddubs_epi16(v[2], _mm256_loadu_si256(r + 2)), ones);
  return _mm256_add_epi32(_mm256_add_epi32(a, b), c);
}

/* Four rows at a time: their parts are added up together. */
PLY11_AVX2 static void products_avx2(const uint8_t *values, const int8_t *rows, const uint16_t *list, unsigned n, int32_t *products) {
  const __m256i *in = (const __m256i *)(const void *)values;
  __m256i v[3];
  unsigned i, k;
  for (k = 0; k < 3; k++) v[k] = _mm256_loadu_si256(in + k);
  for (i = 0; i < n; i += 4) {
    __m256i parts[4], two;
    for (k = 0; k < 4; k++) parts[k] = product_avx2(v, rows + NEURONS * (size_t)list[i + k]);
    two = _mm256_hadd_epi32(_mm256_hadd_epi32(parts[0], parts[1]), _mm256_hadd_epi32(parts[2], parts[3]));
    _mm_storeu_si128((__m128i *)(void *)(products + i), _mm_add_epi32(_mm256_castsi256_si128(two), _mm256_extracti128_si256(two, 1)));
  }
}
#endif

/* neurons adds up the rows of a list, and sets the values. */
static void neurons(int fast, uint8_t *values, const int8_t *rows, const uint16_t *list, unsigned n) {
  int16_t sums[NEURONS];
  unsigned i, k;
#ifdef PLY11_AVX2
  if (fast) {
    neurons_avx2(values, rows, list, n);
    return;
  }
#else
  (void)fast;
#endif
  for (k = 0; k < NEURONS; k++) sums[k] = 0;
  for (i = 0; i < n; i++)
    for (k = 0; k < NEURONS; k++) sums[k] = (int16_t)(sums[k] + rows[NEURONS * (size_t)list[i] + k]);
  for (k = 0; k < NEURONS; k++) values[k] = (uint8_t)(sums[k] < 0 ? 0 : sums[k] > 127 ? 127 : sums[k]);
}

/* products sets the products of the values and the rows of a list. List and sums have room for three more. */
static void products(int fast, const uint8_t *values, const int8_t *rows, uint16_t *list, unsigned n, int32_t *sums) {
  unsigned i, k;
#ifdef PLY11_AVX2
  if (fast) {
    for (i = n; i % 4 != 0; i++) list[i] = 0;
    products_avx2(values, rows, list, n, sums);
    return;
  }
#else
  (void)fast;
#endif
  for (i = 0; i < n; i++) {
    const int8_t *row = rows + NEURONS * (size_t)list[i];
    int sum = 0;
    for (k = 0; k < NEURONS; k++) sum += values[k] * row[k];
    sums[i] = sum;
  }
}

/* choices writes the legal moves and their frequencies, and returns how many there are; sum gets that of the frequencies. in_check gets whether the side to move is in check. */
static unsigned choices(const ply11_model *model, int fast, const ply11_position *p, const history *h, uint16_t *words, uint64_t *frequencies, uint64_t *sum, int *in_check) {
  static const uint32_t powers[16] = {65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393, 46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219};
  static const uint8_t promotions[4] = {PLY11_KNIGHT, PLY11_BISHOP, PLY11_ROOK, PLY11_QUEEN};
  const int8_t *place_of = (const int8_t *)model->bytes + 8, *tactic = place_of + 4 * 8 * 64 * 64, *circumstance = tactic + 8 * 4 * 2 * 8 * 4 * 2;
  const int8_t *reply = circumstance + 8 * 8 * 8 * 8, *plan = reply + 8 * 64 * 8 * 64, *promotion = plan + 8 * 64 * 8 * 64;
  const int8_t *input = promotion + 4 * 8, *output = input + INPUTS * NEURONS;
  const last_move *own = &h->last[p->black], *opponent = &h->last[p->black ^ 1];
  int16_t scores[MAX_CHOICES];
  uint8_t values[NEURONS];
  /* The rows of inputs; then those of outputs, of from-squares, targets and exchanges, of one from-square an exchange once. Of each choice its rows. */
  uint16_t list[64 + 2 * MAX_CHOICES + 3], from_row[MAX_CHOICES], to_row[MAX_CHOICES], exchange_row[MAX_CHOICES], row_of[64];
  int32_t nets[64 + 2 * MAX_CHOICES + 3];
  int best = -32768;
  unsigned homes[2], rows = 0, theirs_to = opponent->piece ? opponent->to : 64, own_from = own->piece ? own->from : 64, own_to = own->piece ? own->to : 64;
  unsigned flip = p->black ? 56 : 0, phase, n = 0, i, k, king;
  set low, high, once = 0, twice = 0, guards[6], checks[7], seen = 0, b, them;
  walk w;
  const pieces *m = &w.l.m;
  walk_begin(p, &w);
  *in_check = w.l.checks != 0;
  them = m->them;
  i = popcount(m->occupied);
  phase = i <= 12 ? 3 : i <= 22 ? 2 : h->plies >= 24 ? 1 : 0;
  b = forward(m->pawns & m->us, p->black);
  guards[0] = b << 1 & ~FILE_A;
  guards[1] = b >> 1 & ~FILE_H;
  guards[2] = knight_attacks(m->knights & m->us);
  guards[3] = king_attacks(m->kings & m->us);
  guards[4] = guards[5] = 0;
  for (b = m->oblique & m->us; b != 0; b &= b - 1) guards[4] |= bishop_attacks(lowest(b), m->occupied);
  for (b = m->straight & m->us; b != 0; b &= b - 1) guards[5] |= rook_attacks(lowest(b), m->occupied);
  for (i = 0; i < 6; i++) {
    twice |= once & guards[i];
    once |= guards[i];
  }
  king = lowest(m->kings & them);
  checks[0] = checks[PLY11_KING] = 0;
  checks[PLY11_BISHOP] = bishop_attacks(king, m->occupied);
  checks[PLY11_ROOK] = rook_attacks(king, m->occupied);
  checks[PLY11_QUEEN] = checks[PLY11_BISHOP] | checks[PLY11_ROOK];
  checks[PLY11_KNIGHT] = knight_attacks(BIT(king));
  checks[PLY11_PAWN] = pawn_attacks(BIT(king), p->black ^ 1u);
  if (opponent->piece) {
    seen = attacks_of(opponent->piece | (p->black ? 0u : (unsigned)PLY11_BLACK), opponent->to, m->occupied); /* after castling in Chess960 the king is elsewhere */
    reply += 512 * (size_t)(64 * opponent->piece + (opponent->to ^ flip));
  }
  if (own->piece) plan += 512 * (size_t)(64 * own->piece + (own->to ^ flip));
  homes[0] = home_of(lowest(m->kings & m->us) ^ flip);
  homes[1] = home_of(king ^ flip ^ 56);
  /* The level of an attack in two bits of a square: 1 low, 2 middle, 3 high. */
  low = w.l.low | (w.l.high & ~w.l.middle);
  high = (w.l.middle | w.l.high) & ~w.l.low;
#define LEVEL(s) ((unsigned)(low >> (s) & 1) | (unsigned)(high >> (s) & 1) << 1)
  for (b = m->occupied; b != 0; b &= b - 1) {
    unsigned s = lowest(b), piece = ply11_piece_on(p, s) & 7u, theirs = (unsigned)(them >> s & 1), level = LEVEL(s);
    list[rows++] = (uint16_t)(((4 * theirs + homes[theirs]) * 8 + piece) * 64 + (s ^ flip));
    if (!theirs && level) list[rows++] = (uint16_t)(4096 + (4 * piece + level) * 64 + (s ^ flip));
    if (theirs && once >> s & 1) list[rows++] = (uint16_t)(6144 + piece * 64 + (s ^ flip));
  }
  if (opponent->piece) list[rows++] = (uint16_t)(6656 + 64 * opponent->piece + (opponent->to ^ flip));
  if (own->piece) list[rows++] = (uint16_t)(7168 + 64 * own->piece + (own->to ^ flip));
  list[rows++] = (uint16_t)(7680 + phase);
  if (h->capture) list[rows++] = 7684;
  neurons(fast, values, input, list, rows);
  rows = 0;
  place_of += phase * 8 * 64 * 64;
  promotion += phase * 8;
  while (walk_next(p, &w)) {
    unsigned from = w.from, piece = w.kind;
    unsigned flags = (unsigned)(from == own_to) | (unsigned)(seen >> from & 1) << 1 | h->capture << 2;
    const int8_t *from_place = place_of + 64 * (size_t)(64 * piece + (from ^ flip));
    unsigned exchanges = 64 * (2 * (4 * piece + LEVEL(from)) + (unsigned)(once >> from & 1));
    const int8_t *from_circumstance = circumstance + 64 * (size_t)(8 * piece + flags);
    unsigned from_at = rows;
    set check = checks[piece], known = 0; /* exchanges that have a row */
    list[rows++] = (uint16_t)(64 * piece + (from ^ flip));
    for (; w.to != 0; w.to &= w.to - 1) {
      unsigned to = lowest(w.to), seat = to ^ flip, taken = (unsigned)(0 - (them >> to & 1)) & ply11_piece_on(p, to) & 7u;
      set guarded = piece == PLY11_PAWN && taken == 0 ? once : twice;
      unsigned to_flags = (unsigned)(to == theirs_to) | (unsigned)(to == own_from) << 1 | (unsigned)(check >> to & 1) << 2;
      unsigned exchange = 8 * taken + 2 * LEVEL(to) + (unsigned)(guarded >> to & 1);
      int score = from_place[seat] + tactic[exchanges + exchange] + from_circumstance[8 * taken + to_flags] + reply[64 * piece + seat] + plan[64 * piece + seat];
      unsigned to_at = rows;
      unsigned last = piece == PLY11_PAWN && BIT(to) & LAST_RANKS ? 4 : 1;
      if (n + last > MAX_CHOICES) continue;
      list[rows++] = (uint16_t)(512 + 64 * piece + seat);
      if (!(known >> exchange & 1)) {
        known |= BIT(exchange);
        row_of[exchange] = (uint16_t)rows;
        list[rows++] = (uint16_t)(1024 + exchanges + exchange);
      }
      for (k = 0; k < last; k++, n++) {
        words[n] = (uint16_t)(last == 4 ? promotion_code(from, to, promotions[k]) : plain_code(from, to));
        scores[n] = (int16_t)(score + promotion[last == 4 ? 4 + k : 0]);
        from_row[n] = (uint16_t)from_at;
        to_row[n] = (uint16_t)to_at;
        exchange_row[n] = row_of[exchange];
      }
    }
  }
#undef LEVEL
  products(fast, values, output, list, rows, nets);
  for (i = 0; i < n; i++) {
    int net = nets[from_row[i]] + nets[to_row[i]] + nets[exchange_row[i]];
    scores[i] = (int16_t)(scores[i] + (net >= 0 ? net / 256 : -((255 - net) / 256)));
    if (scores[i] > best) best = scores[i];
  }
  *sum = 1; /* of the null move */
  for (i = 0; i < n; i++) {
    unsigned x = (unsigned)(best - scores[i] > 255 ? 255 : best - scores[i]);
    frequencies[i] = powers[x % 16] >> x / 16;
    if (frequencies[i] == 0) frequencies[i] = 1;
    *sum += frequencies[i];
  }
  return n;
}

/* code_choice reads which of n choices it is, or writes the one that is wanted; n if no writer wrote the bytes, or it is none of them. */
static unsigned code_choice(range *r, const uint16_t *codes, const uint64_t *frequencies, unsigned n, uint64_t sum, unsigned wanted) {
  uint64_t scale = r->span / sum, target = (r->code - r->low) / scale, before = 0;
  unsigned i = 0;
  if (r->out == NULL && target >= sum) return n;
  while (i < n && (r->out == NULL ? before + frequencies[i] <= target : codes[i] != wanted)) before += frequencies[i++];
  if (i < n) range_take(r, before, frequencies[i], scale);
  return i;
}

/* code_game reads the moves of a game, or writes them. It returns NULL, or what is wrong. */
static const char *code_game(decoder *d, ply11_position *p, uint16_t *moves, uint32_t n) {
  uint16_t codes[MAX_CHOICES + 1];
  uint64_t frequencies[MAX_CHOICES + 1], sum;
  history h = {{{0, 0, 0}, {0, 0, 0}}, 0, 0};
  int open = 1, in_check;
  while (h.plies < n) {
    unsigned list = choices(d->model, d->fast, p, &h, codes, frequencies, &sum, &in_check), i, w, to;
    uint32_t *first = NULL, e;
    if (list >= MAX_CHOICES) return "there are more moves than sixteen pieces have";
    codes[list] = PLY11_NULL;
    frequencies[list] = 1;
    if (open) {
      if (!make_room(d, 256)) return "there is not enough memory";
      first = visit(d, polyglot(p));
      open = first != NULL && *first != 0;
      if (open) {
        uint64_t whole = sum, weight = 2;
        for (e = *first; e != 0; e = d->moves[e - 1].next) weight += weight < 32;
        for (i = 0; i <= list; i++) frequencies[i] *= weight;
        sum *= weight;
        for (e = *first; e != 0; e = d->moves[e - 1].next)
          for (i = 0; i <= list; i++)
            if ((ply11_word(codes[i]) & 0x7fffu) == d->moves[e - 1].word) {
              frequencies[i] += 2 * d->moves[e - 1].count * whole;
              sum += 2 * d->moves[e - 1].count * whole;
            }
      }
    }
    i = code_choice(&d->in, codes, frequencies, list + 1, sum, d->in.out == NULL ? 0u : moves[h.plies]);
    if (i > list) return d->in.out == NULL ? "no writer writes these bytes" : ply11_status_text(PLY11_ERROR_ILLEGAL);
    if (i == list && in_check) return "a null move in check";
    w = ply11_word(codes[i]) & 0x7fffu;
    if (first != NULL) count(d, first, w);
    to = word_to(w);
    h.capture = 0;
    if (i == list) {
      h.last[p->black].piece = 0;
    } else {
      h.last[p->black].piece = word_kind(w) ? word_kind(w) : ply11_piece_on(p, word_from(w)) & 7u;
      h.last[p->black].from = word_from(w);
      h.last[p->black].to = to;
      h.capture = (unsigned)((all_pieces(p) & (p->black ? ~p->plane[3] : p->plane[3])) >> to & 1);
    }
    moves[h.plies++] = codes[i];
    ply11_make(p, codes[i]);
  }
  return NULL;
}

/* read_games reads column 12, and adds up the words; plies go to offsets. */
static ply11_status read_games(block *b, uint32_t *offsets, uint16_t *results, uint8_t *flags) {
  uint8_t *g;
  size_t size, at, n = b->is.games;
  uint32_t i, pass, count_of, gap, game, high;
  uint64_t words = n, plies = 0;
  ply11_status status = get_column(b, 12, 0, &g, &size);
  if (status != PLY11_OK) return status;
  at = n + (n + 3) / 4;
  if (size < at || (n % 4 != 0 && g[at - 1] >> n % 4 * 2 != 0)) return bad(b, 12, "the plies or the results are wrong");
  for (i = 0; i < n; i++) {
    offsets[i] = g[i];
    results[i] = (uint16_t)(PLY11_BLACK_WINS + ((unsigned)g[n + i / 4] >> i % 4 * 2 & 3u));
  }
  for (pass = 0; pass < 2; pass++) {
    if (!varint32(g, size, &at, b->is.games, &count_of)) return bad(b, 12, "the number of games is wrong");
    if (pass == 1 && !begin_starts(b, count_of)) return PLY11_ERROR_MEMORY;
    for (i = 0, game = 0; i < count_of; i++, game++) {
      if (!varint32(g, size, &at, b->is.games, &gap) || gap >= b->is.games - game) return bad(b, 12, "the games are wrong");
      game += gap;
      if (pass == 0) {
        if (!varint32(g, size, &at, MAX_BLOCK_WORDS / 256, &high) || high == 0) return bad_game(b, 12, game, "the number of plies is wrong");
        offsets[game] += 256 * high;
      } else {
        uint8_t bits[48] = {0};
        uint16_t list[PLY11_START_WORDS];
        unsigned special;
        if (size - at < 36) return bad_game(b, 12, game, "a start position ends too early");
        copy(bits, g + at, 36);
        at += 36;
        special = bits[35] >> 6;
        bits[35] &= 63;
        if (special > 1 || (special == 1 && (size - at < 2 || g[at + 1] >> 4 != 0))) return bad_game(b, 12, game, "bits are left over in a start position");
        if (special == 1) {
          uint32_t rooks = get16(g + at) << 6;
          at += 2;
          bits[35] |= (uint8_t)rooks, bits[36] = (uint8_t)(rooks >> 8), bits[37] = (uint8_t)(rooks >> 16);
        }
        list[0] = special ? PLY11_START_960 : PLY11_START;
        ply11_unpack(bits, sizeof bits, 0, list + 1, PLY11_START_WORDS - 1);
        add_start(b, game, i, list, PLY11_START_WORDS);
        flags[game] = PLY11_GAME_START;
        words += special ? 29 : 27;
      }
    }
  }
  if (at != size) return bad(b, 12, "bytes are left over");
  for (i = 0; i < n; i++) {
    uint32_t own = offsets[i];
    offsets[i] = (uint32_t)plies;
    plies += own;
    if (plies > b->is.plies) break;
  }
  offsets[n] = (uint32_t)plies;
  return plies == b->is.plies && words + plies == b->words ? PLY11_OK : bad(b, 12, "the games are not the words of the header");
}

/* read_dense reads columns 11 and 12. */
static ply11_status read_dense(block *b, uint32_t *offsets, uint16_t *moves, uint16_t *results, uint8_t *flags) {
  uint8_t *bytes;
  size_t size;
  uint32_t i;
  decoder *d;
  ply11_status status;
  if ((status = read_games(b, offsets, results, flags)) != PLY11_OK || (status = get_column(b, 11, 0, &bytes, &size)) != PLY11_OK) return status;
  if (bytes[0] != 1) return wrong_in(b, PLY11_ERROR_LATER, 11, "dense moves of a later version");
  if (b->archive->model == NULL) return wrong_in(b, PLY11_ERROR_UNSUPPORTED, 11, "dense moves need a model");
  if ((d = begin_games(b, bytes + 1, size - 1)) == NULL) return PLY11_ERROR_MEMORY;
  for (i = 0; i < b->is.games; i++) {
    ply11_position p;
    const char *what;
    if ((status = game_start(b, i, &p)) != PLY11_OK) return bad_game(b, 12, i, ply11_status_text(status));
    if (offsets[i] < offsets[i + 1] && (popcount(all_pieces(&p) & p.plane[3]) > 16 || popcount(all_pieces(&p) & ~p.plane[3]) > 16))
      return bad_game(b, 12, i, "a side has more than sixteen pieces, in dense moves");
    if ((what = code_game(d, &p, moves + offsets[i], offsets[i + 1] - offsets[i])) != NULL) return bad_game(b, 11, i, what);
  }
  return range_ended(&d->in) ? PLY11_OK : bad(b, 11, "the bytes do not end where the moves do");
}

#define MAX_VALUE ((int64_t)1 << 40)

enum { CIRCUMSTANCES = 1258, NODES = 64 };

typedef struct counter { /* the probability that a decision is 1, of 65536, and how often it was asked, up to 30 */
  uint16_t p, k;
} counter;

typedef struct series { /* the clocks or times of a form in a game */
  int64_t first, last, second, gain, average[2];
  uint32_t n;
} series;

/* A column of modelled numbers (docs/FORMAT.md, Codec 2). */
typedef struct modelled {
  block *b;
  range in;
  int bad, short_of_memory;
  int64_t raw; /* bytes of the raw column behind its numbers */
  counter *rows[3][CIRCUMSTANCES]; /* of NODES counters each; NULL before the first decision of the circumstance */
  counter *now[3];
  int64_t firsts[3]; /* the first clock of each form in the last game that has one */
  /* Of the game: */
  series forms[3];
  int64_t eval, change, average, mate;
  unsigned level, mated, evals;
} modelled;

static unsigned step_of(uint64_t v) {
  unsigned n = length_of(v);
  return v < 4 ? (unsigned)v : 4 * (n - 2) + (unsigned)(v >> (n - 3) & 3u);
}

static unsigned at_most(uint64_t v, unsigned limit) { return v < limit ? (unsigned)v : limit; }

static uint64_t size_of(int64_t v) { return v < 0 ? (uint64_t)-v : (uint64_t)v; }

/* raw_number takes the bytes of a varint off the raw column. */
static void raw_number(modelled *m, uint64_t u) {
  do m->raw--;
  while ((u >>= 7) != 0);
}

static void raw_signed(modelled *m, int64_t v) { raw_number(m, v < 0 ? 2 * (uint64_t)-(v + 1) + 1 : 2 * (uint64_t)v); }

static void modelled_game(modelled *m) {
  static const series none = {0, 0, 0, 0, {0, 0}, 0};
  unsigned i;
  for (i = 0; i < 3; i++) m->forms[i] = none;
  m->eval = m->change = m->mate = 0;
  m->average = 320;
  m->level = m->mated = m->evals = 0;
}

/* circumstances chooses the counters of the next number. It returns 0 if there is no memory for them. */
static int circumstances(modelled *m, unsigned a, unsigned b, unsigned c) {
  unsigned i, k, at[3];
  at[0] = a;
  at[1] = b;
  at[2] = c;
  for (i = 0; i < 3; i++) {
    counter **row = &m->rows[i][at[i]];
    if (*row == NULL) {
      if (m->short_of_memory || (*row = (counter *)grab_for(m->b, NODES, sizeof **row)) == NULL) {
        m->short_of_memory = 1;
        return 0;
      }
      for (k = 0; k < NODES; k++) (*row)[k].p = 32768, (*row)[k].k = 0;
    }
    m->now[i] = *row;
  }
  return 1;
}

static unsigned decision(modelled *m, unsigned node) {
  uint32_t p = ((uint32_t)m->now[0][node].p + m->now[1][node].p + m->now[2][node].p) / 3;
  uint64_t scale = m->in.span >> 16, target = m->in.code - m->in.low;
  unsigned bit = target < scale * p, i;
  if (target >= scale << 16) m->bad = 1;
  range_take(&m->in, bit ? 0 : p, bit ? p : 65536 - p, scale);
  for (i = 0; i < 3; i++) {
    counter *c = &m->now[i][node];
    uint32_t rate = 65536u / (c->k + 2u);
    c->p = (uint16_t)(bit ? c->p + (uint32_t)(((65536 - (uint64_t)c->p) * rate) >> 16) : c->p - (uint32_t)(((uint64_t)c->p * rate) >> 16));
    if (c->k < 30) c->k++;
  }
  return bit;
}

static int64_t number(modelled *m) {
  unsigned minus, node, n = 1;
  uint64_t v = 1, scale, target;
  if (decision(m, 0)) return 0;
  minus = decision(m, 1);
  node = minus ? 33 : 3;
  while (n < 42 && !decision(m, node + at_most(n, 15))) n++;
  if (n > 1) v = 2 + decision(m, node + 14 + at_most(n, 15));
  if (n > 2) {
    scale = m->in.span >> (n - 2);
    target = (m->in.code - m->in.low) / scale;
    if (target >> (n - 2) != 0) {
      m->bad = 1;
      target = 0;
    }
    range_take(&m->in, target, 1, scale);
    v = v << (n - 2) | target;
  }
  return minus ? -(int64_t)v : (int64_t)v;
}

/* modelled_time reads a clock or a time, of the form 0, 1 or 2. It returns whether it is one that may be. */
static int modelled_time(modelled *m, int clock, unsigned form, int64_t *v) {
  series *s = &m->forms[form];
  uint32_t n = s->n;
  unsigned side = n & 1;
  int64_t second = n > 1 ? s->second : 0, was = second, first = 0, x;
  if (clock && n < 2) was = n == 1 ? s->last : m->firsts[form];
  if (clock) first = n > 0 ? s->first : was;
  if (!circumstances(m, 16 * at_most(n / 2, 31) + at_most(length_of((uint64_t)(first + 40 * s->gain)), 15),
                     n > 1 ? 16 + at_most(length_of((uint64_t)was), 15) + 16 * at_most(step_of((uint64_t)s->average[side]), 47) : n,
                     n > 1 ? 8 + at_most(length_of((uint64_t)s->gain), 7) + 8 * at_most(step_of((uint64_t)was), 63) : n))
    return 0;
  x = number(m);
  *v = clock ? x + was : x;
  if (m->bad || *v < 0 || *v > MAX_VALUE) return 0;
  if (n > 1) {
    if (x > s->gain) s->gain = x;
    s->average[side] += 4 * (int64_t)size_of(x) - s->average[side] / 4;
  }
  if (n == 0) m->firsts[form] = s->first = *v;
  s->second = s->last;
  s->last = *v;
  s->n++;
  if (clock) raw_signed(m, *v - second);
  else raw_number(m, (uint64_t)*v);
  return 1;
}

static int modelled_mate(modelled *m, int64_t *v) {
  unsigned at = 1024 + (m->mate < -20 ? 0 : at_most((uint64_t)(m->mate + 20), 41)) + 64 * m->mated + 128 * (m->evals & 1);
  if (!circumstances(m, at, at, at)) return 0;
  *v = m->mate + number(m);
  if (m->bad || *v < -MAX_VALUE || *v > MAX_VALUE) return 0;
  m->mate = *v;
  m->evals++;
  m->mated = 1;
  raw_signed(m, *v);
  return 1;
}

static int modelled_eval(modelled *m, int64_t *v) {
  int64_t sign = m->evals & 1 ? -1 : 1, seen = m->eval * sign;
  if (!circumstances(m, 2 * at_most(step_of((uint64_t)m->average), 63) + (m->eval == 0),
                     2 * (16 * ((m->change < 0 ? 16 : 0) + at_most(length_of(size_of(m->change)), 15)) + at_most(length_of(size_of(m->eval)), 15)) + m->mated,
                     8 * ((seen < 0 ? 64 : 0) + at_most(step_of(size_of(seen)), 63)) + m->level))
    return 0;
  *v = 0;
  if (!decision(m, 2)) {
    *v = m->eval + sign * number(m);
    if (*v == 0) return 0;
  }
  if (m->bad || *v < -MAX_VALUE || *v > MAX_VALUE) return 0;
  raw_signed(m, *v - m->eval);
  m->level = (2 * m->level & 7u) | (*v == 0);
  m->change = sign * (*v - m->eval);
  m->average += 4 * (int64_t)size_of(m->change) - m->average / 4;
  m->evals++;
  m->eval = *v;
  m->mated = 0;
  return 1;
}

/* What column 4 leads to, and how far it is read. */
typedef struct notes {
  uint8_t *bytes[10];
  size_t size[10], at[10];
  modelled *model[10]; /* of the columns 7 to 9 that are modelled */
  int64_t clocks[3][2], eval; /* of the game: the last two clocks of a form, the last evaluation */
} notes;

static int zigzag(notes *s, unsigned kind, int64_t *v) {
  uint64_t n;
  if (!varint(s->bytes[kind], s->size[kind], &s->at[kind], &n)) return 0;
  *v = n & 1u ? -(int64_t)(n >> 1) - 1 : (int64_t)(n >> 1);
  return 1;
}

/* read_clock reads the next clock of a form, 0 to 2. The others below likewise. */
static int read_clock(notes *s, unsigned form, int64_t *v) {
  if (s->model[7] != NULL) return modelled_time(s->model[7], 1, form, v);
  if (!zigzag(s, 7, v) || *v > MAX_VALUE || *v < -MAX_VALUE) return 0;
  *v += s->clocks[form][0];
  s->clocks[form][0] = s->clocks[form][1];
  s->clocks[form][1] = *v;
  return *v >= 0 && *v <= MAX_VALUE;
}

static int read_time(notes *s, unsigned form) {
  uint64_t t;
  int64_t v;
  if (s->model[8] != NULL) return modelled_time(s->model[8], 0, form, &v);
  return varint(s->bytes[8], s->size[8], &s->at[8], &t) && t <= (uint64_t)MAX_VALUE;
}

static int read_eval(notes *s, int mate, int64_t *v) {
  if (s->model[9] != NULL) return mate ? modelled_mate(s->model[9], v) : modelled_eval(s->model[9], v);
  if (!zigzag(s, 9, v) || *v > 2 * MAX_VALUE || *v < -2 * MAX_VALUE) return 0;
  if (!mate) s->eval = *v += s->eval;
  return *v >= -MAX_VALUE && *v <= MAX_VALUE;
}

/* score_of returns an evaluation as docs/train.md has it in 16 bits. */
static int16_t score_of(int mate, int64_t v) {
  if (mate) return (int16_t)(v > 0 ? 32000 - (v < 1000 ? v : 1000) : -32000 - (v > -1000 ? v : -1000));
  return (int16_t)(v < -30000 ? -30000 : v > 30000 ? 30000 : v);
}

/* A command of a comment, "[%name value]", that is told in the text: c is the next byte of it, -1 at its end. */
typedef struct command {
  const uint8_t *bytes;
  size_t at, end;
  int c;
} command;

static void step(command *m) {
  if (m->at < m->end && m->bytes[m->at] == 12) m->at++;
  m->c = m->at < m->end ? m->bytes[m->at++] : -1;
}

static void skip_blanks(command *m, int spaces) {
  while ((m->c == ' ' && spaces) || (m->c >= 9 && m->c <= 13)) step(m);
}

/* is_named tells whether it is the command of a name, and goes to the value. */
static int is_named(command *m, const char *name) {
  for (skip_blanks(m, 0); *name != 0 && m->c == *name; name++) step(m);
  skip_blanks(m, 0);
  if (*name != 0 || (m->c != ' ' && m->c != -1)) return 0;
  skip_blanks(m, 1);
  return 1;
}

static int digits(command *m, uint32_t max, uint32_t *v) {
  int any = 0;
  for (*v = 0; m->c >= '0' && m->c <= '9'; any = 1, step(m))
    if ((*v = *v * 10 + (uint32_t)(m->c - '0')) > max) return 0;
  return any;
}

/* hundredths reads a fraction, if there is one; more than two digits are cut. */
static int hundredths(command *m, uint32_t *v) {
  uint32_t unit = 10, digit;
  *v = 0;
  if (m->c != '.') return 1;
  step(m);
  if (m->c < '0' || m->c > '9') return 0;
  for (; m->c >= '0' && m->c <= '9'; unit /= 10, step(m)) digit = (uint32_t)(m->c - '0'), *v += unit * digit;
  return 1;
}

#define MAX_SECONDS 36000000u /* a clock is below 10,000 hours */
#define MAX_PAWNS 0xffffffu

static int32_t clock_of(uint64_t v) { return v < INT32_MAX ? (int32_t)v : INT32_MAX; }

static int told_clock(command *m, int32_t *clock) {
  uint32_t n, parts = 0, rest;
  uint64_t seconds = 0;
  for (;; step(m)) {
    if (!digits(m, MAX_SECONDS - 1, &n) || (parts > 0 && n > 59)) return 0;
    seconds = 60 * seconds + n;
    if (++parts == 3 || m->c != ':') break;
  }
  if (!hundredths(m, &rest)) return 0;
  skip_blanks(m, 1);
  *clock = clock_of(100 * seconds + rest);
  return m->c == -1 && seconds < MAX_SECONDS;
}

static int told_eval(command *m, int16_t *eval) {
  int mate = m->c == '#', minus;
  uint32_t whole, rest = 0, depth;
  if (mate) step(m);
  minus = m->c == '-';
  if (minus || m->c == '+') step(m);
  if (!digits(m, mate ? 32767u + (unsigned)minus : MAX_PAWNS, &whole) || (!mate && !hundredths(m, &rest))) return 0;
  whole = mate ? whole : 100 * whole + rest;
  *eval = score_of(mate, minus ? -(int64_t)whole : (int64_t)whole);
  skip_blanks(m, 1);
  if (m->c == ',') {
    step(m);
    skip_blanks(m, 1);
    if (!digits(m, 65535, &depth)) return 0;
    skip_blanks(m, 1);
  }
  return m->c == -1;
}

/* told_match reads the evaluation that programs which let engines play write at the front of a comment, from the mover's side, who is
 * Black or not: "+0.30/13 0.28s", "-M12/30". */
static int told_match(command *m, int black, int16_t *eval) {
  uint32_t whole, rest = 0, depth;
  int minus, mate;
  step(m);
  skip_blanks(m, 1);
  minus = m->c == '-';
  if (minus || m->c == '+') step(m);
  if ((mate = m->c == 'M') != 0) step(m);
  if (!digits(m, mate ? 32767u : MAX_PAWNS, &whole)) return 0;
  if (mate ? whole == 0 : m->c != '.' || !hundredths(m, &rest)) return 0;
  skip_blanks(m, 1);
  if (m->c != '/') return 0;
  step(m);
  if (!digits(m, 65535, &depth) || (m->c != -1 && m->c != ' ' && (m->c < 9 || m->c > 13))) return 0;
  whole = mate ? (whole + 1) / 2 : 100 * whole + rest;
  *eval = score_of(mate, minus != black ? -(int64_t)whole : (int64_t)whole);
  return 1;
}

/* read_comment reads a comment of column 5. If it belongs to a place of the main line, clock and eval get what the first commands of these names tell, unless a
 * comment before has told it; mover is that of the last move, 0 White, 1 Black, -1 none, or not known. It returns the kind of the column that is wrong, or 0. */
static unsigned read_comment(notes *s, int32_t *clock, int16_t *eval, int mover) {
  uint32_t utf8 = 0;
  size_t first = s->at[5];
  size_t begin = 0; /* behind the "[%" of what may be a command */
  unsigned before = 0;
  if (clock != NULL && *clock != PLY11_NO_CLOCK) clock = NULL;
  if (eval != NULL && *eval != PLY11_NO_EVAL) eval = NULL;
  for (;;) {
    unsigned c;
    int64_t v;
    if (s->at[5] >= s->size[5]) return 5;
    c = s->bytes[5][s->at[5]++];
    if (c == 0) {
      command m;
      m.bytes = s->bytes[5];
      m.at = first;
      m.end = s->at[5] - 1;
      if (eval != NULL && mover >= 0 && !told_match(&m, mover, eval)) *eval = PLY11_NO_EVAL;
      return utf8 != 0 ? 5 : 0;
    }
    if (c == 12) {
      if (s->at[5] >= s->size[5] || (c = s->bytes[5][s->at[5]++]) == 0) return 5;
    } else if (c < 9 || c == 11) {
      if (utf8 != 0) return 5;
      begin = before = 0;
      if (c < 4) {
        if (!read_clock(s, c - 1, &v)) return 7;
        if (clock != NULL && v < (int64_t)MAX_SECONDS * (c == 3 ? 10 : 1)) *clock = clock_of((uint64_t)v * (c == 3 ? 10 : 100));
        clock = NULL;
      } else if (c < 7) {
        if (!read_time(s, c - 4)) return 8;
      } else {
        if (!read_eval(s, c == 11, &v)) return 9;
        if (eval != NULL && (c == 11 ? v >= -32768 && v <= 32767 : size_of(v) / 100 <= MAX_PAWNS)) *eval = score_of(c == 11, v);
        eval = NULL;
      }
      continue;
    }
    if (!utf8_next(&utf8, (uint8_t)c)) return 5;
    if (c == '%' && before == '[') {
      begin = s->at[5];
    } else if (c == ']' && begin != 0) {
      command m, other;
      m.bytes = s->bytes[5];
      m.at = begin;
      m.end = s->at[5] - 1;
      step(&m);
      other = m;
      if (clock != NULL && is_named(&m, "clk")) {
        if (!told_clock(&m, clock)) *clock = PLY11_NO_CLOCK;
        clock = NULL;
      } else if (eval != NULL && is_named(&other, "eval")) {
        if (!told_eval(&other, eval)) *eval = PLY11_NO_EVAL;
        eval = NULL;
      }
      begin = 0;
    }
    before = c;
  }
}

/* model_column begins a column of modelled numbers, if it is one. */
static ply11_status model_column(block *b, unsigned kind, notes *s) {
  const column *c = find_column(b, kind);
  modelled *m;
  unsigned i, k;
  if (c == NULL || c->codec != 2) return PLY11_OK;
  if (s->bytes[kind][0] != 1) return wrong_in(b, PLY11_ERROR_LATER, kind, "modelled numbers of a later version");
  if ((m = (modelled *)grab_for(b, 1, sizeof *m)) == NULL) return PLY11_ERROR_MEMORY;
  m->b = b;
  range_begin(&m->in, s->bytes[kind] + 1, s->size[kind] - 1);
  m->bad = m->short_of_memory = 0;
  m->raw = c->raw;
  for (i = 0; i < 3; i++) {
    m->firsts[i] = 0;
    m->now[i] = NULL;
    for (k = 0; k < CIRCUMSTANCES; k++) m->rows[i][k] = NULL;
  }
  modelled_game(m);
  s->model[kind] = m;
  return PLY11_OK;
}

/* read_notes reads columns 4 to 9. */
static ply11_status read_notes(block *b, int32_t *clocks, int16_t *evals, int16_t *start_evals) {
  notes s;
  uint32_t i, games = 0, gap, game = 0, other = 0;
  unsigned kind, step;
  const uint8_t *a;
  ply11_status status;
  for (kind = 4; kind < 10; kind++) {
    if ((status = get_column(b, kind, 0, &s.bytes[kind], &s.size[kind])) != PLY11_OK) return status;
    s.at[kind] = 0;
    s.model[kind] = NULL;
    if ((status = model_column(b, kind, &s)) != PLY11_OK) return status;
  }
  a = s.bytes[4];
  for (i = 0; i < b->is.plies; i++) clocks[i] = PLY11_NO_CLOCK, evals[i] = PLY11_NO_EVAL;
  for (i = 0; i < b->is.games; i++) start_evals[i] = PLY11_NO_EVAL;
  if (s.size[6] % 2 != 0) return bad(b, 6, "half a move");
  if (s.size[4] > 0 && !varint32(a, s.size[4], &s.at[4], b->is.games, &games)) return bad(b, 4, "the number of games with annotations is wrong");
  for (; games > 0; games--, game++) {
    uint32_t ply = 0, plies, depth = 0, moved = 0, begin;
    ply11_position start;
    int known;
    if (!varint32(a, s.size[4], &s.at[4], b->is.games, &gap) || gap >= b->is.games - game) return bad(b, 4, "the games with annotations are wrong");
    game += gap;
    begin = b->is.offsets[game];
    plies = b->is.offsets[game + 1] - begin;
    for (i = 0; i < 3; i++) s.clocks[i][0] = s.clocks[i][1] = 0;
    s.eval = 0;
    known = game_start(b, game, &start) == PLY11_OK;
    for (kind = 7; kind < 10; kind++)
      if (s.model[kind] != NULL) modelled_game(s.model[kind]);
    for (;;) {
      if (s.at[4] >= s.size[4]) return bad_game(b, 4, game, "the annotations end too early");
      step = a[s.at[4]++];
      if (step == 0) {
        if (depth > 0) return bad_game(b, 4, game, "a variation does not end");
        break;
      }
      if (step == 1) {
        unsigned wrong_kind = read_comment(&s, depth > 0 || ply == 0 ? NULL : &clocks[begin + ply - 1],
                                           depth > 0 ? NULL : ply == 0 ? &start_evals[game] : &evals[begin + ply - 1],
                                           ply == 0 || !known ? -1 : (int)((ply + 1 + start.black) & 1u));
        if (wrong_kind != 0 && s.model[wrong_kind] != NULL && s.model[wrong_kind]->short_of_memory) return PLY11_ERROR_MEMORY;
        if (wrong_kind != 0) return bad_game(b, wrong_kind, game, "a comment, or a value in it, is wrong");
      } else if (step == 2) {
        if (depth == 0 ? ply == 0 : !moved) return bad_game(b, 4, game, "a variation before the first move");
        depth++;
        moved = 0;
      } else if (step == 3) {
        if (depth == 0 || !moved) return bad_game(b, 4, game, "a variation without a move, or none that ends");
        depth--;
      } else if (step == 4) {
        if (s.at[4] >= s.size[4]) return bad_game(b, 4, game, "the annotations end too early");
        s.at[4]++;
      } else if (step < 32) {
        return bad_game(b, 4, game, "a step that there is not");
      } else if (depth == 0) {
        if (step - 31 > plies - ply) return bad_game(b, 4, game, "more moves than the game has");
        ply += step - 31;
      } else {
        moved = 1;
        for (i = 0; i < step - 31; i++, other++) {
          unsigned w;
          if (other >= s.size[6] / 2) return bad_game(b, 6, game, "the moves of variations end too early");
          w = s.bytes[6][other] | (unsigned)s.bytes[6][s.size[6] / 2 + other] << 8;
          if (w >= PLY11_MOVES && w != PLY11_NULL) return bad_game(b, 6, game, "a variation has a word that is no move");
        }
      }
    }
  }
  s.at[6] = 2 * (size_t)other;
  for (kind = 4; kind < 10; kind++) {
    const modelled *m = s.model[kind];
    if (m != NULL ? !range_ended(&m->in) || m->raw != 0 : s.at[kind] != s.size[kind])
      return bad(b, kind, "bytes are left over");
  }
  return PLY11_OK;
}

/* read_lines reads the columns that are always read. */
static ply11_status read_lines(block *b) {
  int dense = find_column(b, 11) != NULL;
  uint32_t *offsets = (uint32_t *)grab_for(b, (size_t)b->is.games + 1, 4);
  uint16_t *moves = (uint16_t *)grab_for(b, b->is.plies, 2), *results = (uint16_t *)grab_for(b, b->is.games, 2);
  uint8_t *flags = (uint8_t *)grab_for(b, b->is.games, 1);
  uint32_t i;
  ply11_status status;
  if (offsets == NULL || moves == NULL || results == NULL || flags == NULL) return PLY11_ERROR_MEMORY;
  for (i = 0; i < b->is.games; i++) flags[i] = 0;
  offsets[0] = 0;
  if (dense != (find_column(b, 12) != NULL) || (dense && (find_column(b, 1) != NULL || find_column(b, 2) != NULL)))
    return bad(b, 0, "the columns of moves do not go together");
  if (dense) status = read_dense(b, offsets, moves, results, flags);
  else status = b->is.games == 0 ? PLY11_OK : read_fixed(b, offsets, moves, results, flags);
  if (status == PLY11_OK) status = read_exceptions(b, flags);
  if (status != PLY11_OK) return status;
  b->is.offsets = offsets;
  b->is.moves = moves;
  b->is.results = results;
  b->is.flags = flags;
  return PLY11_OK;
}

/* begin_block finds a block in the index. */
static ply11_status begin_block(ply11_archive *a, uint32_t number, block *b, entry *e) {
  static const block none = {{0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL}, NULL, NULL, 0, 0, 0, NULL, 0, {{0, 0, 0, 0, NULL, NULL}}, NULL, NULL,
                             NULL, NULL, NULL, NULL, NULL, NULL, NULL};
  uint64_t first;
  ply11_status status;
  *b = none;
  if (number >= a->blocks) return wrong(a, PLY11_ERROR_ARGUMENT, "there is no block of this number", 0);
  if ((status = find(a, 0, number, e, &first, &number)) != PLY11_OK) return status;
  b->archive = a;
  b->offset = e->offset;
  b->is.first = first + 1;
  b->is.number = number;
  return PLY11_OK;
}

ply11_status ply11_block_sizes(ply11_archive *archive, uint32_t number, uint32_t *games, uint32_t *plies) {
  uint8_t h[MAX_BLOCK_HEADER];
  entry e;
  block b;
  size_t there;
  ply11_status status = begin_block(archive, number, &b, &e);
  if (status != PLY11_OK) return status;
  there = e.front < sizeof h ? e.front : sizeof h;
  if ((status = read_at(archive, e.offset, h, there)) != PLY11_OK || (status = check_header(&b, &e, h, there)) != PLY11_OK) return status;
  *games = b.is.games;
  *plies = b.is.plies;
  return PLY11_OK;
}

ply11_status ply11_block_open(ply11_archive *archive, uint32_t number, unsigned parts, ply11_block **out) {
  entry e;
  block found, *b;
  ply11_status status = begin_block(archive, number, &found, &e);
  *out = NULL;
  if (status != PLY11_OK) return status;
  if ((b = (block *)grab(archive, &found.chunks, 1, sizeof *b)) == NULL) return PLY11_ERROR_MEMORY;
  *b = found;
  status = read_block(b, &e);
  if (status == PLY11_OK) status = read_lines(b);
  if (status == PLY11_OK) status = ply11_block_read(&b->is, parts);
  if (status != PLY11_OK) {
    ply11_block_close(&b->is);
    return status;
  }
  *out = &b->is;
  return PLY11_OK;
}

ply11_status ply11_block_read(ply11_block *is, unsigned parts) {
  block *b = (block *)is;
  ply11_status status;
  if ((parts & PLY11_TAGS) && b->first_tag == NULL && (status = read_tags(b)) != PLY11_OK) {
    b->first_tag = NULL;
    return status;
  }
  if ((parts & PLY11_NOTES) && is->clocks == NULL) {
    int32_t *clocks = (int32_t *)grab_for(b, is->plies, 4);
    int16_t *evals = (int16_t *)grab_for(b, is->plies, 2), *start_evals = (int16_t *)grab_for(b, is->games, 2);
    if (clocks == NULL || evals == NULL || start_evals == NULL) return PLY11_ERROR_MEMORY;
    if ((status = read_notes(b, clocks, evals, start_evals)) != PLY11_OK) return status;
    is->clocks = clocks;
    is->evals = evals;
    is->start_evals = start_evals;
  }
  return PLY11_OK;
}

void ply11_block_close(ply11_block *b) {
  chunk *list;
  if (b == NULL) return;
  list = ((block *)b)->chunks; /* the block itself is the last in it */
  release_all(((block *)b)->archive, &list);
}

ply11_status ply11_block_start(const ply11_block *is, uint32_t i, ply11_position *p) {
  block *b = (block *)is;
  ply11_status status;
  ply11_start(p);
  if (i >= is->games) return wrong(b->archive, PLY11_ERROR_ARGUMENT, "there is no game of this number", 0);
  status = game_start(b, i, p);
  if (status != PLY11_OK) bad_game(b, 2, i, ply11_status_text(status));
  return status;
}

ply11_status ply11_window_add(ply11_window *w, const ply11_block *is, int verify, int invalid) {
  static const int8_t results[4][2] = {{-1, 1}, {0, 0}, {1, -1}, {-128, -128}};
  uint32_t i, k;
  for (i = 0; i < is->games; i++) {
    uint32_t from = is->offsets[i], n = is->offsets[i + 1] - from, at = w->plies;
    const uint16_t *moves = is->moves + from;
    ply11_window_game *g = &w->list[w->games];
    ply11_position p, *line = w->positions == NULL ? NULL : w->positions + at;
    int broken = (is->flags[i] & PLY11_GAME_INVALID) != 0;
    unsigned wanted = invalid || !broken;
    ply11_status status = ply11_block_start(is, i, &p);
    if (status != PLY11_OK && !broken) return status;
    g->number = is->first - 1 + i;
    g->begin = at;
    for (k = 0; k < 2; k++) g->results[k] = results[(is->results[i] - PLY11_BLACK_WINS) & 3u][k];
    g->black = p.black;
    g->usual = (uint8_t)usual(&p);
    if (!verify && line != NULL) ply11_replay(&p, moves, n, line);
    else if (verify && ply11_verify(&p, moves, n, line, NULL) != PLY11_OK) return bad_game((block *)is, 2, i, "a move that is not legal");
    for (k = 0; k < n; k++, at++) {
      w->moves[at] = moves[k];
      w->of[at] = w->games;
      w->order[w->rows] = at; /* there is room for it, and the next is written over it if it is no row */
      w->rows += wanted & (moves[k] != PLY11_NULL);
      if (w->repeated != NULL) w->repeated[at] = (uint8_t)((k > 0 ? w->repeated[at - 1] << 1 : 0) | (int)occurred(line, k));
      if (w->evals != NULL) w->evals[at] = k > 0 ? is->evals[from + k - 1] : is->start_evals[i];
    }
    w->plies = at;
    w->games++;
  }
  return PLY11_OK;
}

/* put_planes writes the planes of a row. */
static void put_planes(const ply11_window *w, const ply11_rows *r, const ply11_window_game *g, uint32_t at, size_t row) {
  size_t size = w->repeated != NULL ? PLY11_LC0_PLANES_BYTES : PLY11_PLANES_BYTES, i;
  uint8_t list[PLY11_LC0_PLANES_BYTES], *bits = r->bytes ? list : r->planes + row * size, *bytes = r->planes + row * size * 8;
  if (w->repeated != NULL) lc0_one(w->positions + g->begin, at - g->begin, w->repeated[at], g->usual, bits);
  else ply11_planes(w->positions + at, 1, r->turns, bits);
  if (!r->bytes) return;
  ply11_spread(bits, size, bytes);
  for (i = 0; w->repeated != NULL && i < 64; i++) bytes[109 * 64 + i] = bits[109 * 8]; /* the clock */
}

#if defined(__GNUC__) && !defined(PLY11_PORTABLE)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) (void)(address)
#endif
#define FETCH_ROWS 8 /* before they are made */

void ply11_window_rows(const ply11_window *w, const uint32_t *order, size_t n, const ply11_rows *r, size_t row) {
  size_t i, k, size = (ply11_vocabulary_size(r->vocabulary) + 7) / 8;
  for (i = 0; i < n; i++, row++) {
    uint32_t at = order[i];
    const ply11_window_game *g = &w->list[w->of[at]];
    unsigned black = (g->black ^ (at - g->begin)) & 1u;
    if (n - i > FETCH_ROWS && order[i + FETCH_ROWS] != at + FETCH_ROWS) { /* in a drawn order, rows wait for memory else. In a function of its own, GCC leaves this out */
      uint32_t next = order[i + FETCH_ROWS];
      FETCH(w->of + next);
      FETCH(w->moves + next);
      for (k = 0; w->positions != NULL && k <= next && k < (w->repeated != NULL ? LC0_BOARDS + 0u : 1u); k++) FETCH(w->positions + next - k);
    }
    r->results[row] = g->results[black];
    r->moves[row] = w->moves[at];
    r->games[row] = (int64_t)g->number;
    r->plies[row] = (int32_t)(at - g->begin);
    if (r->evals != NULL) r->evals[row] = (int16_t)(black && w->evals[at] != PLY11_NO_EVAL ? -w->evals[at] : w->evals[at]);
    if (w->positions == NULL) continue;
    if (r->positions != NULL) r->positions[row] = w->positions[at];
    if (r->planes != NULL) put_planes(w, r, g, at, row);
    if (r->labels != NULL) ply11_labels(r->vocabulary, w->positions + at, w->moves + at, 1, r->labels + row);
    if (r->legal != NULL) ply11_label_masks(r->vocabulary, w->positions + at, 1, r->legal + row * size);
  }
}

uint32_t ply11_block_tags(const ply11_block *is, uint32_t i) {
  const block *b = (const block *)is;
  return b->first_tag == NULL || i >= is->games ? 0 : b->first_tag[i + 1] - b->first_tag[i];
}

ply11_tag ply11_block_tag(const ply11_block *is, uint32_t i, uint32_t k) {
  const block *b = (const block *)is;
  ply11_tag tag = {NULL, NULL, 0, 0};
  const uint32_t *value;
  uint32_t name;
  if (k >= ply11_block_tags(is, i)) return tag;
  name = b->shape_names[b->shape_begins[b->shape_of[i]] + k];
  tag.name = (const char *)b->tags + b->names[name];
  while (tag.name[tag.name_size] != 0) tag.name_size++;
  value = b->values + 2 * (size_t)(b->first_tag[i] + k);
  if (value[0] >= VALUE_RESULT) {
    tag.value = result_text(PLY11_BLACK_WINS + (value[0] - VALUE_RESULT));
    while (tag.value[tag.value_size] != 0) tag.value_size++;
  } else {
    tag.value = (const char *)b->tags + value[0];
    tag.value_size = value[1];
  }
  return tag;
}

ply11_status ply11_archive_verify(ply11_archive *a) {
  uint8_t h[HEADER];
  uint64_t games = 0, plies = 0;
  uint32_t i, dense = 0;
  const column *c;
  ply11_status status = read_at(a, 0, h, HEADER);
  if (status != PLY11_OK) return status;
  if (!same(h, (const uint8_t *)"\x89P11\r\n\x1a\n", 8)) return wrong(a, PLY11_ERROR_FORMAT, "this is no archive: it begins with other bytes", 0);
  if (!sealed(h, HEADER)) return corrupt(a, "the header has another checksum", 0);
  for (i = 16; i < 28; i++)
    if (h[i] != 0) break;
  if (get16(h + 8) != 1 || get16(h + 10) != 0 || i < 28) return wrong(a, PLY11_ERROR_LATER, "the archive is of a later version", 0);
  if (get32(h + 12) != a->flags) return corrupt(a, "the footer has other flags than the header", a->footer_at);
  if (a->unfinished > 0) return corrupt(a, "the archive is unfinished: games were not added to the end", a->source.size);
  for (i = 0; i < a->blocks; i++) {
    ply11_block *b;
    if ((status = ply11_block_open(a, i, PLY11_TAGS | PLY11_NOTES, &b)) != PLY11_OK) return status;
    games += b->games;
    plies += b->plies;
    dense += find_column((block *)b, 11) != NULL;
    if ((c = find_column((block *)b, 2)) != NULL && !sound_column((block *)b, c)) status = PLY11_ERROR_CORRUPT;
    ply11_block_close(b);
    if (status != PLY11_OK) return status;
  }
  if (games != a->games || plies != a->plies || dense != a->dense_blocks) return corrupt(a, "the footer has other numbers than the blocks", a->footer_at);
  return PLY11_OK;
}

/* ---- Indexes of positions: docs/INDEXFILE.md; tree files: docs/TREEFILE.md ---- */

#define INDEX_START 16u
#define INDEX_END 128u
#define INDEX_ENTRY 128u
#define MAX_SEGMENTS 64u
#define MAX_BUCKET ((uint64_t)1 << 24)
#define MAX_RECORD ((uint64_t)1 << 20)
#define MAX_INDEX_GAMES ((uint64_t)1 << 36)
#define MAX_POSTINGS 255u /* of a shared position */
#define MAX_REPLAYS 1000u /* of games that may have a rare position: a sound index needs more than one in one question of 64 */
#define FACT_BLOCK 256u
#define LINE_END 2047u
#define VARIATIONS_ONLY 2048u
#define TREE_FIRST 16384u /* the most bytes of a head, which are read at once */
#define TREE_START 52u    /* of them before the entries */
#define TREE_ENTRY 24u
#define TREE_ROOT 680u
#define TREE_LEVELS 3u
#define TREE_PART 65536u /* bytes of a part or page, at most */

typedef struct segment {
  uint64_t offset, size, first, games; /* first: games of the segments before it */
  uint64_t directory, facts_end;       /* in the segment */
  unsigned b, r;
} segment;

struct ply11_index {
  ply11_archive *archive;
  ply11_source source;
  chunk *chunks, *scratch; /* scratch: until the next read */
  ply11_block *last;       /* the block that was replayed last, or NULL */
  int alone;               /* it is a tree file: the archive is its own, and has no games */
  int variations;
  uint64_t least, body; /* of a tree file: the games of a position, and where its head ends */
  unsigned levels;      /* of a tree file: pages between the root and a part */
  uint32_t n;           /* segments, or entries of the root */
  const uint8_t *table;
  segment segments[MAX_SEGMENTS];
  ply11_tree tree;
  ply11_branch branches[PLY11_MOVES + 1];
  uint16_t slots[PLY11_CODES]; /* the number of a code's branch, from 1 */
};

/* A stream of bits, low bits first. It is over when at is beyond size. */
typedef struct stream {
  const uint8_t *bytes;
  size_t size, at; /* at: bits */
  int over;
} stream;

static inline uint64_t stream_take(stream *s, unsigned n) {
  unsigned low = n <= 56 ? n : 32;
  uint64_t v;
  if (s->over || n > 8 * s->size - s->at) {
    s->over = 1;
    return 0;
  }
  v = bits_at(s->bytes, s->size, s->at, low);
  if (low < n) v |= bits_at(s->bytes, s->size, s->at + low, n - low) << low;
  s->at += n;
  return v;
}

/* zeros reads zeros, at most max of them, and the one behind them. */
static unsigned zeros(stream *s, unsigned max) {
  unsigned n = 0;
  while (!s->over) {
    uint64_t v = bits_at(s->bytes, s->size, s->at, 56);
    unsigned more = v == 0 ? 56 : lowest(v);
    n += more;
    s->at += more;
    s->over = n > max || s->at >= 8 * s->size;
    if (v != 0) {
      s->at++;
      break;
    }
  }
  return n;
}

static uint64_t rice(stream *s, unsigned k) {
  uint64_t high = zeros(s, 1u << 24), low;
  if (k > 63 || (k > 0 && high >> (64 - k) != 0)) s->over = 1;
  if (s->over) return 0;
  low = stream_take(s, k);
  return high << k | low;
}

static uint64_t gamma_number(stream *s) {
  unsigned n = zeros(s, 40);
  return s->over ? 1 : (uint64_t)1 << n | stream_take(s, n);
}

static int stream_ends(stream *s) { return !s->over && 8 * s->size - s->at < 8 && stream_take(s, (unsigned)(8 * s->size - s->at)) == 0; }

/* damaged notes an error in the index. */
static ply11_status damaged(ply11_index *x, const char *what, uint64_t offset) { return corrupt(x->archive, what, offset); }

/* fetch reads bytes of the index to memory of a list. */
static ply11_status fetch(ply11_index *x, chunk **list, uint64_t offset, uint64_t size, const uint8_t **bytes) {
  uint8_t *to;
  if (offset > x->source.size || size > x->source.size - offset) return damaged(x, "the index tells of bytes that it does not have", offset);
  if (size > SIZE_MAX) return wrong(x->archive, PLY11_ERROR_MEMORY, "there is not enough memory", offset);
  if ((to = (uint8_t *)grab(x->archive, list, (size_t)size, 1)) == NULL) return PLY11_ERROR_MEMORY;
  if (!x->source.read(x->source.user, offset, to, (size_t)size)) return wrong(x->archive, PLY11_ERROR_READ, "the index cannot be read", offset);
  *bytes = to;
  return PLY11_OK;
}

/* fetch_sealed reads bytes whose last four are the CRC of the others. */
static ply11_status fetch_sealed(ply11_index *x, chunk **list, uint64_t offset, uint64_t size, const uint8_t **bytes) {
  ply11_status status;
  if (size < 4) return damaged(x, "a part of the index is not of its size", offset);
  if ((status = fetch(x, list, offset, size, bytes)) != PLY11_OK) return status;
  if (!sealed(*bytes, (size_t)size)) return damaged(x, "a part of the index has another checksum", offset);
  return PLY11_OK;
}

static int all_zero(const uint8_t *b, size_t n) {
  while (n > 0)
    if (b[--n] != 0) return 0;
  return 1;
}

/* read_segments takes the segments from the table, which begins at a place of the file. */
static ply11_status read_segments(ply11_index *x, const uint8_t *end, uint64_t table) {
  uint64_t games = 0, sums[5] = {0, 0, 0, 0, 0};
  uint32_t i, k;
  for (i = 0; i < x->n; i++) {
    const uint8_t *e = x->table + INDEX_ENTRY * (size_t)i;
    segment *s = &x->segments[i];
    uint64_t buckets;
    s->offset = get64(e);
    s->size = get64(e + 8);
    s->first = games;
    s->games = get64(e + 16);
    s->b = e[36];
    s->r = e[37];
    if (e[38] != 0 || e[39] != 0 || !all_zero(e + 104, 24)) return wrong(x->archive, PLY11_ERROR_LATER, "the index is of a later version", table);
    if (s->b > 36 || s->r < 1 || s->r > 64 - s->b || s->offset < INDEX_START || s->offset > table || s->size > table - s->offset || s->games >= MAX_INDEX_GAMES - games)
      return damaged(x, "a segment of the index has other numbers than it may", table);
    buckets = (uint64_t)1 << s->b;
    s->directory = 12 * buckets + 4 * ((buckets + 255) / 256);
    s->facts_end = 8 * s->games + 4 * ((s->games + FACT_BLOCK - 1) / FACT_BLOCK);
    if (s->directory > s->size || s->facts_end > s->size - s->directory) return damaged(x, "a segment of the index is not of its size", table);
    s->directory = s->size - s->directory;
    for (k = 0; k < i; k++)
      if (s->offset < x->segments[k].offset + x->segments[k].size && x->segments[k].offset < s->offset + s->size)
        return damaged(x, "two segments of the index have the same bytes", table);
    games += s->games;
    sums[4] += get64(e + 24);
    for (k = 0; k < 4; k++) sums[k] += get64(e + 72 + 8 * k);
  }
  for (k = 0; k < 4; k++)
    if (sums[k] != get64(end + 72 + 8 * k)) return damaged(x, "the sums of the index are other ones", table);
  if (games != get64(end + 16) || sums[4] != get64(end + 24)) return damaged(x, "the sums of the index are other ones", table);
  return PLY11_OK;
}

/* read_index reads the start, the trailer and the table. */
static ply11_status read_index(ply11_index *x) {
  ply11_archive *a = x->archive;
  const uint8_t *start, *end;
  uint8_t mark[32];
  uint64_t at = x->source.size - INDEX_END, size, table;
  ply11_status status;
  if (x->source.size < INDEX_START + 4 + INDEX_END) return wrong(a, PLY11_ERROR_FORMAT, "this is no index: it is too short", 0);
  if ((status = fetch(x, &x->chunks, 0, INDEX_START, &start)) != PLY11_OK) return status;
  if (!same(start, (const uint8_t *)"\x89p1x\r\n\x1a\n", 8)) return wrong(a, PLY11_ERROR_FORMAT, "this is no index: it begins with other bytes", 0);
  if (!sealed(start, INDEX_START)) return damaged(x, "the start of the index has another checksum", 0);
  if (get16(start + 8) != 1 || start[10] != 0 || start[11] > 1) return wrong(a, PLY11_ERROR_LATER, "the index is of a later version", 0);
  x->variations = start[11];
  if ((status = fetch_sealed(x, &x->chunks, at, INDEX_END, &end)) != PLY11_OK) return status;
  if (!same(end, (const uint8_t *)"P11XEND\n", 8)) return damaged(x, "the index has no trailer", at);
  if (end[112] > 1 || !all_zero(end + 113, 11) || get32(end + 12) != 0) return wrong(a, PLY11_ERROR_LATER, "the index is of a later version", at);
  x->n = get32(end + 8);
  if (a->source.size < sizeof mark || get64(end + 32) != a->source.size || get64(end + 16) != a->games || get64(end + 24) != a->plies)
    return wrong(a, PLY11_ERROR_ARGUMENT, "the index is of another archive", 0);
  if ((status = read_at(a, a->source.size - sizeof mark, mark, sizeof mark)) != PLY11_OK) return status;
  if (!same(mark, end + 40, sizeof mark)) return wrong(a, PLY11_ERROR_ARGUMENT, "the index is of another archive", 0);
  size = INDEX_ENTRY * (uint64_t)x->n + 4;
  table = get64(end + 104);
  if (x->n > MAX_SEGMENTS || table < INDEX_START || table > at || size > at - table || (end[112] == 0 && size < at - table))
    return damaged(x, "the table of the index is not of its size", at);
  if ((status = fetch_sealed(x, &x->chunks, table, size, &x->table)) != PLY11_OK) return status;
  return read_segments(x, end, table);
}

/* find_entry verifies n entries of a tree file, which begin at a place of it, and finds the last that begins at a position or before: NULL if none does. */
static ply11_status find_entry(ply11_index *x, const uint8_t *list, uint32_t n, uint64_t at, uint64_t hash, unsigned check, const uint8_t **found) {
  const uint8_t *e, *before = NULL;
  *found = NULL;
  for (; n > 0; n--, before = e, list += TREE_ENTRY) {
    uint64_t body = x->source.size - x->body, size = get32(list + 12);
    e = list;
    if (get16(e + 10) != 0) return wrong(x->archive, PLY11_ERROR_LATER, "the tree file is of a later version", at);
    if (size < 9 || size > TREE_PART || size > body || get64(e + 16) > body - size) return damaged(x, "the tree file tells of bytes that it does not have", at);
    if (before != NULL && (get64(before) > get64(e) || (get64(before) == get64(e) && get16(before + 8) >= get16(e + 8))))
      return damaged(x, "the positions of the tree file are not in their order", at);
    if (get64(e) < hash || (get64(e) == hash && get16(e + 8) <= check)) *found = e;
  }
  return PLY11_OK;
}

/* read_head reads the head of a tree file. */
static ply11_status read_head(ply11_index *x) {
  ply11_archive *a = x->archive;
  uint64_t size = x->source.size < TREE_FIRST ? x->source.size : TREE_FIRST;
  const uint8_t *h, *none;
  ply11_status status;
  if ((status = fetch(x, &x->chunks, 0, size, &h)) != PLY11_OK) return status;
  if (size < TREE_START || !same(h, (const uint8_t *)"\x89p1t\r\n\x1a\n", 8)) return wrong(a, PLY11_ERROR_FORMAT, "this is no tree file", 0);
  if (get16(h + 8) != 1) return wrong(a, PLY11_ERROR_LATER, "the tree file is of a later version", 0);
  x->n = get32(h + 48);
  x->body = TREE_START + TREE_ENTRY * (uint64_t)x->n + 4;
  if (x->n > TREE_ROOT || x->body > size || !sealed(h, (size_t)x->body) || get64(h + 40) != x->source.size) return damaged(x, "the tree file has another checksum or size", 0);
  x->least = get16(h + 10);
  x->levels = get16(h + 14);
  a->games = get64(h + 16);
  if (x->least == 0 || get16(h + 12) == 0 || x->levels > TREE_LEVELS || a->games >= MAX_INDEX_GAMES || (x->n == 0 && x->levels > 0))
    return damaged(x, "the tree file is wrong", 0);
  x->table = h + TREE_START;
  return find_entry(x, x->table, x->n, 0, 0, 0, &none);
}

static ply11_status open_index(ply11_index **index, ply11_archive *archive, const ply11_source *source, int alone) {
  chunk *list = NULL;
  ply11_index *x = (ply11_index *)grab(archive, &list, 1, sizeof *x);
  ply11_status status;
  *index = NULL;
  if (x == NULL) return PLY11_ERROR_MEMORY;
  x->archive = archive;
  x->source = *source;
  x->chunks = list;
  x->scratch = NULL;
  x->last = NULL;
  x->alone = 0; /* who fails to open it closes the archive */
  x->variations = 0;
  if ((status = alone ? read_head(x) : read_index(x)) != PLY11_OK) {
    ply11_index_close(x);
    return status;
  }
  x->alone = alone;
  *index = x;
  return PLY11_OK;
}

ply11_status ply11_index_open(ply11_index **index, ply11_archive *archive, const ply11_source *source) { return open_index(index, archive, source, 0); }

ply11_status ply11_tree_open(ply11_index **index, const ply11_source *source, const ply11_memory *memory, ply11_fault *fault) {
  ply11_archive *a = new_archive(source, memory, fault);
  ply11_status status;
  *index = NULL;
  if (a == NULL) return PLY11_ERROR_MEMORY;
  if ((status = open_index(index, a, source, 1)) == PLY11_OK) return PLY11_OK;
  if (fault != NULL) *fault = a->fault;
  ply11_archive_close(a);
  return status;
}

const ply11_fault *ply11_index_fault(const ply11_index *index) { return &index->archive->fault; }

void ply11_index_close(ply11_index *x) {
  chunk *list;
  ply11_archive *a, *own;
  if (x == NULL) return;
  a = x->archive;
  own = x->alone ? a : NULL;
  ply11_block_close(x->last);
  release_all(a, &x->scratch);
  list = x->chunks; /* the index itself is the last in it */
  release_all(a, &list);
  ply11_archive_close(own);
}

static const ply11_counts no_games = {0, 0, 0, 0, 0, 0, 0, 0};

static void add_counts(ply11_counts *to, const ply11_counts *c) {
  to->games += c->games;
  to->white += c->white;
  to->draws += c->draws;
  to->black += c->black;
  to->white_ratings += c->white_ratings;
  to->white_rated += c->white_rated;
  to->black_ratings += c->black_ratings;
  to->black_rated += c->black_rated;
}

/* sane tells whether counts of games may be. */
static int sane(const ply11_counts *c, uint64_t games) {
  return c->games <= games && games <= MAX_INDEX_GAMES && c->white <= c->games && c->draws <= c->games - c->white && c->black <= c->games - c->white - c->draws &&
         c->white_rated <= c->games && c->black_rated <= c->games && c->white_ratings <= 9999 * c->white_rated && c->black_ratings <= 9999 * c->black_rated;
}

/* known_word tells whether a word is one of a posting. */
static int known_word(const ply11_index *x, unsigned word) {
  if (x->variations) word &= VARIATIONS_ONLY - 1;
  return word < PLY11_MOVES || word == PLY11_NULL || word == LINE_END;
}

/* add_branch counts games that play a word of a main line. */
static void add_branch(ply11_index *x, unsigned word, const ply11_counts *c) {
  ply11_branch *to;
  if (word >= LINE_END) return;
  if (x->slots[word] == 0) {
    to = &x->branches[x->tree.count++];
    to->code = (uint16_t)word;
    to->counts = no_games;
    x->slots[word] = (uint16_t)x->tree.count;
  }
  add_counts(&x->branches[x->slots[word] - 1].counts, c);
}

/* get_facts makes the counts of one game of a segment, whose number is from 1. */
static ply11_status get_facts(ply11_index *x, const segment *s, uint64_t game, ply11_counts *c) {
  uint64_t first = (game - 1) / FACT_BLOCK * FACT_BLOCK, n = s->games - first, f, white, black;
  const uint8_t *b;
  chunk *list = NULL;
  ply11_status status;
  if (n > FACT_BLOCK) n = FACT_BLOCK;
  status = fetch_sealed(x, &list, s->offset + 8 * first + 4 * (first / FACT_BLOCK), 8 * n + 4, &b);
  f = status == PLY11_OK ? get64(b + 8 * (game - 1 - first)) : 0;
  release_all(x->archive, &list);
  if (status != PLY11_OK) return status;
  if (f >> 59 != 0) return wrong(x->archive, PLY11_ERROR_LATER, "the index is of a later version", s->offset);
  *c = no_games;
  c->games = 1;
  c->white = (f & 3) == 1;
  c->black = (f & 3) == 2;
  c->draws = (f & 3) == 3;
  white = (f >> 2 & 65535) - 1; /* the rating; what has none is above 9999, or below 1 */
  black = (f >> 18 & 65535) - 1;
  if (white - 1 < 9999) {
    c->white_ratings = white;
    c->white_rated = 1;
  }
  if (black - 1 < 9999) {
    c->black_ratings = black;
    c->black_rated = 1;
  }
  return PLY11_OK;
}

/* read_counts reads the counts of a record. */
static int read_counts(const uint8_t *b, size_t size, size_t *at, uint64_t games, ply11_counts *c) {
  uint64_t v[11], game, sum;
  unsigned i;
  for (i = 0; i < 11; i++)
    if (!varint(b, size, at, &v[i])) return 0;
  c->games = v[0];
  c->white = v[1];
  c->draws = v[2];
  c->black = v[3];
  c->white_ratings = v[4];
  c->white_rated = v[5];
  c->black_ratings = v[6];
  c->black_rated = v[7];
  if (v[8] > 9999 || v[9] > 9999 || v[10] > 8 || !sane(c, games)) return 0;
  for (; v[10] > 0; v[10]--)
    if (!varint(b, size, at, &game) || !varint(b, size, at, &sum) || game < 1 || game > games) return 0;
  return 1;
}

/* read_record counts what the record of a common position tells. */
static ply11_status read_record(ply11_index *x, const segment *s, uint64_t offset, uint32_t size) {
  const uint8_t *b;
  size_t at = 0, end;
  uint64_t words, length, lists = 0;
  uint32_t before = 0;
  ply11_counts c;
  ply11_status status;
  if (size > MAX_RECORD || offset < s->facts_end || offset > s->directory || size > s->directory - offset)
    return damaged(x, "a record of the index is not in its segment", s->offset);
  if ((status = fetch_sealed(x, &x->scratch, s->offset + offset, size, &b)) != PLY11_OK) return status;
  end = size - 4;
  if (!read_counts(b, end, &at, s->games, &c)) return damaged(x, "a record of the index is wrong", s->offset + offset);
  add_counts(&x->tree.all, &c);
  if ((x->variations && !read_counts(b, end, &at, s->games, &c)) || !varint(b, end, &at, &words)) return damaged(x, "a record of the index is wrong", s->offset + offset);
  for (; words > 0; words--) {
    uint32_t word;
    if (end - at < 2) return damaged(x, "a record of the index is wrong", s->offset + offset);
    word = get16(b + at);
    at += 2;
    if (word < before || !known_word(x, word) || !read_counts(b, end, &at, s->games, &c) || !varint(b, end, &at, &length) || length > offset - lists)
      return damaged(x, "a record of the index is wrong", s->offset + offset);
    before = word + 1;
    lists += length;
    add_branch(x, word, &c);
  }
  return at == end ? PLY11_OK : damaged(x, "a record of the index is wrong", s->offset + offset);
}

/* replay_game counts a game of a segment, if it reaches a position in its main line; hit gets whether it does. */
static ply11_status replay_game(ply11_index *x, const segment *s, uint64_t game, const ply11_position *p, uint64_t hash, int *hit) {
  uint8_t played[PLY11_CODES / 8] = {0};
  ply11_archive *a = x->archive;
  ply11_block *b;
  ply11_position q;
  ply11_counts c;
  uint32_t number, i, k;
  ply11_status status = ply11_archive_find(a, s->first + game, &number);
  if (status != PLY11_OK) return status;
  if (x->last == NULL || x->last->number != number) {
    ply11_block_close(x->last);
    if ((status = ply11_block_open(a, number, PLY11_LINES, &x->last)) != PLY11_OK) return status;
  }
  b = x->last;
  i = (uint32_t)(s->first + game - b->first);
  *hit = 0;
  if (ply11_block_start(b, i, &q) == PLY11_OK) {
    for (k = b->offsets[i];; k++) {
      int ends = k == b->offsets[i + 1];
      unsigned word = ends ? LINE_END : b->moves[k];
      if (same_pieces(p, &q) && p->black == q.black && polyglot(&q) == hash) {
        if (!*hit && (status = get_facts(x, s, game, &c)) != PLY11_OK) break;
        if (!*hit) add_counts(&x->tree.all, &c);
        *hit = 1;
        if (!(played[word / 8] >> word % 8 & 1)) add_branch(x, word, &c);
        played[word / 8] = (uint8_t)(played[word / 8] | 1u << word % 8);
      }
      if (ends) break;
      ply11_make(&q, word);
    }
  }
  return status;
}

/* read_shared reads a shared position's postings, and counts them if it is the one that is asked for. */
static ply11_status read_shared(ply11_index *x, const segment *s, stream *f, int wanted) {
  static const char what[] = "a shared position of the index is wrong";
  unsigned bits = length_of(s->games - 1), width = x->variations ? 12 : 11, met = 0, postings = 0, i;
  uint64_t met_games[MAX_POSTINGS], words = gamma_number(f), before = 0;
  ply11_status status;
  for (; words > 0 && !f->over; words--) {
    uint64_t word = stream_take(f, width), n = gamma_number(f), game = 0, k;
    if (word < before || !known_word(x, (unsigned)word) || n > MAX_POSTINGS - postings || n > s->games) return damaged(x, what, s->offset);
    before = word + 1;
    postings += (unsigned)n;
    for (k = 0; k < n; k++) {
      uint64_t step = k == 0 ? stream_take(f, bits) : rice(f, s->games / n > 1 ? length_of(s->games / n) - 1 : 0);
      ply11_counts c;
      if (f->over || step >= s->games - game) return damaged(x, what, s->offset);
      game += step + 1;
      if (!wanted || word >= VARIATIONS_ONLY) continue;
      if ((status = get_facts(x, s, game, &c)) != PLY11_OK) return status;
      add_branch(x, (unsigned)word, &c);
      for (i = 0; i < met && met_games[i] != game; i++) {}
      if (i < met) continue;
      met_games[met++] = game;
      add_counts(&x->tree.all, &c);
    }
  }
  return f->over ? damaged(x, what, s->offset) : PLY11_OK;
}

/* look_up counts what a segment has of a position. */
static ply11_status look_up(ply11_index *x, const segment *s, const ply11_position *p, uint64_t hash, unsigned check) {
  unsigned w = 64 - s->b, k;
  uint64_t number = s->b ? hash >> w : 0, rest = s->b ? hash & (((uint64_t)1 << w) - 1) : hash, page = number / 256 * 256;
  uint64_t entries = ((uint64_t)1 << s->b) - page, offset, common, shared, rare, at_rest = 0, prefix = 0, i, tried = 0;
  uint32_t size, last = 0;
  const uint8_t *b;
  size_t at = 0;
  stream f;
  int found = 0;
  ply11_status status;
  if (entries > 256) entries = 256;
  if ((status = fetch_sealed(x, &x->scratch, s->offset + s->directory + 12 * page + 4 * (page / 256), 12 * entries + 4, &b)) != PLY11_OK) return status;
  offset = get64(b + 12 * (number - page));
  size = get32(b + 12 * (number - page) + 8);
  if (size > MAX_BUCKET || offset < s->facts_end || offset > s->directory || size > s->directory - offset) return damaged(x, "a bucket of the index is not in its segment", s->offset);
  if ((status = fetch_sealed(x, &x->scratch, s->offset + offset, size, &b)) != PLY11_OK) return status;
  size -= 4;
  if (!varint(b, size, &at, &common) || !varint(b, size, &at, &shared) || !varint(b, size, &at, &rare) || common > (size - at) / 22 ||
      (s->games == 0 && (common | shared | rare) != 0))
    return damaged(x, "a bucket of the index is wrong", s->offset + offset);
  for (i = 0; i < common; i++, at += 22) {
    if (get64(b + at) != rest || get16(b + at + 8) != check) continue;
    found = 1;
    if ((status = read_record(x, s, get64(b + at + 10), get32(b + at + 18))) != PLY11_OK) return status;
  }
  f.bytes = b + at;
  f.size = size - at;
  f.at = 0;
  f.over = 0;
  k = length_of(shared) < w ? w - length_of(shared) : 0;
  for (i = 0; i < shared; i++) {
    uint64_t step = rice(&f, k);
    uint32_t its = (uint32_t)stream_take(&f, 16);
    if (f.over || step > UINT64_MAX - at_rest || (i > 0 && step == 0 && its <= last)) return damaged(x, "the positions of the index are not in their order", s->offset + offset);
    at_rest += step;
    last = its;
    if (at_rest == rest && its == check) found = 1;
    if ((status = read_shared(x, s, &f, at_rest == rest && its == check)) != PLY11_OK) return status;
  }
  k = length_of(rare) < s->r ? s->r - length_of(rare) : 0;
  for (i = 0; i < rare; i++) {
    uint64_t step = rice(&f, k), game = stream_take(&f, length_of(s->games - 1)) + 1;
    if (f.over || step > UINT64_MAX - prefix || game > s->games) return damaged(x, "a rare position of the index is wrong", s->offset + offset);
    prefix += step;
    if (found || prefix != rest >> (w - s->r)) continue;
    if (++tried > MAX_REPLAYS) return wrong(x->archive, PLY11_ERROR_UNSUPPORTED, "too many games may have the position", s->offset + offset);
    if ((status = replay_game(x, s, game, p, hash, &found)) != PLY11_OK) return status;
  }
  return stream_ends(&f) ? PLY11_OK : damaged(x, "a bucket of the index does not end where it should", s->offset + offset);
}

/* take_counts reads counts of a tree file. */
static int take_counts(stream *f, uint64_t games, ply11_counts *c) {
  c->games = gamma_number(f);
  if (f->over || c->games > games) return 0;
  c->white = stream_take(f, length_of(c->games));
  if (c->white > c->games) return 0;
  c->draws = stream_take(f, length_of(c->games - c->white));
  if (c->draws > c->games - c->white) return 0;
  c->black = stream_take(f, length_of(c->games - c->white - c->draws));
  c->white_rated = stream_take(f, length_of(c->games));
  c->white_ratings = stream_take(f, length_of(9999 * c->white_rated));
  c->black_rated = stream_take(f, length_of(c->games));
  c->black_ratings = stream_take(f, length_of(9999 * c->black_rated));
  return !f->over && sane(c, games);
}

/* look_up_part counts what a tree file has of a position. */
static ply11_status look_up_part(ply11_index *x, uint64_t hash, unsigned check) {
  static const char what[] = "a part or page of the tree file is wrong";
  uint64_t at_offset = 0, at_hash = 0, games = x->archive->games;
  uint32_t i, n = x->n, its = 0, before = 0, size;
  unsigned level;
  const uint8_t *b = x->table, *first;
  stream f;
  ply11_status status;
  for (level = 0;; level++) {
    if ((status = find_entry(x, b, n, at_offset, hash, check, &first)) != PLY11_OK || first == NULL) return status;
    at_offset = x->body + get64(first + 16);
    size = get32(first + 12);
    if ((status = fetch_sealed(x, &x->scratch, at_offset, size, &b)) != PLY11_OK) return status;
    if (level == x->levels) break;
    n = (size - 4) / TREE_ENTRY;
    if (n == 0 || (size - 4) % TREE_ENTRY != 0 || !same(b, first, 10)) return damaged(x, what, at_offset);
  }
  f.bytes = b + 4;
  f.size = size - 8;
  f.at = 0;
  f.over = 0;
  at_hash = get64(first);
  for (n = get32(b), i = 0; i < n; i++) {
    unsigned bits = (unsigned)stream_take(&f, 7);
    uint64_t step = bits > 64 ? 0 : bits > 1 ? (uint64_t)1 << (bits - 1) | stream_take(&f, bits - 1) : bits, words, last = 0;
    ply11_counts sum = no_games, c;
    int wanted;
    before = its;
    its = (uint32_t)stream_take(&f, 16);
    words = gamma_number(&f);
    if (f.over || bits > 64 || step > UINT64_MAX - at_hash || words > PLY11_CODES || (i == 0 ? step != 0 || its != get16(first + 8) : step == 0 && its <= before))
      return damaged(x, what, at_offset);
    at_hash += step;
    wanted = at_hash == hash && its == check;
    for (; words > 0; words--) {
      uint64_t word = stream_take(&f, 11);
      if (word < last || !known_word(x, (unsigned)word) || !take_counts(&f, games, &c)) return damaged(x, what, at_offset);
      last = word + 1;
      add_counts(&sum, &c);
      if (wanted) add_branch(x, (unsigned)word, &c);
    }
    if (stream_take(&f, 1)) {
      if (!take_counts(&f, games, &c) || c.games > sum.games || same((const uint8_t *)&c, (const uint8_t *)&sum, sizeof c)) return damaged(x, what, at_offset);
      sum = c;
    }
    if (f.over || sum.games < x->least || !sane(&sum, games)) return damaged(x, what, at_offset);
    if (wanted) add_counts(&x->tree.all, &sum);
  }
  return n > 0 && stream_ends(&f) ? PLY11_OK : damaged(x, what, at_offset);
}

ply11_status ply11_index_tree(ply11_index *x, const ply11_position *p, const ply11_tree **tree) {
  uint64_t hash = polyglot(p), check = 0;
  uint32_t i, k;
  ply11_status status = PLY11_OK;
  for (i = 0; i < 4; i++) {
    check = (check ^ p->plane[i]) * 0x9e3779b97f4a7c15u;
    check ^= check >> 32;
  }
  for (i = 0; i < PLY11_CODES; i++) x->slots[i] = 0;
  x->tree.all = no_games;
  x->tree.count = 0;
  x->tree.branches = x->branches;
  *tree = NULL;
  if (x->alone) status = look_up_part(x, hash, (unsigned)(check >> 48));
  for (i = 0; !x->alone && i < x->n && status == PLY11_OK; i++) {
    status = look_up(x, &x->segments[i], p, hash, (unsigned)(check >> 48));
    release_all(x->archive, &x->scratch);
  }
  release_all(x->archive, &x->scratch);
  if (status != PLY11_OK) return status;
  for (i = 1; i < x->tree.count; i++) { /* the most frequent first, then by their codes */
    ply11_branch b = x->branches[i];
    for (k = i; k > 0 && (x->branches[k - 1].counts.games < b.counts.games || (x->branches[k - 1].counts.games == b.counts.games && x->branches[k - 1].code > b.code)); k--)
      x->branches[k] = x->branches[k - 1];
    x->branches[k] = b;
  }
  *tree = &x->tree;
  return PLY11_OK;
}
