internal import AgentJSON
internal import AgentModules
internal import ArgumentParser
internal import JSONSchema

/// Checks files against a schema, as `agent validate` checks the settings.
struct SchemaCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a JSON Schema, and validate files against it.",
    discussion: """
      Reports every problem with its location. Without a FILE only the schema is checked; \
      "-" is standard input, for one of them. Exit codes: 0 everything is valid, 1 a file isn't, \
      2 the schema itself can't be used, or the command line is wrong.

      Example: agent schema check order.schema.json order.json
      """)

  @OptionGroup var options: SchemaOptionGroup

  @Flag(help: "Print JSON for programs.")
  var json = false

  @Option(
    help: "Print the result of one FILE in a standard format: flag, basic, detailed, verbose.",
    transform: Self.outputForm)
  var output: SchemaOutput?

  @Argument(help: "The schema.") var schema: String

  @Argument(help: "The files to check.") var files: [String] = []

  private static func outputForm(_ text: String) throws -> SchemaOutput {
    guard let output = SchemaOutput(rawValue: text) else {
      throw ValidationError("The formats are flag, basic, detailed and verbose; found \"\(text)\".")
    }
    return output
  }

  func validate() throws {
    guard output == nil || files.count == 1 else {
      throw ValidationError("--output is for one FILE.")
    }
    guard ([schema] + files).count(where: { $0 == "-" }) < 2 else {
      throw ValidationError(
        "Standard input can be read once: only one of SCHEMA and the FILEs can be \"-\".")
    }
  }

  func run() throws {
    let files = SchemaFiles(options)
    let loaded: SchemaFiles.Loaded
    switch files.load(schema) {
    case .success(let result): loaded = result
    case .failure(let faults):
      show(faults.problems)
      if !json { Terminal.print("\(schema) can't be used: \(Self.count(faults.problems)).") }
      throw Failure("", exit: .usage)
    }
    if let output { return try show(output, of: files, loaded.schema) }
    if !json { show(loaded.warnings) }
    let results = self.files.map { (file: $0, problems: files.check($0, against: loaded.schema)) }
    if json {
      show(loaded.warnings + results.flatMap(\.problems))
    } else if results.isEmpty {
      Terminal.print("\(schema) is a valid schema (\(loaded.dialect)).")
    } else {
      for result in results { printProblems(result.problems, of: result.file) }
    }
    if results.contains(where: \.problems.hasErrors) { throw Failure.alreadySaid }
  }

  private func show(_ output: SchemaOutput, of files: SchemaFiles, _ schema: Schema) throws {
    let value: JSONValue
    do {
      value = schema.output(output, for: try SchemaFiles.read(self.files[0]).document.root)
    } catch {
      throw Failure(error.description)
    }
    Terminal.json(value, pretty: true)
    if value["valid"] != true { throw Failure.alreadySaid }
  }

  private func printProblems(_ problems: [Problem], of file: String) {
    for line in ProblemDigest(problems).lines { Terminal.print(Terminal.line(line)) }
    let count = problems.isEmpty ? "" : ": \(Self.count(problems))"
    Terminal.print("\(file)\(problems.hasErrors ? "" : " is valid")\(count).")
  }

  private func show(_ problems: [Problem]) {
    guard json else {
      for line in ProblemDigest(problems).lines { Terminal.print(Terminal.line(line)) }
      return
    }
    let value: JSONValue = [
      "valid": .bool(!problems.hasErrors), "problems": .array(problems.map(\.json)),
    ]
    Terminal.json(value, pretty: true)
  }

  private static func count(_ problems: [Problem]) -> String {
    let errors = problems.count { $0.severity == .error }
    let warnings = problems.count - errors
    let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }
    return parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }
}
