// Short forms for writing the tables of shapes.
#pragma once

#include <memory>
#include <utility>

#include "scenario/shape.hpp"
#include "scenario/words.hpp"

namespace vmtax::scenario {

template <typename Kind>
std::shared_ptr<const Shape> shape_of(Kind kind) {
  return std::make_shared<const Shape>(Shape{std::move(kind)});
}

template <typename E, std::size_t N>
std::shared_ptr<const Shape> one_word(const Words<E, N>& words, std::vector<Refusal> refused = {}) {
  return shape_of(Word{all_words(words), std::move(refused)});
}

inline std::shared_ptr<const Shape> list_of(std::shared_ptr<const Shape> item) {
  return shape_of(ListOf{std::move(item), false, false});
}

inline std::shared_ptr<const Shape> unique_list_of(std::shared_ptr<const Shape> item) {
  return shape_of(ListOf{std::move(item), false, true});
}

inline std::shared_ptr<const Shape> one_or_more(std::shared_ptr<const Shape> item) {
  return shape_of(ListOf{std::move(item), true, true});
}

/// A name of anything: people may use any text that fits on a line.
std::shared_ptr<const Shape> name_shape();

Section drive_section();
Section guest_section();
Section measure_section();
Section report_section();

inline constexpr std::string_view not_yet = "is not available in this version yet";

}  // namespace vmtax::scenario
