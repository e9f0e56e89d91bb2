/// Receives what a call reports before its end. Called on the loop's thread for a worker, and on a
/// thread of the module's inside the host. It must not block.
package struct CallListener: Sendable {
  /// Takes a part of the result, JSON.
  let part: @Sendable ([UInt8]) -> Void
  /// Takes a record that was logged in the call: level, message.
  let log: @Sendable (String, String) -> Void

  /// A listener with these functions; the defaults ignore everything.
  package init(
    part: @escaping @Sendable ([UInt8]) -> Void = { _ in },
    log: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) {
    (self.part, self.log) = (part, log)
  }
}
