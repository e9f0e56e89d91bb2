/// The end of a process.
public enum ExitStatus: Sendable, Equatable {
  /// The process exited with this code.
  case exited(code: Int32)
  /// A signal ended the process. `core` means that it left a core dump.
  case signalled(signal: Int32, core: Bool)
  /// The status is lost, because other code of this process has waited for it, or SIGCHLD is
  /// ignored.
  case unknown

  /// Whether the process exited with code 0.
  public var isSuccess: Bool {
    self == .exited(code: 0)
  }
}

extension ExitStatus: CustomStringConvertible {
  /// A phrase such as `exited with code 3` or `was ended by SIGSEGV (invalid memory access)`.
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
