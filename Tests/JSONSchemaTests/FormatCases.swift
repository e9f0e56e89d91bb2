import AgentJSON
import Foundation

/// A file of cases in the shape of the official suite, which has to be had without its own for
/// formats: `Fixtures/formats/FORMAT.json`.
struct FormatCases: CustomStringConvertible, Sendable {
  struct Group {
    let name: String
    let schema: JSONValue
    let tests: [Test]
  }

  struct Test {
    let name: String
    let data: JSONValue
    let valid: Bool
  }

  let format: String

  var description: String { format }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/formats").path

  static let all: [FormatCases] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map {
      FormatCases(format: String($0.dropLast(5)))
    }
  }()

  func groups() throws -> [Group] {
    let data = FileManager.default.contents(atPath: "\(Self.folder)/\(format).json") ?? Data()
    let file = try JSONValue(parsing: Array(data))
    return (file.array ?? []).map { group in
      Group(
        name: group["description"]?.string ?? "", schema: group["schema"] ?? .null,
        tests: (group["tests"]?.array ?? []).compactMap { test in
          guard let name = test["description"]?.string, let data = test["data"],
            let valid = test["valid"]?.bool
          else { return nil }
          return Test(name: name, data: data, valid: valid)
        })
    }
  }
}
