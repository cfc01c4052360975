// The functions of OpenBLAS that are used, by the names that Fortran gives it: Debian's package has no header
// for LAPACK. The library is loaded when it is first needed: it takes 128 MiB of address space as it is
// loaded, tries forever if the system refuses them, and few models have linear algebra.
//
//   if (!openblas_has_memory(calls)) ...                  // before it is loaded, and before calls
//   if (const std::string why = load_openblas(); !why.empty()) ...
//   const OpenBlasCall call;
//   openblas().dpotrf(...);
//
// LAPACK and BLAS read matrices column by column, so a row-major one is its own transpose to them.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

extern "C" {
// Arguments of characters have their lengths behind all others.
void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
            const double* beta, double* c, const int* ldc, std::size_t, std::size_t);

void strmm_(const char* side, const char* uplo, const char* transpose, const char* diagonal, const int* m,
            const int* n, const float* alpha, const float* a, const int* lda, float* b, const int* ldb,
            std::size_t, std::size_t, std::size_t, std::size_t);
void strsm_(const char* side, const char* uplo, const char* transpose, const char* diagonal, const int* m,
            const int* n, const float* alpha, const float* a, const int* lda, float* b, const int* ldb,
            std::size_t, std::size_t, std::size_t, std::size_t);
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info, std::size_t);
void spotri_(const char* uplo, const int* n, float* a, const int* lda, int* info, std::size_t);
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* pivots, int* info);
void sgetri_(const int* n, float* a, const int* lda, const int* pivots, float* work, const int* lwork,
             int* info);
void sgeqrf_(const int* m, const int* n, float* a, const int* lda, float* tau, float* work, const int* lwork,
             int* info);
void sorgqr_(const int* m, const int* n, const int* k, float* a, const int* lda, const float* tau,
             float* work, const int* lwork, int* info);
void ssyevd_(const char* job, const char* uplo, const int* n, float* a, const int* lda, float* values,
             float* work, const int* lwork, int* iwork, const int* liwork, int* info, std::size_t,
             std::size_t);

void dtrmm_(const char* side, const char* uplo, const char* transpose, const char* diagonal, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb,
            std::size_t, std::size_t, std::size_t, std::size_t);
void dtrsm_(const char* side, const char* uplo, const char* transpose, const char* diagonal, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb,
            std::size_t, std::size_t, std::size_t, std::size_t);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info, std::size_t);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void dgetri_(const int* n, double* a, const int* lda, const int* pivots, double* work, const int* lwork,
             int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau,
             double* work, const int* lwork, int* info);
void dsyevd_(const char* job, const char* uplo, const int* n, double* a, const int* lda, double* values,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info, std::size_t,
             std::size_t);
void dgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, double* a, const int* lda,
             double* values, double* u, const int* ldu, double* vt, const int* ldvt, double* work,
             const int* lwork, int* info, std::size_t, std::size_t);
void dgeev_(const char* jobvl, const char* jobvr, const int* n, double* a, const int* lda, double* real,
            double* imaginary, double* vl, const int* ldvl, double* vr, const int* ldvr, double* work,
            const int* lwork, int* info, std::size_t, std::size_t);
void dgesv_(const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b, const int* ldb,
            int* info);
void sgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, float* a, const int* lda,
             float* values, float* u, const int* ldu, float* vt, const int* ldvt, float* work,
             const int* lwork, int* info, std::size_t, std::size_t);
void sgeev_(const char* jobvl, const char* jobvr, const int* n, float* a, const int* lda, float* real,
            float* imaginary, float* vl, const int* ldvl, float* vr, const int* ldvr, float* work,
            const int* lwork, int* info, std::size_t, std::size_t);
void sgesv_(const int* n, const int* nrhs, float* a, const int* lda, int* pivots, float* b, const int* ldb,
            int* info);
}

namespace mxinfer::kernels {

/// The functions above, of the library that was loaded.
struct OpenBlas {
  decltype(&dgemm_) dgemm = nullptr;
  decltype(&strmm_) strmm = nullptr;
  decltype(&strsm_) strsm = nullptr;
  decltype(&spotrf_) spotrf = nullptr;
  decltype(&spotri_) spotri = nullptr;
  decltype(&sgetrf_) sgetrf = nullptr;
  decltype(&sgetri_) sgetri = nullptr;
  decltype(&sgeqrf_) sgeqrf = nullptr;
  decltype(&sorgqr_) sorgqr = nullptr;
  decltype(&ssyevd_) ssyevd = nullptr;
  decltype(&dtrmm_) dtrmm = nullptr;
  decltype(&dtrsm_) dtrsm = nullptr;
  decltype(&dpotrf_) dpotrf = nullptr;
  decltype(&dpotri_) dpotri = nullptr;
  decltype(&dgetrf_) dgetrf = nullptr;
  decltype(&dgetri_) dgetri = nullptr;
  decltype(&dgeqrf_) dgeqrf = nullptr;
  decltype(&dorgqr_) dorgqr = nullptr;
  decltype(&dsyevd_) dsyevd = nullptr;
  decltype(&sgesvd_) sgesvd = nullptr;
  decltype(&sgeev_) sgeev = nullptr;
  decltype(&sgesv_) sgesv = nullptr;
  decltype(&dgesvd_) dgesvd = nullptr;
  decltype(&dgeev_) dgeev = nullptr;
  decltype(&dgesv_) dgesv = nullptr;
  int (*get_parallel)() = nullptr;  ///< 0: serial, 1: pthread, 2: OpenMP
  /// Of OpenMP's library, which its OpenMP build alone brings; null with the others.
  int (*get_max_threads)() = nullptr;
  void (*set_num_threads)(int) = nullptr;
};

/// Loads it at the first call; thread-safe. Empty if it is there, else why it is not.
const std::string& load_openblas();

/// Precondition: load_openblas() gave nothing.
const OpenBlas& openblas();

/// Held around calls of OpenBLAS: they stay on the thread that makes them, and any number of threads may make
/// them.
///
/// OpenBLAS comes in three builds behind one library name; cmake/Dependencies.cmake says why the OpenMP one
/// is preferred. A program that has loaded another build, or a system without that build, may give another:
/// - OpenMP: a call uses as many threads as OpenMP's limit of the calling thread says. It is 1 while this
///   object lives, for the calling thread alone, so that the program's own calls keep theirs. No thread is
///   ever started.
/// - pthread: its threads start when the library is loaded, and their number is one setting of the whole
///   process, which belongs to the program (OPENBLAS_NUM_THREADS). Calls share these threads; one runs at a
///   time.
/// - serial: concurrent calls write into each other's memory (0.3.21 as Debian builds it), so one runs at a
///   time.
///
/// OpenBLAS fails if far more calls run at once than it was built for threads (64 at Debian). At most 64 run
/// here, and others wait.
class OpenBlasCall {
 public:
  OpenBlasCall();
  ~OpenBlasCall();
  OpenBlasCall(const OpenBlasCall&) = delete;
  OpenBlasCall& operator=(const OpenBlasCall&) = delete;

 private:
  int threads_ = 0;  ///< OpenMP's limit before; 0: it is another build
  std::unique_lock<std::mutex> one_at_a_time_;
};

/// Whether the system has address space for so many calls at once: OpenBLAS takes 128 MiB of it for each,
/// keeps it, and tries forever if it is refused. Pages that are not used cost nothing.
bool openblas_has_memory(int calls);

}  // namespace mxinfer::kernels
