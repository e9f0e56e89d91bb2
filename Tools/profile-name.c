/* Where a program built by test.sh writes its coverage when its environment doesn't say: workers
 * start with a clean environment, and would otherwise leave default.profraw in a module's folder.
 * Rationale: this is the name that LLVM's runtime looks at before its own default; it has no
 * header. */
const char __llvm_profile_filename[] = PROFILE_NAME;
