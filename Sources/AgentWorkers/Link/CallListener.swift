/// Receives the parts of the result and the log records of a call before its end. For a worker, it
/// is called on the loop's thread. For a module inside the host, it is called on a thread of the
/// module. It must not block.
package struct CallListener: Sendable {
  /// Receives a part of the result, as JSON.
  let part: @Sendable ([UInt8]) -> Void
  /// Receives the level and the message of a record that the module logged during the call.
  let log: @Sendable (String, String) -> Void

  /// Creates a listener with these functions. The defaults do nothing.
  package init(
    part: @escaping @Sendable ([UInt8]) -> Void = { _ in },
    log: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) {
    (self.part, self.log) = (part, log)
  }
}
