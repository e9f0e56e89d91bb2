internal import AgentJSON
package import AgentTasks

/// The program of a task of the type `command`.
package struct CommandRequest: Sendable, Equatable {
  /// The program.
  package enum Program: Sendable, Equatable {
    /// A program with its arguments.
    case words([String])
    /// A text that a shell reads.
    case shell(String)
    /// A function in a file, which gets the context and whose value is the output.
    case function(Language, file: String, name: String)
  }

  /// The language of a function.
  package enum Language: String, Sendable, CaseIterable {
    /// Python 3.
    case python
    /// JavaScript, by Node.js.
    case node
  }

  /// The program.
  package var program: Program
  /// Names of secrets that it finds in its environment.
  package var secrets: [String] = []
  /// Exit codes that are final: the task isn't tried again.
  package var finalCodes: [Int32] = []

  /// Reads `run_command`: a program with arguments, `python:FILE:FUNCTION` or `node:FILE:FUNCTION`.
  /// - Throws: `invalid`, with a sentence.
  package init(_ text: String, usesShell: Bool = false) throws(TaskError) {
    let (head, tail) = Self.split(text, at: text.firstIndex(of: ":"))
    if let language = Language(rawValue: head), let tail {
      guard !usesShell else {
        throw TaskError(.invalid, "\(head): functions don't run in a shell.")
      }
      // The last colon: a file's name may have one, a function's can't.
      let (file, name) = Self.split(tail, at: tail.lastIndex(of: ":"))
      guard !file.isEmpty, let name, Self.isName(name) else {
        throw TaskError(
          .invalid,
          "\"\(text)\" isn't of the form \(head):FILE:FUNCTION, such as "
            + (language == .python ? "python:jobs/report.py:daily." : "node:jobs/report.js:daily."))
      }
      program = .function(language, file: file, name: name)
    } else if usesShell {
      program = .shell(text)
    } else {
      program = .words(try CommandWords.split(text))
    }
    if case .words(let words) = program, words.first?.isEmpty != false {
      throw TaskError(.invalid, Self.missing)
    }
  }

  private init(program: Program) { self.program = program }

  /// Reads what a task says: its `run_command`, or the `program` and `args` of its input.
  init(_ definition: TaskDefinition) throws(TaskError) {
    if let text = definition.runCommand {
      try self.init(text, usesShell: definition.usesShell)
    } else {
      guard let program = definition.input["program"]?.string, !program.isEmpty else {
        throw TaskError(.invalid, Self.missing)
      }
      guard !definition.usesShell else {
        throw TaskError(.invalid, "A shell runs a run_command, not a program with args.")
      }
      let arguments = definition.input["args"]?.array ?? []
      guard arguments.allSatisfy({ $0.string != nil }) else {
        throw TaskError(.invalid, "args: expected a list of strings. Put numbers in quotes.")
      }
      self.init(program: .words([program] + arguments.compactMap(\.string)))
    }
    secrets = definition.secrets
    finalCodes = (definition.input["final_codes"]?.array ?? []).compactMap { value in
      value.int.flatMap { Int32(exactly: $0) }
    }
  }

  /// The name of the program in messages.
  var label: String {
    switch program {
    case .words(let words): words.first ?? ""
    case .shell: "The shell's command"
    case .function(_, let file, let name): "\(name) in \(file)"
    }
  }

  private static let missing =
    "A command needs a run_command: a program with its arguments, python:FILE:FUNCTION or "
    + "node:FILE:FUNCTION. \"program\" and \"args\" in its input work as well."

  private static func split<Text: StringProtocol>(
    _ text: Text, at place: Text.Index?
  ) -> (String, String?) {
    guard let place else { return (String(text), nil) }
    return (String(text[..<place]), String(text[text.index(after: place)...]))
  }

  private static func isName(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      part.first?.isNumber == false
        && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    }
  }
}
