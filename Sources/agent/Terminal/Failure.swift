/// How a command ends that could not do its work.
struct Failure: Error {
  /// The documented exit codes.
  enum Exit: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    case notRunning = 3
    case notFound = 4
  }

  /// A sentence for the person at the terminal; empty when everything was said already.
  let message: String
  let exit: Exit
  /// The host has understood the request and won't do it: to ask again would change nothing.
  let isRefusal: Bool

  init(_ message: String, exit: Exit = .failure, isRefusal: Bool = false) {
    self.message = message
    self.exit = exit
    self.isRefusal = isRefusal
  }

  /// What an error says to people.
  static func words(_ error: any Error) -> String { (error as? Failure)?.message ?? "\(error)" }

  /// The answer was printed; only the exit code is left to say.
  static let alreadySaid = Failure("")
}
