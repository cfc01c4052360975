#include "cli/output/command_words.h"

#include <array>
#include <cctype>
#include <string_view>

namespace mxinfer::cli {
namespace {

struct Words {
  std::string_view library, command;
};

// Whole phrases come first. A name that begins with another name comes before it.
constexpr auto kWords = std::to_array<Words>({
    {"ClassifierOptions::activation", "--activation"},
    {"leave it at Activation::none", "leave it out"},
    {". LoadOptions::read_weights_at_once makes a model independent of its file", ""},
    {". Add others in LoadOptions::schemes", ""},
    {"RemoteOptions::cache_folder or MXINFER_CACHE_DIR", "MXINFER_CACHE_DIR"},
    {"RemoteOptions::cache_folder", "MXINFER_CACHE_DIR"},
    {"RemoteOptions::headers", "--header"},
    {"CachePolicy::none", "--cache none"},
    {"CachePolicy::offline", "--cache offline"},
    {"LoadOptions::sha256", "--sha256"},
    {"QuantizeOptions::percentile", "--percentile"},
    {"QuantizeOptions::max_drop", "--max-drop"},
    {"Looked at: S3Options, ", "Looked at: "},
    {"do not set S3Options::anonymous", "leave out --remote s3_anonymous=true"},
    {"set S3Options::anonymous", "give --remote s3_anonymous=true"},
    {"S3Options::anonymous", "--remote s3_anonymous=true"},
    {"S3Options::endpoint and not with path_style = false",
     "--remote s3_endpoint and not s3_path_style=false"},
    {"S3Options::access_key_id", "AWS_ACCESS_KEY_ID"},
    {"S3Options::secret_access_key", "AWS_SECRET_ACCESS_KEY"},
    {"S3Options::session_token", "AWS_SESSION_TOKEN"},
    {"S3Options", "--remote"},
    {"use TextClassifier", "use mxinfer classify-text"},
    {"use ImageClassifier, for boxes ObjectDetector", "use mxinfer classify, for boxes mxinfer detect"},
    {"use ImageClassifier", "use mxinfer classify"},
    {"use ObjectDetector", "use mxinfer detect"},
    {"HdfsOptions::delegation_token or HADOOP_TOKEN", "HADOOP_TOKEN"},
    {"HADOOP_TOKEN or HdfsOptions::delegation_token", "HADOOP_TOKEN"},
    {"HdfsOptions::delegation_token", "HADOOP_TOKEN"},
    {"HdfsOptions::kerberos", "--remote hdfs_kerberos=true"},
    {"RemoteOptions::allow_private_redirects", "--remote allow_private_redirects=true"},
    {"GeneratorOptions::vocabulary or tokenizer", "--vocabulary"},
    {"GeneratorOptions::vocabulary", "--vocabulary"},
    {"GeneratorOptions::begin_id", "--begin-id"},
    {"GeneratorOptions::end_id", "--end-id"},
    {"GeneratorOptions::token_input", "--token-input"},
    {"GeneratorOptions::token_layout", "--token-layout"},
    {"GeneratorOptions::score_output, states", "--score-output, --state"},
    {"GeneratorOptions::score_output", "--score-output"},
    {"GeneratorOptions::scores", "--scores"},
    {"GeneratorOptions::states", "--state"},
    {"GeneratorOptions::position_input", "--position-input"},
    {"GeneratorOptions::length_input", "--length-input"},
    {"GeneratorOptions::buckets", "--buckets"},
    {"GeneratorOptions give input", "the options give input"},
    {"GenerateOptions::inputs", "--input"},
    {"GenerateOptions::max_length", "--max-length"},
    {"GenerateOptions::beam", "--beam"},
    {"GenerateOptions::stop_ids", "--stop-id"},
    {"GenerateOptions::num_sequences", "--num"},
    {"GenerateOptions::alpha", "--alpha"},
    {"GenerateOptions::length_k", "--length-k"},
    {"GenerateOptions::temperature", "--temperature"},
    {"GenerateOptions::top_k", "--top-k"},
    {"GenerateOptions::top_p", "--top-p"},
    {"GenerateOptions::repetition_penalty", "--repetition-penalty"},
    {"give the tokenizer of its network in TextOptions::tokenizer",
     "pass the vocabulary of its network (--vocabulary)"},
    {"TextOptions::tokenizer", "--vocabulary"},
    {"TextOptions::begin", "--begin"},
    {"TextOptions::end", "--end"},
    {"TextOptions::segment_input", "--segment-input"},
    {"VocabularyOptions::unknown", "--unknown"},
    {"give larger SequenceOptions::buckets, or TooLong::truncate", "give larger --buckets"},
    {"SequenceOptions::buckets", "--buckets"},
    {"SequenceOptions::sequence_input", "--sequence-input"},
    {"SequenceOptions name input", "the options name input"},
    {"load it with BucketedModel::load, or give its path to SequencePredictor",
     "mxinfer classify-text takes it; other commands take one network, its symbol file with --params"},
    {"load a single network with Model::load", "a single network has a symbol file of its own"},
    {"mxinfer::Predictor takes all of them", "mxinfer predict takes all of them"},
    {"mxinfer::Predictor takes both", "mxinfer predict takes both"},
    {"Write the file again with mxinfer::ModelBuilder::texts", "Write the file again with mxinfer fuse"},
    {"SequenceOptions::length_input", "--length-input"},
    {"SequenceOptions::pad_value", "--pad-value"},
    {"LoadOptions::load_transforms = false", "--no-transforms"},
    {"LoadOptions::random_transforms", "--random"},
    {"LoadOptions::epoch", "--epoch"},
    {"LoadOptions::graph", "--graph"},
    {"LoadOptions::input_names", "--input"},
    {"LoadOptions::inputs", "--describe"},
    {"LoadOptions::labels", "--labels"},
    {"LoadOptions::outputs = ", "--layer "},
    {"LoadOptions::outputs", "--layer"},
    {"LoadOptions::seed", "--seed"},
    {"with Options::cpu_fallback", "without --no-cpu-fallback"},
    {"Options::device", "--device"},
    {"Options::max_winograd_bytes", "--max-winograd-mb"},
    {"Options::precision", "--precision"},
    {"Options::target", "--target"},
    {"Options::threads", "--threads"},
    {"Options::tuning_file", "--tuning"},
    {"set DetectorOptions::units to relative", "give --box-units relative"},
    {"DetectOptions::classes", "--class"},
    {"DetectOptions::max_detections", "--max"},
    {"DetectOptions::score_threshold", "--threshold"},
    {"heads of any other form need DetectorOptions::decoder",
     "heads of any other form need a program that uses the library"},
    {"Heads of another form need DetectorOptions::decoder",
     "Heads of another form need a program that uses the library"},
    {"BlendOptions::opacity", "--opacity"},
    {"for word vectors use WordVectors::load, for a .vocab of SentencePiece Tokenizer::sentencepiece with "
     "its .model",
     "to read word vectors, pass --format text; SentencePiece stores its words in its .model"},
    {"set VocabularyOptions::format", "select it with --format"},
    {"WordVectorsOptions::vocabulary", "--vocabulary"},
    {"WordVectorsOptions::array", "--array"},
    {"WordVectorsOptions::unknown", "--unknown"},
    {"SegmentOptions::min_score", "--min-score"},
    {"ImageOptions::height and width", "--height and --width"},
    {"ImageOptions::height", "--height"},
    {"ImageOptions::width", "--width"},
    {"ImageOptions::batch_size", "--batch-size"},
    {"leave ImageOptions::preprocess, height and width as they are", "leave out the options for images"},
    {"ImageOptions::preprocess", "the options for images"},
    {"ImageOptions", "the options for images"},
    {"Preprocess::scale and mean", "--scale and --mean"},
    {"Preprocess::resize_short", "--resize-short"},
    {"Preprocess::resize", "--resize"},
    {"Preprocess::pad_value", "--pad-value"},
    {"Preprocess::interpolation", "--interpolation"},
    {"Preprocess::scale", "--scale"},
    {"Preprocess::mean", "--mean"},
    {"Preprocess::std", "--std"},
    {"ModelBuilder::sample or `mxinfer fuse --sample`", "`mxinfer fuse --sample`"},
    {"DecodeOptions::max_pixels allows", "the command allows"},
});

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

/// Whether the words at this place are not part of a longer name.
bool stands_alone(const std::string& text, std::size_t at, std::string_view words) {
  const std::size_t end = at + words.size();
  const bool runs_on = end < text.size() && is_part_of_name(words.back()) && is_part_of_name(text[end]);
  return !runs_on && (at == 0 || !is_part_of_name(words.front()) || !is_part_of_name(text[at - 1]));
}

/// Shortens "--random (--random of the command)", a translation that names the option twice, to "--random".
void drop_repetition(std::string& text, std::size_t end, std::string_view option) {
  const std::string repeated = " (" + std::string(option);
  if (option.empty() || text.compare(end, repeated.size(), repeated) != 0) return;
  const std::size_t close = text.find(')', end);
  if (close != std::string::npos) text.erase(end, close + 1 - end);
}

void translate(std::string& text, const Words& words) {
  std::size_t at = 0;
  while ((at = text.find(words.library, at)) != std::string::npos) {
    if (!stands_alone(text, at, words.library)) {
      at += words.library.size();
      continue;
    }
    text.replace(at, words.library.size(), words.command);
    at += words.command.size();
    drop_repetition(text, at, words.command);
  }
}

/// The settings of --remote, by the prefixes of their names.
constexpr auto kSettings = std::to_array<Words>(
    {{"RemoteOptions::", "--remote "}, {"S3Options::", "--remote s3_"}, {"HdfsOptions::", "--remote hdfs_"}});

void translate_settings(std::string& text, const Words& words) {
  for (std::size_t at = 0; (at = text.find(words.library, at)) != std::string::npos;) {
    if (at > 0 && is_part_of_name(text[at - 1])) {
      at += words.library.size();
    } else {
      text.replace(at, words.library.size(), words.command);
      at += words.command.size();
    }
  }
}

}  // namespace

std::string in_command_words(std::string message) {
  for (const Words& words : kWords) translate(message, words);
  for (const Words& words : kSettings) translate_settings(message, words);
  return message;
}

}  // namespace mxinfer::cli
