/// Something that a test waited for didn't happen in time.
public struct NeverHappened: Error, CustomStringConvertible {
  /// What was waited for, and where.
  public let description: String

  init(_ what: String, fileID: StaticString, line: UInt) {
    description = "never happened: \(what) (\(fileID):\(line))"
  }
}

/// Waits for what comes about on other threads and announces itself to nobody.
///
/// Rationale: `Task.yield` in a loop takes a whole core from those who are waited for.
/// - Parameters:
///   - what: the words of the error.
///   - condition: asked again and again.
/// - Throws: `NeverHappened` when it takes longer than on the slowest machine, so that the test
///   doesn't hang; `CancellationError` when the test's time limit has passed.
public func eventually(
  _ what: String, fileID: StaticString = #fileID, line: UInt = #line,
  _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(240)
  while try await !condition() {
    if ContinuousClock.now > end { throw NeverHappened(what, fileID: fileID, line: line) }
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// Waits until something isn't so any more; see ``eventually(_:fileID:line:_:)``.
public func wait(
  while condition: @autoclosure () async throws -> Bool, fileID: StaticString = #fileID,
  line: UInt = #line
) async throws {
  try await eventually("the end of a wait", fileID: fileID, line: line) {
    try await !condition()
  }
}
