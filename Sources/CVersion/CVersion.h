#pragma once

#if defined(__APPLE__)
/// No program of this package is built for Apple's systems, and their linker wants every symbol to be defined
/// somewhere, weak or not: there the commit is not known.
static inline const unsigned char *_Nonnull program_commit_or_empty(void) { return (const unsigned char *)""; }
#else
/// The commit of this build, which Scripts/support/commit writes into the programs alone: a new commit compiles no
/// module anew. Other executables, such as tests, have no such symbol.
extern const unsigned char *_Nonnull program_commit(void) __attribute__((weak));

/// The same; empty where the symbol, or git at the build, is missing.
static inline const unsigned char *_Nonnull program_commit_or_empty(void) {
    return program_commit ? program_commit() : (const unsigned char *)"";
}
#endif
