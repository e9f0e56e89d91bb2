internal import AgentJSON
internal import AgentModules
internal import ArgumentParser
internal import JSONSchema

/// Describes a form for values of a schema.
struct SchemaForm: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "form", abstract: "Print the form that a schema describes, as JSON.",
    discussion: """
      Prints one field per key: its control, title, bounds and options. \
      Exit codes: 0 printed, 2 the schema can't be used, or the command line is wrong.

      Example: agent schema form order.schema.json
      """)

  @OptionGroup var options: SchemaOptionGroup

  @Argument(help: "The schema.") var schema: String

  func run() throws {
    switch SchemaFiles(options).load(schema) {
    case .success(let loaded): Terminal.json(loaded.schema.form.json, pretty: true)
    case .failure(let faults):
      for problem in faults.problems { Terminal.remark(problem.description) }
      throw Failure("The schema can't be used.", exit: .usage)
    }
  }
}
