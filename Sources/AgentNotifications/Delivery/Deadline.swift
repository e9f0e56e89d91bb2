/// Limits the time of an operation.
enum Deadline {
  /// Runs `work`, and cancels it after this number of milliseconds.
  /// - Throws: what `work` throws, or that it took too long.
  static func run(
    milliseconds: Int64, pause: @escaping @Sendable (Duration) async throws -> Void,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await work()
        return true
      }
      group.addTask {
        try await pause(.milliseconds(milliseconds))
        return false
      }
      defer { group.cancelAll() }
      if try await group.next() == false {
        throw DeliveryFailure("It took longer than \(milliseconds) ms.")
      }
    }
  }
}
