/// The cases of a format, in the shape of the official suite, which has to be had without its own for
/// formats: `Fixtures/formats/FORMAT.json`.
struct FormatCases: CustomStringConvertible, Sendable {
  private let file: SchemaSuite.File

  var format: String { String(file.name.dropLast(5)) }
  var description: String { format }

  static let all = SchemaSuite.own.files("formats").map { FormatCases(file: $0) }

  func groups() throws -> [SchemaSuite.Group] {
    try SchemaSuite.own.groups(file)
  }
}
