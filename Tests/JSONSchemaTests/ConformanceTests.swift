import AgentJSON
import JSONSchema
import Testing

/// The official JSON-Schema-Test-Suite, read where it lies and never copied.
@Suite struct ConformanceTests {
  /// What is not supported, by file and the beginning of a group's description, and why.
  private static let exceptions: [(file: String, group: String, reason: String)] = [
    (
      "defs.json", "validate definition against metaschema",
      "the draft's own metaschema isn't shipped, and nothing is fetched"
    ),
    (
      "ref.json", "remote ref, containing refs itself",
      "the draft's own metaschema isn't shipped, and nothing is fetched"
    ),
    (
      "vocabulary.json", "schema that uses custom metaschema with with no validation vocabulary",
      "vocabularies of own metaschemas aren't read"
    ),
    (
      "cross-draft.json", "refs to historic drafts are processed as historic drafts",
      "every schema is read as 2020-12"
    ),
    ("dependencies-compatibility.json", "", "\"dependencies\" is no keyword of 2020-12"),
    (
      "format-assertion.json", "", "format is asserted by an option, not by a metaschema"
    ),
  ]

  @Test(arguments: [("tests/draft2020-12", 1200), ("tests/draft2020-12/optional", 90)])
  func `every test of draft 2020-12 passes`(folder: String, least: Int) throws {
    guard let suite = SchemaSuite.find() else {
      print("NOTICE: skipped, the JSON Schema test suite is not there (JSON_SCHEMA_TEST_SUITE).")
      return
    }
    let registry = suite.registry()
    var count = 0
    for file in suite.files(folder) {
      for group in try suite.groups(file) {
        if Self.exceptions.contains(where: {
          $0.file == file.name && group.name.hasPrefix($0.group)
        }) {
          continue
        }
        count += try check(group, in: file.name, registry)
      }
    }
    #expect(count > least)
  }

  private func check(
    _ group: SchemaSuite.Group, in file: String, _ registry: SchemaRegistry
  ) throws -> Int {
    let schema: Schema
    do {
      schema = try Schema(group.schema, registry: registry)
    } catch {
      Issue.record("\(file): \(group.name): \(error)")
      return 0
    }
    for test in group.tests {
      let node = JSONDocument(test.data).root
      let failures = schema.validate(node).filter { $0.severity == .error }
      #expect(schema.isValid(node) == test.valid, "\(file): \(group.name): \(test.name)")
      #expect(
        failures.isEmpty == test.valid,
        "explained: \(file): \(group.name): \(test.name) \(failures)")
    }
    return group.tests.count
  }
}
