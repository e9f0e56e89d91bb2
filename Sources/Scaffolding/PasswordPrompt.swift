internal import Glibc

/// A password from a person: piped in, or asked for on the terminal without showing it.
public enum PasswordPrompt {
  /// What is read of standard input.
  private static let most = 4096

  /// The first line of standard input.
  public static func piped() throws(ScaffoldError) -> String {
    try password(line(of: 0)[...])
  }

  /// Asks twice, so that a slip is noticed.
  public static func asked(_ question: String) throws(ScaffoldError) -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else {
      throw ScaffoldError(
        .noPassword,
        "There is no terminal to ask for the password; pipe it in with --password-stdin.")
    }
    defer { close(terminal) }
    let first = try line(question, terminal)
    guard try line("Once more: ", terminal) == first else {
      throw ScaffoldError(.noPassword, "The passwords differ; nothing was changed.")
    }
    return try password(first[...])
  }

  private static func line(_ question: String, _ terminal: Int32) throws(ScaffoldError) -> [UInt8] {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else {
      throw ScaffoldError(.noPassword, "The terminal can't hide the password.")
    }
    var hidden = before
    // Without ISIG too: a ^C while nothing is shown would leave the terminal that way.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &hidden)
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    say(question, terminal)
    defer { say("\n", terminal) }
    let bytes = line(of: terminal)
    guard !bytes.contains(3) else { throw ScaffoldError(.noPassword, "Nothing was changed.") }
    return bytes
  }

  /// Reads one byte at a time, so that input after the line stays for the next reader.
  private static func line(of descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < most {
      var byte: UInt8 = 0
      let got = read(descriptor, &byte, 1)
      if got < 0, errno == EINTR { continue }
      guard got == 1, byte != 10 else { break }
      bytes.append(byte)
    }
    return bytes
  }

  private static func say(_ text: String, _ terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = write(terminal, bytes, bytes.count)
  }

  private static func password(_ bytes: ArraySlice<UInt8>) throws(ScaffoldError) -> String {
    let bytes = bytes.last == 13 ? bytes.dropLast() : bytes
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
      throw ScaffoldError(.noPassword, "The password is missing; it must be a line of text.")
    }
    return text
  }
}
