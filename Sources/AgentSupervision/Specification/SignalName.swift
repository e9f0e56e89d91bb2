import Glibc

/// Names of signals for people.
enum SignalName {
  static func text(_ signal: Int32) -> String {
    guard let (name, meaning) = known[signal] else { return "signal \(signal)" }
    return meaning.isEmpty ? name : "\(name) (\(meaning))"
  }

  private static let known: [Int32: (String, String)] = [
    SIGHUP: ("SIGHUP", ""),
    SIGINT: ("SIGINT", ""),
    SIGQUIT: ("SIGQUIT", ""),
    SIGILL: ("SIGILL", "a trap or an illegal instruction"),
    SIGTRAP: ("SIGTRAP", "a trap"),
    SIGABRT: ("SIGABRT", "it called abort"),
    SIGBUS: ("SIGBUS", "invalid memory access"),
    SIGFPE: ("SIGFPE", "an arithmetic error"),
    SIGKILL: ("SIGKILL", ""),
    SIGSEGV: ("SIGSEGV", "invalid memory access"),
    SIGPIPE: ("SIGPIPE", "it wrote to a closed pipe"),
    SIGALRM: ("SIGALRM", ""),
    SIGTERM: ("SIGTERM", ""),
    SIGSYS: ("SIGSYS", "a forbidden system call"),
    SIGXCPU: ("SIGXCPU", "its CPU time limit"),
    SIGXFSZ: ("SIGXFSZ", "its file size limit"),
  ]
}
