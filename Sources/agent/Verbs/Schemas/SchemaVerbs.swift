internal import ArgumentParser

/// The verbs for JSON Schema.
struct SchemaVerbs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Check JSON files against any JSON Schema; describe forms.",
    discussion: """
      Needs no agent. Nothing is ever fetched. Give the schemas that others reference with \
      --registry.

      Example: agent schema check order.schema.json order.json
      """,
    subcommands: [SchemaCheck.self, SchemaForm.self, SchemaBowtie.self])
}
