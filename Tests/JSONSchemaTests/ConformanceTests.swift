import AgentJSON
import JSONSchema
import Testing

/// The official JSON-Schema-Test-Suite, read where it lies and never copied: every test of every
/// draft that it has, once as a yes or no, once as a list of failures, and once as the standard's output.
@Suite struct ConformanceTests {
  /// A folder of the suite, and how its schemas are to be compiled.
  struct Folder: CustomTestStringConvertible {
    let path: String
    let dialect: SchemaDialect
    /// The least number of tests.
    let least: Int

    var testDescription: String { path }

    /// What a file needs beyond the draft: what is optional there is an option here.
    func options(for file: String) -> SchemaOptions {
      SchemaOptions(
        content: file == "content.json" && isOptional ? .assertion : .annotation,
        dialect: dialect)
    }

    private var isOptional: Bool { path.hasSuffix("/optional") }
  }

  private static let folders = [
    Folder(path: "tests/draft2020-12", dialect: .draft2020, least: 1299),
    Folder(path: "tests/draft2020-12/optional", dialect: .draft2020, least: 162),
    Folder(path: "tests/draft2019-09", dialect: .draft2019, least: 1259),
    Folder(path: "tests/draft2019-09/optional", dialect: .draft2019, least: 158),
    Folder(path: "tests/draft7", dialect: .draft7, least: 927),
    Folder(path: "tests/draft7/optional", dialect: .draft7, least: 118),
  ]

  @Test(arguments: folders)
  func `every test of the official suite passes`(folder: Folder) throws {
    guard let suite = SchemaSuite.find() else {
      print("NOTICE: skipped, the JSON Schema test suite is not there (JSON_SCHEMA_TEST_SUITE).")
      return
    }
    try check(folder, of: suite)
  }

  /// For drafts 6 and 4 there is no official suite at hand; these cases are written from their
  /// specifications.
  @Test(arguments: [
    Folder(path: "draft6", dialect: .draft6, least: 773),
    Folder(path: "draft4", dialect: .draft4, least: 638),
  ]) func `every test of our own suite passes`(folder: Folder) throws {
    try check(folder, of: .own)
  }

  private func check(_ folder: Folder, of suite: SchemaSuite) throws {
    let registry = suite.registry()
    var count = 0
    for file in suite.files(folder.path) {
      for group in try suite.groups(file) {
        count += check(
          group, in: file.name, registry: registry, options: folder.options(for: file.name))
      }
    }
    #expect(count >= folder.least)
  }

  private func check(
    _ group: SchemaSuite.Group, in file: String, registry: SchemaRegistry,
    options: SchemaOptions
  ) -> Int {
    let schema: Schema
    do {
      schema = try Schema(group.schema, registry: registry, options: options)
    } catch {
      Issue.record("\(file): \(group.name): \(error)")
      return 0
    }
    for test in group.tests {
      let node = JSONDocument(test.data).root
      // With something that might be ignored the fast path isn't taken.
      let failures = schema.validate(node, ignoring: { _ in false }).filter {
        $0.severity == .error
      }
      #expect(schema.isValid(node) == test.valid, "\(file): \(group.name): \(test.name)")
      #expect(
        failures.isEmpty == test.valid,
        "explained: \(file): \(group.name): \(test.name) \(failures)")
      #expect(
        schema.output(.verbose, for: node)["valid"] == .bool(test.valid),
        "output: \(file): \(group.name): \(test.name)")
    }
    return group.tests.count
  }
}
