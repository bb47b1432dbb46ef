#include "protocol/frame.hpp"

#include <random>
#include <vector>

#include "protocol/crc32.hpp"
#include "support/catch.hpp"

using namespace vmtax::protocol;
using Item = FrameDecoder::Item;

namespace {

const std::string payload = R"({"seq":7,"type":"ping"})";

std::vector<Item> decode_all(std::string_view bytes, std::size_t portion = 0) {
  FrameDecoder decoder;
  std::vector<Item> items;
  if (portion == 0) portion = std::max<std::size_t>(1, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += portion) {
    decoder.feed(bytes.substr(at, portion));
    while (auto item = decoder.next()) items.push_back(std::move(*item));
  }
  return items;
}

}  // namespace

TEST_CASE("the CRC is the one of Ethernet and gzip") {
  CHECK(crc32("123456789") == 0xCBF43926);
  CHECK(crc32("") == 0);
}

TEST_CASE("a frame has its literal form and is read back, in any portions") {
  CHECK(encode_frame("{}") == "2 a3a6bf43 {}\n");
  const auto two = encode_frame(payload) + "\n \r\n" + encode_frame("{}");
  for (const std::size_t portion : {1U, 2U, 3U, 7U, 1000U}) {
    const auto items = decode_all(two, portion);
    REQUIRE(items.size() == 2);
    CHECK(items[0] == Item{payload});
    CHECK(items[1] == Item{std::string{"{}"}});
  }
}

TEST_CASE("a frame torn at any byte is a fault, and the next one is read") {
  const auto frame = encode_frame(payload);
  for (std::size_t kept = 1; kept + 1 < frame.size(); ++kept) {
    CAPTURE(kept);
    const auto items = decode_all(frame.substr(0, kept) + "\n" + frame);
    REQUIRE(items.size() == 2);
    CHECK(std::holds_alternative<FrameFault>(items[0]));
    CHECK(items[1] == Item{payload});
  }
  CHECK(decode_all(frame.substr(0, frame.size() - 4) + "\n") ==
        std::vector<Item>{FrameFault::truncated});
}

TEST_CASE("a frame whose beginning is lost at any byte is a fault") {
  const auto frame = encode_frame(payload);
  for (std::size_t lost = 1; lost + 1 < frame.size(); ++lost) {
    CAPTURE(lost);
    const auto items = decode_all(frame.substr(lost) + frame);
    REQUIRE(items.size() == 2);
    CHECK(std::holds_alternative<FrameFault>(items[0]));
    CHECK(items[1] == Item{payload});
  }
}

TEST_CASE("a changed bit is found wherever it is") {
  const auto frame = encode_frame(payload);
  for (std::size_t at = 0; at + 1 < frame.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      auto changed = frame;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      CAPTURE(at, bit);
      for (const auto& item : decode_all(changed))
        // A hex digit of the checksum may change its case: the same number.
        CHECK((std::holds_alternative<FrameFault>(item) || std::get<std::string>(item) == payload));
    }
  auto changed = frame;
  changed[frame.size() - 3] = '!';
  CHECK(decode_all(changed) == std::vector<Item>{FrameFault::bad_checksum});
}

TEST_CASE("console noise is garbage") {
  const auto noise = std::string{"[    0.000000] Linux version 6.1\nlogin: \x1b[0m\n"};
  const auto items = decode_all(noise + encode_frame(payload));
  REQUIRE(items.size() == 3);
  CHECK(items[0] == Item{FrameFault::garbage});
  CHECK(items[1] == Item{FrameFault::garbage});
  CHECK(items[2] == Item{payload});
}

TEST_CASE("an oversized line is one fault, its rest is passed over, memory stays bounded") {
  FrameDecoder decoder;
  const std::string chunk(1 << 16, 'x');
  int faults = 0;
  for (std::size_t fed = 0; fed < 3 * max_frame_size; fed += chunk.size()) {
    decoder.feed(chunk);
    while (const auto item = decoder.next()) {
      CHECK(*item == Item{FrameFault::oversized});
      ++faults;
    }
  }
  CHECK(faults == 1);
  decoder.feed("\n" + encode_frame(payload));
  CHECK(decoder.next() == Item{payload});
  CHECK_FALSE(decoder.next());
}

TEST_CASE("a length beyond the limit is refused before its bytes come") {
  CHECK(decode_all("999999999 00000000 {}\n") == std::vector<Item>{FrameFault::oversized});
  CHECK(decode_all("99999999999999999999 00000000 {}\n") == std::vector<Item>{FrameFault::garbage});
}

TEST_CASE("random bytes never give a payload and never stop the decoder") {
  std::mt19937 random{3};
  std::string noise(1 << 18, '\0');
  for (auto& c : noise) c = static_cast<char>(random() % (random() % 8 ? 64 : 256));
  const auto items = decode_all(noise + "\n" + encode_frame(payload), 997);
  REQUIRE(items.size() > 10);
  for (std::size_t i = 0; i + 1 < items.size(); ++i)
    REQUIRE(std::holds_alternative<FrameFault>(items[i]));
  CHECK(items.back() == Item{payload});
}
