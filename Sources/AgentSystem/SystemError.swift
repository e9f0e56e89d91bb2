internal import Glibc

/// The system's texts for error numbers.
package enum SystemError {
  /// Returns the text of a number, such as `No such file or directory`.
  package static func text(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
  }
}
