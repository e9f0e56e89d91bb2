/// What kept a test from going on, in words.
struct HarnessError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Duration {
  /// How long a test waits for what must happen: longer than the slowest machine needs under load.
  static let longest = Duration.seconds(180)
}

/// Asks again and again until there is an answer. The awaited state is one of other processes;
/// nothing reports it to the test.
func eventually<Value: Sendable>(
  _ what: String, within limit: Duration = .longest, said: () -> String = { "" },
  _ ask: () async throws -> Value?
) async throws -> Value {
  let end = ContinuousClock.now + limit
  while true {
    if let value = try await ask() { return value }
    guard ContinuousClock.now < end else {
      throw HarnessError("Not within \(limit): \(what).\n\(said())")
    }
    try await Task.sleep(for: .milliseconds(15))
  }
}
