/// The order in which ports are tried until one can be opened.
struct PortAttempts {
  /// What follows a failed attempt.
  enum Step: Equatable {
    /// The same port again, in a moment.
    case soon
    /// The next port, at once.
    case next
    /// The first port again, after a pause. The failure is reported.
    case later
  }

  private let first: Int
  /// How many further ports are tried when the first one is taken.
  private let further: Int
  /// How many quick attempts are made while a port is taken.
  private let quickTries: Int
  private var tries = 0
  /// The port to try.
  private(set) var port: Int

  init(from first: Int, further: Int, quickTries: Int) {
    self.first = first
    self.further = further
    self.quickTries = quickTries
    port = first
  }

  /// Returns what follows a failed attempt, and moves on to the port of the next one.
  mutating func failed(isTaken: Bool) -> Step {
    tries += 1
    if isTaken, tries <= quickTries { return .soon }
    if isTaken, port < first + further {
      port += 1
      return .next
    }
    // By then any of them may be free.
    port = first
    return .later
  }
}
