import Glibc

/// The system's texts for error numbers.
enum SystemError {
  static func text(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
  }
}
