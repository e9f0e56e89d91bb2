internal import Glibc

/// Reads a password from standard input or from the terminal, which doesn't show it.
public enum PasswordPrompt {
  /// The largest number of bytes of a line.
  private static let most = 4096

  /// Reads the password from the first line of standard input.
  /// - Throws: `ScaffoldError` with `noPassword` if the line is empty or not UTF-8.
  public static func piped() throws(ScaffoldError) -> String {
    try password(line(of: 0)[...])
  }

  /// Asks for the password twice on the terminal, so that a typing error is noticed.
  /// - Throws: `ScaffoldError` with `noPassword` if there is no terminal, the answers differ, or
  ///   the answer isn't usable.
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
    // ISIG is off too. Otherwise, ^C would end the program while the terminal shows nothing, and
    // the terminal would stay like that. The byte of ^C is read as input and checked below.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &hidden)
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    say(question, terminal)
    defer { say("\n", terminal) }
    let bytes = line(of: terminal)
    guard !bytes.contains(3) else { throw ScaffoldError(.noPassword, "Nothing was changed.") }
    return bytes
  }

  /// Reads one byte at a time, so that further input remains for the next reader.
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
