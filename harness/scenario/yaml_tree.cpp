#include "scenario/yaml_tree.hpp"

#include <algorithm>
#include <istream>
#include <optional>
#include <sstream>
#include <streambuf>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "scenario/fault.hpp"
#include "scenario/source.hpp"

namespace vmtax::scenario {
namespace {

constexpr std::size_t deepest = 16;
constexpr std::string_view plain_yaml =
    "one YAML document of maps, lists and plain or quoted values";

// yaml-cpp counts lines from 0 and columns in bytes from 0; people count characters from 1.
class Marks {
 public:
  Marks(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    starts_.push_back(0);
    for (std::size_t at = 0; at < text.size(); ++at)
      if (text[at] == '\n') starts_.push_back(at + 1);
  }

  Mark at(const YAML::Mark& mark) const {
    if (mark.is_null()) return {file_, 1, 1};
    const auto line = std::min(static_cast<std::size_t>(mark.line), starts_.size() - 1);
    const auto before =
        text_.substr(starts_[line]).substr(0, static_cast<std::size_t>(mark.column));
    return {file_, static_cast<int>(line) + 1, static_cast<int>(count_characters(before)) + 1};
  }

  // yaml-cpp takes the end of the file for a closing quote.
  bool quote_is_closed(const YAML::Mark& mark) const {
    std::size_t at = start_of(mark) + static_cast<std::size_t>(mark.column);
    const char quote = at < text_.size() ? text_[at] : ' ';
    if (quote != '"' && quote != '\'') return true;
    while (++at < text_.size()) {
      if (quote == '"' && text_[at] == '\\') {
        ++at;
      } else if (text_[at] == quote) {
        const bool doubled = quote == '\'' && at + 1 < text_.size() && text_[at + 1] == quote;
        if (!doubled) return true;
        ++at;
      }
    }
    return false;
  }

  bool has_tab_before(const YAML::Mark& mark) const {
    const auto line = text_.substr(start_of(mark));
    return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
  }

  // Whether something is written where the mark points, and not just the next token's begin.
  bool points_at_null(const YAML::Mark& mark) const {
    if (mark.is_null() || static_cast<std::size_t>(mark.line) >= starts_.size()) return false;
    const auto rest = text_.substr(starts_[static_cast<std::size_t>(mark.line)])
                          .substr(0, static_cast<std::size_t>(mark.column) + 1);
    return rest.size() == static_cast<std::size_t>(mark.column) + 1 &&
           (rest.back() == '~' || rest.back() == 'n' || rest.back() == 'N');
  }

 private:
  std::size_t start_of(const YAML::Mark& mark) const {
    return starts_[std::min(static_cast<std::size_t>(mark.line), starts_.size() - 1)];
  }

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> starts_;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Marks& marks) : marks_(marks) {}

  std::optional<Node> root;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (root) fail(marks_.at(mark), "a second document begins here", plain_yaml);
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    fail(marks_.at(mark), fmt::format("anchor &{} is not supported", printable(name)), plain_yaml);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(marks_.at(mark), "an alias (*name) is not supported", plain_yaml);
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Node node;
    node.mark = marks_.at(mark);
    const bool value_of_key = !open_.empty() && open_.back().key;
    if (value_of_key && !marks_.points_at_null(mark)) node.mark = open_.back().key->mark;
    add(std::move(node));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    Node node;
    node.kind = Node::Kind::scalar;
    node.mark = marks_.at(mark);
    refuse_tag(node.mark, tag);
    node.text = value;
    node.quoted = tag == "!";
    if (node.quoted && !marks_.quote_is_closed(mark))
      fail(node.mark, "not valid YAML: a quote is not closed", plain_yaml);
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::list, mark, tag);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::map, mark, tag);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    std::optional<Entry> key;  ///< of a map, while its value is awaited
  };

  static void refuse_tag(const Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    fail(mark, fmt::format("tag {} is not supported", printable(tag)), plain_yaml);
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    Open next;
    next.node.kind = kind;
    next.node.mark = marks_.at(mark);
    refuse_tag(next.node.mark, tag);
    if (open_.size() == deepest)
      fail(next.node.mark, "nested too deeply", fmt::format("at most {} levels", deepest));
    if (awaits_key())
      fail(next.node.mark, "a map or list as a key", "plain or quoted text as a key");
    open_.push_back(std::move(next));
  }

  void close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  bool awaits_key() const {
    return !open_.empty() && open_.back().node.kind == Node::Kind::map && !open_.back().key;
  }

  void add(Node node) {
    if (open_.empty()) {
      root = std::move(node);
    } else if (open_.back().node.kind == Node::Kind::list) {
      open_.back().node.items.push_back(std::move(node));
    } else if (open_.back().key) {
      open_.back().key->value = std::move(node);
      open_.back().node.entries.push_back(*std::exchange(open_.back().key, std::nullopt));
    } else {
      begin_entry(std::move(node));
    }
  }

  void begin_entry(Node key) {
    if (key.kind != Node::Kind::scalar)
      fail(key.mark, "a key is empty", "plain or quoted text as a key");
    if (key.text == "<<" && !key.quoted)
      fail(key.mark, "merge key << is not supported", plain_yaml);
    for (const auto& entry : open_.back().node.entries)
      if (entry.key == key.text)
        fail(key.mark,
             fmt::format("key '{}' is given twice, first in line {}", printable(key.text),
                         entry.mark.line),
             "each key once");
    open_.back().key = Entry{key.text, key.mark, {}};
  }

  const Marks& marks_;
  std::vector<Open> open_;
};

// The parser's own words name its internals ("bad file" when its recursion ends).
std::string explained(const std::string& message) {
  return message == "bad file" ? "nested too deeply" : message;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return entry == entries.end() ? nullptr : &entry->value;
}

const Mark& Node::key_mark(std::string_view key) const {
  return std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; })
      ->mark;
}

Node parse_yaml(std::string_view text, const std::string& file) {
  check_source(text, file);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const Marks marks(text, file);
  TreeBuilder builder(marks);
  try {
    std::istringstream stream{std::string{text}};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& e) {
    const bool tab = !e.mark.is_null() && marks.has_tab_before(e.mark);
    fail(marks.at(e.mark),
         fmt::format("not valid YAML: {}",
                     tab ? "a tab in the indentation" : printable(explained(e.msg))),
         plain_yaml);
  }
  if (!builder.root || builder.root->kind == Node::Kind::null)
    fail({file, 1, 1}, "the scenario is empty",
         "a map with version, name, drives, configurations, workloads");
  return *std::move(builder.root);
}

}  // namespace vmtax::scenario
