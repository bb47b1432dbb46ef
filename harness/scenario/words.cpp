#include "scenario/words.hpp"

namespace vmtax::scenario {

std::string_view to_text(Backing value) {
  return word_of(backing_words, value);
}
std::string_view to_text(Filesystem value) {
  return word_of(filesystem_words, value);
}
std::string_view to_text(Bus value) {
  return word_of(bus_words, value);
}
std::string_view to_text(CacheMode value) {
  return word_of(cache_words, value);
}
std::string_view to_text(IoMode value) {
  return word_of(io_words, value);
}
std::string_view to_text(Discard value) {
  return word_of(discard_words, value);
}
std::string_view to_text(DetectZeroes value) {
  return word_of(detect_zeroes_words, value);
}
std::string_view to_text(Preallocation value) {
  return word_of(preallocation_words, value);
}
std::string_view to_text(Accelerator value) {
  return word_of(accelerator_words, value);
}
std::string_view to_text(VisitKind value) {
  return word_of(visit_words, value);
}
std::string_view to_text(ReportFormat value) {
  return word_of(format_words, value);
}

}  // namespace vmtax::scenario
