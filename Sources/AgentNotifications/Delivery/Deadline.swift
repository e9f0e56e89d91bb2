/// Limits the time of an operation.
enum Deadline {
  /// Runs `work`, and cancels it after this number of milliseconds.
  /// - Parameter failure: what is thrown then; nil for a sentence with the number.
  /// - Throws: what `work` throws, or that it took too long.
  static func run<Value: Sendable>(
    milliseconds: Int64, failure: DeliveryFailure? = nil,
    pause: @escaping @Sendable (Duration) async throws -> Void,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await pause(.milliseconds(milliseconds))
        throw failure ?? DeliveryFailure("It took longer than \(milliseconds) ms.")
      }
      // The group waits for the other task, which this ends.
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}
