import Glibc

/// The system's own words for an error number.
enum SystemError {
  static func text(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
  }
}
