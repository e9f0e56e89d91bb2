internal import Glibc

/// How a program for scaffolding ends: with the exit codes of `agent`.
public struct ProgramEnd: Sendable {
  private enum Exit: Int32 {
    case success = 0
    case failure = 1
    case usage = 2
    case notFound = 4
  }

  private let message: String
  private let exit: Exit

  /// Why nothing was written.
  public init(_ error: ScaffoldError) {
    message = error.message
    exit =
      switch error.code {
      case .invalidName, .noPassword: .usage
      case .noAgent: .notFound
      case .exists, .notInstalled, .cannotWrite, .settings: .failure
      }
  }

  /// What the parser of the command line has to say: a complaint, or the help that was asked for.
  public init(parserMessage: String, parserCode: Int32) {
    message = HelpText.arranged(parserMessage)
    exit =
      switch parserCode {
      case 0: .success
      case EX_USAGE: .usage
      default: .failure
      }
  }

  /// Says it and ends the process.
  public func leave() -> Never {
    if !message.isEmpty {
      if exit == .success { ProgramOutput.print(message) } else { ProgramOutput.complain(message) }
    }
    Glibc.exit(exit.rawValue)
  }
}
