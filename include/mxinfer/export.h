// Macros that mark what the shared library exports and that name its ABI.
#pragma once

/// Exports a symbol from the shared library. All others are hidden.
#define MXINFER_API __attribute__((visibility("default")))

/// The inline namespace that contains every name of the library. Programs write mxinfer::Predictor; the
/// linker sees mxinfer::v0_1::Predictor. A program therefore never links with a library whose classes have
/// another layout (docs/reference/abi.md). The name contains the part of the version that may change the ABI,
/// which is the minor version below 1.0.
#define MXINFER_ABI v0_1
