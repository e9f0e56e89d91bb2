/// How a process ended.
public enum ExitStatus: Sendable, Equatable {
  /// It left with this code.
  case exited(code: Int32)
  /// A signal ended it; `core`: it left a core dump.
  case signalled(signal: Int32, core: Bool)
  /// Something else in this process has waited for it, or SIGCHLD is ignored.
  case unknown

  /// Whether the process left with code 0.
  public var isSuccess: Bool {
    self == .exited(code: 0)
  }
}

extension ExitStatus: CustomStringConvertible {
  /// `exited with code 3`, `was ended by SIGSEGV (invalid memory access)`.
  public var description: String {
    switch self {
    case .exited(let code):
      "exited with code \(code)"
    case .signalled(let signal, let core):
      "was ended by \(SignalName.text(signal))\(core ? ", core dumped" : "")"
    case .unknown:
      "ended; how isn't known, because something else in the host waited for it"
    }
  }
}
