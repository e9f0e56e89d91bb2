/// A fast path for a contribution that is loaded into the host's own process (`"isolation":
/// "host"`): bytes in, bytes out, no task, no JSON.
///
/// A contribution conforms to it in addition to its kind. The module and its callers agree on what
/// the bytes mean.
public protocol SyncCallable: Sendable {
  /// Writes the answer into `output` and returns the number of bytes written. Called from any
  /// thread, several at a time, between start and stop; must not block.
  func callSync(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ModuleError) -> Int
}
