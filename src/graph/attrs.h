// Attrs: the parsed attributes of one node. AttrSpec: what one attribute of an operator may be, and its
// default.
//
// Every value in a model file is text ("(3, 3)", "True", "1e-05"). An operator declares its attributes once,
// as a list of AttrSpec. parse_attrs() parses the text, fills in defaults and rejects invalid values, so
// operators read values that are present and in range:
//
//   attrs.integer("num_filter"), attrs.tuple("kernel"), attrs.flag("no_bias"), attrs.choice("act_type")
#pragma once

#include <mxinfer/dtype.h>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mxinfer::graph {

enum class AttrKind {
  integer,      ///< "3"
  number,       ///< "0.001", "inf", "nan"
  flag,         ///< "True", "False", "1", "0"
  text,         ///< anything
  choice,       ///< one of a list of words
  int_tuple,    ///< "(3, 3)", "[3]", "3", "()"; elements may be None if the operator allows it
  number_tuple  ///< "(0.1, 0.2)"
};

/// An element of an int_tuple; nullopt for None.
using OptionalInt = std::optional<std::int64_t>;
using IntTuple = std::vector<OptionalInt>;

/// The value of an unset attribute. Unlike std::monostate it has its own copy constructor: libstdc++ 12
/// treats a variant of trivial or library types as never valueless, and if a copy throws bad_alloc, it
/// destroys a value that does not exist.
struct None {
  None() = default;
  None(const None&) noexcept {}
  None& operator=(const None&) noexcept { return *this; }
  friend bool operator==(const None&, const None&) { return true; }
};

/// A parsed value.
using AttrValue = std::variant<None, std::int64_t, double, bool, std::string, IntTuple, std::vector<double>>;

struct AttrSpec {
  std::string name;
  AttrKind kind;
  bool required = false;
  bool nullable = false;       ///< None is a value
  std::string default_text{};  ///< as MXNet documents it; unused if required
  std::vector<std::string> choices{};
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  /// Accepted and checked, but without a meaning at inference (workspace, cudnn_tune, ...).
  bool ignored = false;

  // Refinements, to be chained: integer_attr("num_filter").at_least(1).
  AttrSpec at_least(double value) &&;
  AttrSpec at_most(double value) &&;
  AttrSpec optional_none() &&;  ///< None is accepted, and is the default unless one was given
  AttrSpec without_effect() &&;
};

// Constructors of specs. Those without a default value are required.
AttrSpec integer_attr(std::string name);
AttrSpec integer_attr(std::string name, std::int64_t default_value);
AttrSpec number_attr(std::string name);
AttrSpec number_attr(std::string name, double default_value);
AttrSpec flag_attr(std::string name, bool default_value);
AttrSpec text_attr(std::string name, std::string default_value);
AttrSpec choice_attr(std::string name, std::vector<std::string> choices);
AttrSpec choice_attr(std::string name, std::vector<std::string> choices, std::string default_value);
AttrSpec tuple_attr(std::string name);
AttrSpec tuple_attr(std::string name, std::string default_value);  ///< "()" , "(1, 1)", "None"
AttrSpec number_tuple_attr(std::string name);
AttrSpec number_tuple_attr(std::string name, std::string default_value);
/// The dtype names of MXNet, or their numbers; read with Attrs::dtype().
AttrSpec dtype_attr(std::string name);
AttrSpec dtype_attr(std::string name, std::string default_value);

class Attrs {
 public:
  /// Whether the attribute has a value that is not None.
  bool has(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  float number32(std::string_view name) const { return static_cast<float>(number(name)); }
  bool flag(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  const std::string& choice(std::string_view name) const { return text(name); }
  /// The dtype of a dtype_attr, or of a choice of dtype names.
  DType dtype(std::string_view name) const;
  /// A tuple without None elements; Error(unsupported) if one is None.
  std::vector<std::int64_t> tuple(std::string_view name) const;
  const IntTuple& optional_tuple(std::string_view name) const;
  const std::vector<double>& number_tuple(std::string_view name) const;
  /// Whether the file or a pass set the attribute, rather than its default.
  bool given(std::string_view name) const;

  /// For passes and tests that create nodes.
  void set(std::string name, AttrValue value, bool given = true);

 private:
  struct Entry {
    AttrValue value;
    bool given = false;
  };
  const AttrValue& get(std::string_view name) const;
  std::map<std::string, Entry, std::less<>> values_;
};

/// Parses the raw attributes of a node by `specs`. Skips attributes of the form __x__, which are annotations.
/// Throws Error(malformed) for a value that does not parse or is out of range, a required attribute that is
/// missing, or a name that is not in specs; the message names the attribute, what was given and what was
/// expected.
Attrs parse_attrs(const std::vector<AttrSpec>& specs, const std::map<std::string, std::string>& raw);

/// Parses one value of a kind; Error(malformed) says what was expected.
AttrValue parse_value(const AttrSpec& spec, std::string_view text);

}  // namespace mxinfer::graph
