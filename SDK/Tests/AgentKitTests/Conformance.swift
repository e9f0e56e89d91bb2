import AgentJSON
import AgentKit
import Glibc

/// The files of cases that every implementation of a service answers alike.
enum Conformance {
  /// The suites of a file of `SDK/conformance`, by name: what is called, and what comes back.
  static func suites(_ file: String) -> [String: [JSONValue]] {
    let sdk = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let bytes = contents(of: "\(sdk)/conformance/\(file).json")
    let suites = (try? JSONValue(parsing: bytes))?.array ?? []
    return Dictionary(
      suites.map { ($0["name"]?.string ?? "", $0["steps"]?.array ?? []) },
      uniquingKeysWith: { $0 + $1 })
  }

  /// The codes of errors as the cases name them.
  static let names: [ModuleError.Code: String] = [
    .invalidArgument: "invalid_argument", .conflict: "conflict", .unsupported: "unsupported",
  ]

  private static func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }
}
