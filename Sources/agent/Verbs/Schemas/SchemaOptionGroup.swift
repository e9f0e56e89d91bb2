internal import AgentModules
internal import AgentText
internal import ArgumentParser
internal import JSONSchema

/// The options for compiling a schema in the verbs of `agent schema`.
struct SchemaOptionGroup: ParsableArguments {
  @Option(
    help: "A schema, or a folder of schemas, for other schemas to reference; may be repeated.")
  var registry: [String] = []

  @Option(
    help: "The draft of schemas that don't name theirs by $schema: 2020-12, 2019-09, 7, 6 or 4.",
    transform: Self.dialect)
  var draft: SchemaDialect = .draft2020

  @Flag(help: "Also check \"format\", which is an annotation otherwise.")
  var formatAssertion = false

  var compileOptions: SchemaOptions {
    SchemaOptions(formats: formatAssertion ? .assertion : .annotation, dialect: draft)
  }

  private static func dialect(_ text: String) throws -> SchemaDialect {
    let names = SchemaDialect.allCases.map { $0.name.replacing("draft ", with: "") }
    if let found = zip(names, SchemaDialect.allCases).first(where: { $0.0 == text }) {
      return found.1
    }
    let near = NameSuggestion.question(NameSuggestion.of(text, among: names), quote: "")
    throw ValidationError("There is no draft \"\(text)\".\(near)")
  }
}
