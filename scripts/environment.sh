# shellcheck shell=bash
# To be sourced by the scripts: where the repository is, and what its builds have in common.
repository=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cd "$repository" || exit 1

# With the time since the script began.
step() { printf '\n==> [%d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

# ccache finds a file again that another checkout compiled.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$repository}
export CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

# Real models to test with, where there are some; the tests that want them are skipped otherwise.
if [ -z "${MXINFER_SHARED_DIR:-}" ] && [ -d "$repository/../shared" ]; then
  MXINFER_SHARED_DIR=$(cd "$repository/../shared" && pwd)
  export MXINFER_SHARED_DIR
fi
