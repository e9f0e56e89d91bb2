/// Who hears what a call says before its end.
package struct CallListener: Sendable {
  /// Takes a part of the result, JSON.
  let part: @Sendable ([UInt8]) -> Void
  /// Takes a record that was logged in the call: level, message.
  let log: @Sendable (String, String) -> Void

  /// Hears what it is given a function for.
  package init(
    part: @escaping @Sendable ([UInt8]) -> Void = { _ in },
    log: @escaping @Sendable (String, String) -> Void = { _, _ in }
  ) {
    (self.part, self.log) = (part, log)
  }
}
