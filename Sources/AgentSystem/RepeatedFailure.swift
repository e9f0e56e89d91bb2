/// Whether a step that is repeated fails. It is logged when it begins to fail and when it works
/// again, and not each time: the log may be on the same full disk.
package struct RepeatedFailure: Sendable {
  private var isFailing = false

  /// Creates the state of a step that hasn't failed.
  package init() {}

  /// Records that the step has failed.
  /// - Returns: whether the step worked before.
  package mutating func begins() -> Bool {
    defer { isFailing = true }
    return !isFailing
  }

  /// Records that the step has worked.
  /// - Returns: whether the step failed before.
  package mutating func ends() -> Bool {
    defer { isFailing = false }
    return isFailing
  }
}
