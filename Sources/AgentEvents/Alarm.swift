/// Rings when a moment of the bus's clock has come.
struct Alarm {
  /// How long to wait at most, so that a clock that is set forward is noticed.
  private static let longest: Int64 = 1_000
  /// And at least, so that a moment that doesn't pass costs little.
  private static let shortest: Int64 = 10

  private let pause: @Sendable (Duration) async throws -> Void
  private let ring: @Sendable () -> Void
  private var moment = Int64.min
  private var waiting: Task<Void, Never>?

  /// - Parameters:
  ///   - pause: waits so long.
  ///   - ring: called once a moment has come, or a second has gone by.
  init(
    pause: @escaping @Sendable (Duration) async throws -> Void, ring: @escaping @Sendable () -> Void
  ) {
    self.pause = pause
    self.ring = ring
  }

  /// Sets the moment; what was set before doesn't ring any more, unless it is earlier.
  mutating func set(_ due: Int64, now: Int64) {
    let due = min(max(due, now + Self.shortest), now + Self.longest)
    guard due < moment || moment <= now else { return }
    cancel()
    moment = due
    waiting = Task { [pause, ring] in
      if (try? await pause(.milliseconds(due - now))) != nil { ring() }
    }
  }

  func cancel() { waiting?.cancel() }
}
