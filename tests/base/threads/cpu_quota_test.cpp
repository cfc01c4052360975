// The quota of processor time, read from folders laid out as the kernel lays out cgroups.
#include "base/threads/cpu_quota.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/threads/thread_arena.h"
#include "support/files/temp_dir.h"

namespace mxinfer {
namespace {

class CpuQuota : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const { dir_.write(file, text); }
  std::optional<double> read(const std::string& membership) const {
    return cpu_quota(membership, dir_.path());
  }
  test::TempDir dir_;
};

TEST_F(CpuQuota, IsThatOfTheGroupInVersion2) {
  write("pod/one/cpu.max", "150000 100000\n");
  EXPECT_EQ(read("0::/pod/one\n"), 1.5);
}

TEST_F(CpuQuota, IsTheSmallestOnTheWayUp) {
  write("pod/one/cpu.max", "max 100000\n");
  write("pod/cpu.max", "300000 100000\n");
  write("cpu.max", "800000 100000\n");
  EXPECT_EQ(read("0::/pod/one\n"), 3.0);
}

TEST_F(CpuQuota, IsThatOfTheMountWhereThePathIsTheHosts) {
  write("cpu.max", "50000 100000\n");
  EXPECT_EQ(read("0::/kubepods/nowhere\n"), 0.5);
  EXPECT_EQ(read("0::/\n"), 0.5);
}

TEST_F(CpuQuota, IsThatOfTheCpuControllerInVersion1) {
  write("cpu/docker/a/cpu.cfs_quota_us", "250000\n");
  write("cpu/docker/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(read("12:memory:/docker/b\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/x\n"), 2.5);
}

TEST_F(CpuQuota, IsNoneWhereNobodySetOne) {
  write("cpu/a/cpu.cfs_quota_us", "-1\n");
  write("cpu/a/cpu.cfs_period_us", "100000\n");
  write("b/cpu.max", "nonsense\n");
  for (const char* membership :
       {"", "0::/b\n", "3:cpu:/a\n", "3:cpuset:/a\n", "no colons at all", "0::/nowhere\n"})
    EXPECT_EQ(read(membership), std::nullopt) << membership;
}

TEST(AvailableCores, AreAtLeastOne) {
  EXPECT_GE(available_cores(), 1);
  EXPECT_EQ(ThreadArena(0).threads(), available_cores());
}

}  // namespace
}  // namespace mxinfer
