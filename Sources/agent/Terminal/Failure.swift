/// The failure of a command: a message and an exit code.
struct Failure: Error {
  /// The documented exit codes.
  enum Exit: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    case notRunning = 3
    case notFound = 4
  }

  /// A sentence for the person at the terminal. It is empty if everything was printed already.
  let message: String
  let exit: Exit
  /// Whether the host has refused the request. A repetition would be refused too.
  let isRefusal: Bool

  init(_ message: String, exit: Exit = .failure, isRefusal: Bool = false) {
    self.message = message
    self.exit = exit
    self.isRefusal = isRefusal
  }

  /// Returns the message of an error.
  static func words(_ error: any Error) -> String { (error as? Failure)?.message ?? "\(error)" }

  /// The answer was printed. Only the exit code is missing.
  static let alreadySaid = Failure("")
}
