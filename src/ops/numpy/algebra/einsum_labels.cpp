#include <algorithm>
#include <cctype>

#include "ops/common/axes.h"
#include "ops/numpy/algebra/einsum.h"

namespace mxinfer::ops {
namespace {

bool has_label(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

[[noreturn]] void refuse(std::string_view subscripts, const std::string& why) {
  fail(ErrorCode::invalid_argument, "attribute subscripts=\"", printable(subscripts), "\": ", why);
}

/// One term as written: labels, and where its ellipsis is.
struct Term {
  Labels labels{};
  bool has_ellipsis = false;
  std::size_t ellipsis = 0;  ///< how many labels are before it
};

Term read_term(std::string_view text, std::string_view all) {
  Term term;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      term.labels.push_back(c);
    } else if (text.substr(i, 3) == "..." && !term.has_ellipsis) {
      term.has_ellipsis = true;
      term.ellipsis = term.labels.size();
      i += 2;
    } else {
      refuse(all,
             concat("unexpected '", printable(text.substr(i, 1)), "'; expected letters and at most one ..."));
    }
  }
  return term;
}

Labels expanded(const Term& term, std::size_t dims) {
  Labels labels(term.labels.begin(), term.labels.begin() + static_cast<std::ptrdiff_t>(term.ellipsis));
  for (std::size_t d = dims; d-- > 0;) labels.push_back(kEllipsis + static_cast<int>(d));
  labels.insert(labels.end(), term.labels.begin() + static_cast<std::ptrdiff_t>(term.ellipsis),
                term.labels.end());
  return labels;
}

void learn_sizes(Einsum& einsum, const Labels& labels, const Shape& shape, std::string_view subscripts) {
  for (std::size_t d = 0; d < labels.size(); ++d) {
    std::int64_t& size = einsum.sizes.try_emplace(labels[d], 1).first->second;
    if (shape[d] == size || shape[d] == 1) continue;
    if (size != 1)
      refuse(subscripts, concat("a label stands for ", size, " and ", shape[d],
                                " elements; an input has the shape ", to_string(shape)));
    size = shape[d];
  }
}

/// Without "->": the ellipsis, and the letters that occur once, in the order of their codes.
Term implied_output(const std::vector<Term>& terms) {
  std::map<int, int> count;
  Term output;
  for (const Term& term : terms) {
    output.has_ellipsis = output.has_ellipsis || term.has_ellipsis;
    for (const int label : term.labels) ++count[label];
  }
  for (const auto& [label, times] : count) {
    if (times == 1) output.labels.push_back(label);
  }
  return output;
}

std::vector<Term> read_inputs(std::string_view text, std::string_view all) {
  std::vector<Term> terms;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    terms.push_back(read_term(text.substr(begin, comma - begin), all));
    if (comma == std::string_view::npos) return terms;
    begin = comma + 1;
  }
}

}  // namespace

Shape Einsum::output_shape() const {
  Shape shape;
  for (const int label : output) shape.push_back(sizes.at(label));
  return shape;
}

Einsum parse_einsum(std::string_view subscripts, const std::vector<Shape>& shapes) {
  const std::size_t arrow = subscripts.find("->");
  const std::vector<Term> terms = read_inputs(subscripts.substr(0, arrow), subscripts);
  if (terms.size() != shapes.size())
    refuse(subscripts, concat("it names ", terms.size(), " arrays, and there are ", shapes.size()));
  Einsum einsum;
  std::size_t most = 0;  // dimensions of an ellipsis
  bool has_ellipsis = false;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::size_t rank = shapes[i].rank(), named = terms[i].labels.size();
    if (named > rank || (named < rank && !terms[i].has_ellipsis))
      refuse(subscripts,
             concat("input ", i, " has the shape ", to_string(shapes[i]), ", and ", named, " labels"));
    most = std::max(most, rank - named);
    has_ellipsis = has_ellipsis || terms[i].has_ellipsis;
    Labels labels = terms[i].has_ellipsis ? expanded(terms[i], rank - named) : terms[i].labels;
    learn_sizes(einsum, labels, shapes[i], subscripts);
    einsum.inputs.push_back(std::move(labels));
  }
  const Term output = arrow == std::string_view::npos ? implied_output(terms)
                                                      : read_term(subscripts.substr(arrow + 2), subscripts);
  if (has_ellipsis && !output.has_ellipsis) refuse(subscripts, "the output lacks the ... of the inputs");
  einsum.output = output.has_ellipsis ? expanded(output, most) : output.labels;
  for (std::size_t i = 0; i < einsum.output.size(); ++i) {
    const int label = einsum.output[i];
    if (einsum.sizes.count(label) == 0) refuse(subscripts, "the output has a label that no input has");
    if (std::count(einsum.output.begin(), einsum.output.end(), label) != 1)
      refuse(subscripts, "the output has a label twice");
  }
  return einsum;
}

std::int64_t label_stride(const Labels& labels, const Shape& shape, int label) {
  const std::vector<std::int64_t> strides = row_major_strides(shape);
  std::int64_t stride = 0;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (labels[d] == label && shape[d] != 1) stride += strides[d];
  }
  return stride;
}

Contraction pair_contraction(const Einsum& einsum, const Shape& a, const Shape& b, bool& swaps) {
  const std::vector<std::int64_t> dense = row_major_strides(einsum.output_shape());
  const auto dim_of = [&](int label) {
    ContractionDim dim;
    dim.size = einsum.sizes.at(label);
    dim.a = label_stride(einsum.inputs[0], a, label);
    dim.b = label_stride(einsum.inputs[1], b, label);
    return dim;
  };
  Contraction c;
  swaps = false;
  for (std::size_t d = 0; d < einsum.output.size(); ++d) {
    ContractionDim dim = dim_of(einsum.output[d]);
    dim.dst = dense[d];
    auto& group = dim.a != 0 && dim.b != 0 ? c.batch : dim.b == 0 ? c.rows : c.columns;
    group.push_back(dim);
    if (dim.size != 1) swaps = &group == &c.rows;
  }
  for (const auto& [label, size] : einsum.sizes) {
    if (!has_label(einsum.output, label)) c.depth.push_back(dim_of(label));
  }
  // In the order of an operand: its depth may then be read as it lies.
  std::stable_sort(c.depth.begin(), c.depth.end(), [](const ContractionDim& x, const ContractionDim& y) {
    return std::max(x.a, x.b) > std::max(y.a, y.b);
  });
  if (!swaps) return c;
  std::swap(c.rows, c.columns);
  for (auto* dims : {&c.batch, &c.rows, &c.columns, &c.depth}) {
    for (ContractionDim& dim : *dims) std::swap(dim.a, dim.b);
  }
  return c;
}

Einsum einsum_of(const OpProblem& node) {
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < node.num_inputs(); ++i) shapes.push_back(node.input(i).shape);
  return parse_einsum(node.attrs().text("subscripts"), shapes);
}

}  // namespace mxinfer::ops
