// OpenSSL's plain functions are deprecated in favour of EVP, which would put the provider machinery
// (3 MB, dlopen) into the static agent; these are 26 KB.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "agent/sha256.hpp"

#include <array>
#include <fstream>

#include <openssl/sha.h>

namespace vmtax::agent {

std::string sha256_of_file(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return {};
  SHA256_CTX context;
  SHA256_Init(&context);
  std::array<char, 65536> chunk;
  while (file.read(chunk.data(), chunk.size()) || file.gcount() > 0)
    SHA256_Update(&context, chunk.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return {};
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256_Final(digest.data(), &context);
  std::string hex;
  for (const unsigned char byte : digest) {
    constexpr char digits[] = "0123456789abcdef";
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

}  // namespace vmtax::agent
