import AgentJSON
import Foundation
import JSONSchema

/// A folder of tests in the shape of the official suite.
struct SchemaSuite {
  struct File {
    let name: String
    let path: String
  }

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

  let folder: String

  /// The folder that `JSON_SCHEMA_TEST_SUITE` names, or the one beside the project.
  static func find() -> SchemaSuite? {
    let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let beside = root.appendingPathComponent("../shared/vectors/json-schema").path
    let folder = ProcessInfo.processInfo.environment["JSON_SCHEMA_TEST_SUITE"] ?? beside
    return FileManager.default.fileExists(atPath: folder + "/tests")
      ? SchemaSuite(folder: folder) : nil
  }

  /// The cases that lie beside this file: in the official suite's shape, for what it doesn't have.
  static let own = SchemaSuite(
    folder: URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("Fixtures").path)

  /// The test files in a folder, without those of its folders.
  func files(_ path: String) -> [File] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)")) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map {
      File(name: $0, path: "\(folder)/\(path)/\($0)")
    }
  }

  func groups(_ file: File) throws -> [Group] {
    try (read(file.path).array ?? []).map { group in
      Group(
        name: group["description"]?.string ?? "", schema: group["schema"] ?? .null,
        tests: (group["tests"]?.array ?? []).map { test in
          Test(
            name: test["description"]?.string ?? "", data: test["data"] ?? .null,
            valid: test["valid"]?.bool ?? false)
        })
    }
  }

  /// The remotes under the addresses that the suite gives them: all of them, since some refer to
  /// those of other drafts.
  func registry() -> SchemaRegistry {
    var registry = SchemaRegistry()
    let remotes = "\(folder)/remotes"
    let paths = FileManager.default.enumerator(atPath: remotes)?.compactMap { $0 as? String } ?? []
    for path in paths where path.hasSuffix(".json") {
      guard let schema = try? read("\(remotes)/\(path)") else { continue }
      registry.register("http://localhost:1234/\(path)", schema)
    }
    return registry
  }

  private func read(_ path: String) throws -> JSONValue {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return try JSONValue(parsing: Array(data))
  }
}
