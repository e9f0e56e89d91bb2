internal import AgentJSON
internal import AgentSupervision
internal import CDescriptors
internal import Glibc

/// Hands a notice to a program: JSON on its standard input, a clean environment.
package struct CommandNotifier: Notifier {
  /// The bytes of the program's output that are kept for the error.
  private static let maxOutput = 4096

  private let words: [String]
  private let environment: [String: String]
  private let folder: String

  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - environment: variables of the program, which win over the usual ones.
  ///   - folder: the agent's, where the program runs.
  package init(words: [String], environment: [String: String], folder: String) {
    self.words = words
    self.environment = environment
    self.folder = folder
  }

  /// Runs the program, and succeeds when it exits with 0. Throws `DeliveryFailure` with its last
  /// lines; the center tries again.
  package func deliver(_ notice: Notice) async throws {
    guard let program = words.first else { return }
    let bytes = JSONValue.object(notice.object).bytes() + [UInt8(ascii: "\n")]
    // In memory and not through a pipe: a program that doesn't read can't block the delivery.
    let input = descriptors_seal(bytes, bytes.count)
    guard input >= 0 else { throw DeliveryFailure("There is no memory for the program's input.") }
    defer { close(input) }
    let command = ChildCommand(
      executable: program, arguments: Array(words.dropFirst()), environment: variables(notice),
      workingDirectory: folder)
    let outcome: ProgramRun.Outcome
    do {
      outcome = try await ProgramRun(command, input: input, maxOutput: Self.maxOutput).run()
    } catch let error as SpawnError {
      throw DeliveryFailure(error.message)
    }
    guard !outcome.exit.isSuccess else { return }
    let said = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").suffix(3)
    throw DeliveryFailure(
      "\(program) \(outcome.exit)"
        + (said.isEmpty ? "." : ": " + said.joined(separator: " | ")))
  }

  private func variables(_ notice: Notice) -> [String] {
    var variables = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder,
      "AGENT_FOLDER": folder, "AGENT_NOTICE": notice.id,
    ]
    // The settings win, so that they can give the program a PATH of its own.
    variables.merge(environment) { $1 }
    return variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
