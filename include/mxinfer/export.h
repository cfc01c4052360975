// Marks what the shared library exports, and names its ABI.
#pragma once

/// Everything else stays hidden.
#define MXINFER_API __attribute__((visibility("default")))

/// The inline namespace that all names are in: programs say mxinfer::Predictor, and the linker sees
/// mxinfer::v0_1::Predictor, so that a program finds no library whose classes are laid out otherwise
/// (docs/reference/abi.md). It is the version up to what may change the ABI: below 1.0 the minor version.
#define MXINFER_ABI v0_1
