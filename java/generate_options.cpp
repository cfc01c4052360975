// generate_options TEMPLATE OUTPUT: writes Options.java. The line "@SETTERS@" of the template becomes a
// method for each option that the library has, with the type of its values.
#include <mxinfer/settings.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

namespace {

/// A Java type, and how a value of it becomes the option's text.
struct JavaType {
  std::string type;
  std::string text;
  std::string value;  ///< what a value is, for readers; empty: as the option says
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

JavaType type_of(std::string_view name, std::string_view value) {
  if (value == "true or false") return {"boolean", "Boolean.toString(value)", ""};
  if (name == "seed") return {"long", "Long.toString(value)", ""};
  if (value == "bytes") return {"long", "Long.toUnsignedString(value)", "a number of bytes"};
  if (value == "a number of bytes") return {"long", "Long.toString(value)", ""};
  if (value == "pixels") return {"int", "Integer.toString(value)", "a number of pixels"};
  if (contains(value, "a whole number")) return {"int", "Integer.toString(value)", ""};
  if (value == "milliseconds") return {"Duration", "Long.toString(roundedUp(value, 1_000_000))", "a time"};
  if (value == "microseconds") return {"Duration", "Long.toString(roundedUp(value, 1000))", "a time"};
  if (contains(value, "one number, or three")) return {"double...", "numbers(value)", "one number, or three"};
  if (contains(value, "a number")) return {"double", "Double.toString(value)", ""};
  if (value == "a path" || value == "a folder") return {"Path", "Text.path(value, \"value\")", ""};
  if (name == "inputs") {
    return {"List<DataDesc>", "DataDesc.toJson(Objects.requireNonNull(value, \"value\"))",
            "one for each input, in order"};
  }
  if (contains(value, "a JSON array"))
    return {"List<String>", "Text.jsonList(value, \"value\")", "the texts"};
  return {"String", "value", ""};
}

/// "max_in_flight" as "maxInFlight".
std::string method_name(std::string_view name) {
  std::string method;
  bool is_first = false;
  for (const char c : name) {
    if (c == '_') {
      is_first = true;
      continue;
    }
    method += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_first = false;
  }
  return method;
}

/// A text as a comment for javadoc has it.
std::string html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '@') {
      escaped += "&#64;";
    } else if (c == '*') {
      escaped += "&#42;";  // no end of a comment
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// Words as lines of a comment, at most 120 characters wide.
std::string comment(std::string_view text, std::string_view indent = "") {
  constexpr std::size_t kWidth = 120;
  const std::string begin = "   *";
  std::string lines, line = begin;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (line.size() + 1 + word.size() > kWidth) {
      lines += line + "\n";
      line = begin + std::string(indent);
    }
    line += " " + std::string(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + line + "\n";
}

std::string setter(const mxinfer::SettingInfo& option) {
  const std::string name = option.name, default_text = option.default_text;
  const JavaType java = type_of(name, option.value);
  std::string value = "@param value " + html(java.value.empty() ? option.value : java.value);
  if (!default_text.empty() && java.type != "Duration") value += "; the default is " + html(default_text);
  return "  /**\n" +
         comment("Sets the option \"" + name + "\" of the group \"" + to_string(option.group) + "\". " +
                 html(option.help) + ".") +
         "   *\n" + comment(value, "    ") + comment("@return this") +
         comment("@throws InvalidArgumentException if the option does not take the value", "    ") +
         "   */\n  public Options " + method_name(name) + "(" + java.type + " value) {\n    return set(\"" +
         name + "\", " + java.text + ");\n  }\n";
}

std::string setters() {
  std::string all;
  for (const mxinfer::SettingInfo& option : mxinfer::settings_known())
    all += (all.empty() ? "" : "\n") + setter(option);
  return all;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: generate_options TEMPLATE OUTPUT\n";
    return 2;
  }
  std::ifstream from(arguments[1]);
  std::string text;
  bool is_complete = false;
  for (std::string line; std::getline(from, line);) {
    const bool is_place = line == "@SETTERS@";
    text += is_place ? setters() : line + "\n";
    is_complete = is_complete || is_place;
  }
  if (!is_complete) {
    std::cerr << arguments[1] << " has no line @SETTERS@\n";
    return 1;
  }
  std::ofstream to(arguments[2]);
  to << text;
  to.close();
  if (!to) {
    std::cerr << arguments[2] << " cannot be written\n";
    return 1;
  }
}
