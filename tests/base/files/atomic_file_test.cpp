// A file is the old one or the whole new one, whatever happens on the way, and nothing stays beside it.
#include "base/files/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;
using test::read_file;
using test::TempDir;

std::ptrdiff_t files_in(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

unsigned permissions_of(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

// More than any buffer between here and the file.
const std::string& long_text() {
  static const std::string text(1 << 20, 'n');
  return text;
}

TEST(AtomicFile, OthersSeeTheOldFileUntilItIsCommitted) {
  const TempDir dir;
  const std::string path = dir.write("a.json", "old");
  AtomicFile file(path);
  file.write(long_text().data(), long_text().size());
  file.write("end", 3);
  file.write(nullptr, 0);
  EXPECT_EQ(read_file(path), "old");
  file.commit();
  EXPECT_EQ(read_file(path), long_text() + "end");
  EXPECT_EQ(files_in(dir.path()), 1);
}

TEST(AtomicFile, ANewFileIsNotThereUntilItIsCommitted) {
  const TempDir dir;
  AtomicFile file(dir / "a.json");
  file.write("new", 3);
  EXPECT_FALSE(fs::exists(dir / "a.json"));
  // On another file system it could not take the place of the old one at once.
  EXPECT_EQ(files_in(dir.path()), 1) << "the temporary file is not in the same folder";
  file.commit();
  EXPECT_EQ(read_file(dir / "a.json"), "new");
  EXPECT_EQ(files_in(dir.path()), 1);
}

TEST(AtomicFile, WithoutCommitNothingHasHappened) {
  const TempDir dir;
  const std::string path = dir.write("a.json", "old");
  for (const std::string& name : {path, dir / "absent.json"}) {
    AtomicFile file(name);
    file.write(long_text().data(), long_text().size());
  }
  try {
    AtomicFile file(path);
    file.write("new", 3);
    throw std::runtime_error("on the way");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(files_in(dir.path()), 1);
}

TEST(AtomicFile, TwoWritersOfOneFileDoNotMix) {
  const TempDir dir;
  const std::string path = dir / "a.json";
  AtomicFile first(path), second(path);
  first.write("first", 5);
  second.write("second", 6);
  second.commit();
  EXPECT_EQ(read_file(path), "second");
  first.commit();
  EXPECT_EQ(read_file(path), "first");
  EXPECT_EQ(files_in(dir.path()), 1);
}

TEST(AtomicFile, RefusesWhereNoFileCanBeMade) {
  const TempDir dir;
  const std::string file = dir.write("file"), absent = dir / "absent/a.json", below = file + "/a.json";
  EXPECT_MXINFER_ERROR(AtomicFile(absent), ErrorCode::invalid_argument,
                       {absent, "cannot be created", "No such file"});
  EXPECT_MXINFER_ERROR(AtomicFile(below), ErrorCode::invalid_argument, {below, "Not a directory"});
  EXPECT_FALSE(fs::exists(dir / "absent"));
}

TEST(AtomicFile, RefusesToReplaceWhatIsNoFile) {
  const TempDir dir;
  const std::string folder = dir / "folder", pipe = dir / "pipe";
  fs::create_directory(folder);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_MXINFER_ERROR(AtomicFile(folder), ErrorCode::invalid_argument, {folder, "is a folder"});
  EXPECT_MXINFER_ERROR(AtomicFile(pipe), ErrorCode::invalid_argument, {pipe, "not a regular file"});
  EXPECT_MXINFER_ERROR(AtomicFile("/dev/null"), ErrorCode::invalid_argument,
                       {"/dev/null", "not a regular file"});
  EXPECT_EQ(files_in(dir.path()), 2);
}

// As a disk that is full: while it lives, no file grows beyond `bytes`.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

// What the Error says that `body` throws if no file may have more than a kilobyte.
template <typename Body>
std::string refused_bytes(const Body& body) {
  const FileSizeLimit limit(1024);
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(AtomicFile, AWriteThatFailsLeavesTheOldFile) {
  const TempDir dir;
  const std::string path = dir.write("a.json", "old");
  // The first is too long for the buffer and fails when it is written; the second when the buffer is flushed.
  for (const std::string& text : {long_text(), std::string(2000, 'n')}) {
    const std::string said = refused_bytes([&] { write_file_atomically(path, text); });
    for (const char* fact : {path.c_str(), "could not be written", "File too large", "is unchanged"})
      EXPECT_NE(said.find(fact), std::string::npos) << said;
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(files_in(dir.path()), 1);
  }
}

TEST(AtomicFile, ACommitThatFailsLeavesNoTemporaryFile) {
  const TempDir dir;
  const std::string path = dir / "a.json";
  {
    AtomicFile file(path);
    file.write("new", 3);
    fs::create_directory(path);  // meanwhile somebody makes a folder of that name
    EXPECT_MXINFER_ERROR(file.commit(), ErrorCode::invalid_argument, {path, "could not be written"});
  }
  EXPECT_TRUE(fs::is_directory(path));
  EXPECT_EQ(files_in(dir.path()), 1);
}

TEST(AtomicFile, KeepsThePermissionsOfTheOldFile) {
  const TempDir dir;
  for (const mode_t mode : {0600u, 0755u, 0666u}) {
    const std::string path = dir.write("a.json", "old");
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    write_file_atomically(path, "new");
    EXPECT_EQ(read_file(path), "new");
    EXPECT_EQ(permissions_of(path), mode);
  }
}

TEST(AtomicFile, LeavesThePermissionsOfANewFileToTheUmask) {
  const TempDir dir;
  const mode_t before = ::umask(027);
  write_file_atomically(dir / "a.json", "new");
  ::umask(before);
  EXPECT_EQ(permissions_of(dir / "a.json"), 0640u);
}

TEST(AtomicFile, ASymbolicLinkStaysAndItsTargetIsReplaced) {
  const TempDir dir;
  const std::string target = dir.write("versions/1.json", "old"), link = dir / "current.json";
  fs::create_symlink("versions/1.json", link);
  write_file_atomically(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_file(target), "new");
  EXPECT_EQ(files_in(dir / "versions"), 1);
}

TEST(WriteFileAtomically, WritesEveryByte) {
  const TempDir dir;
  for (const std::string& text : {std::string("a\0b\r\n\xff", 6), std::string(), long_text()}) {
    write_file_atomically(dir / "a.json", text);
    EXPECT_EQ(read_file(dir / "a.json"), text);
  }
}

}  // namespace
}  // namespace mxinfer
