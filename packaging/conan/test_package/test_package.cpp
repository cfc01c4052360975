#include <mxinfer/mxinfer.h>

#include <iostream>

int main() {
  std::cout << "mxinfer " << mxinfer::version() << ", " << mxinfer::build_info().best_target << '\n';
}
