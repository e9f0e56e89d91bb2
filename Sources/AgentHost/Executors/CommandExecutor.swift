internal import AgentJSON
internal import AgentStore
internal import AgentSupervision
package import AgentTasks
internal import AgentText
internal import CDescriptors
internal import Glibc

/// Runs tasks by a program, or by a function in Python or JavaScript.
package struct CommandExecutor: TaskExecutor {
  /// Where programs are looked for.
  package static let path = "/usr/local/bin:/usr/bin:/bin"
  /// EX_TEMPFAIL (sysexits.h): this exit code may be tried again, even if `final_codes` has it.
  private static let tryAgain: Int32 = 75
  /// A shell found no such program, or may not execute it (POSIX, "Shell Command Language", 2.8.2).
  private static let shellFailures: ClosedRange<Int32> = 126...127

  /// Where programs run, and what they get.
  package struct Options: Sendable {
    /// The working directory.
    package var folder: String
    /// Whether a task may ask for a shell.
    package var allowsShell = false
    /// The programs that run functions: names, or paths.
    package var interpreters: [CommandRequest.Language: String] = [
      .python: "python3", .node: "node",
    ]
    /// Variables beside the fixed few.
    package var environment: [String: String] = [:]
    /// How long a program may take to end by itself when it is told to stop.
    package var grace = Duration.seconds(5)
    /// Where files lie that programs leave; nil where none are kept.
    package var artifactStore: ArtifactStore?
    /// The names of secrets that there are, and their values.
    package var secretNames: @Sendable () -> [String] = { [] }
    /// The value of a secret.
    package var secret: @Sendable (String) -> String? = { _ in nil }
    /// Takes these values out of texts.
    package var redacting: @Sendable ([String]) -> @Sendable (String) -> String = { _ in { $0 } }

    /// With nothing in particular.
    package init(folder: String) { self.folder = folder }
  }

  private let options: Options
  private let fixed: CommandRequest?

  /// - Parameter fixed: what every task runs; nil for what each says itself.
  package init(_ options: Options, fixed: CommandRequest? = nil) {
    (self.options, self.fixed) = (options, fixed)
  }

  private func request(_ definition: TaskDefinition) throws(TaskError) -> CommandRequest {
    guard var fixed else { return try CommandRequest(definition) }
    guard definition.runCommand == nil, !definition.usesShell else {
      let member = definition.runCommand == nil ? "shell" : "run_command"
      throw TaskError(
        .invalid, "The settings set the command of tasks of this type. Leave out \"\(member)\".")
    }
    fixed.secrets += definition.secrets
    return fixed
  }

  /// Checks a task and returns the problems in sentences. Empty when there are none.
  package func problems(with definition: TaskDefinition) -> [String] {
    let request: CommandRequest
    do throws(TaskError) {
      request = try self.request(definition)
    } catch {
      return [error.message]
    }
    var problems: [String] = []
    // A command that the settings fix was written by the person who could allow the shell as
    // well.
    if case .shell = request.program, fixed == nil, !options.allowsShell {
      problems.append(
        "A shell isn't allowed here. Write the command without one, or set \"allow_shell\": true "
          + "under tasks in the settings.")
    }
    for name in request.secrets where options.secret(name) == nil {
      let near = NameSuggestion.of(name, among: options.secretNames().sorted())
      problems.append(
        "secrets: There is no secret \(name)."
          + NameSuggestion.question(
            near, quote: "", otherwise: " Add it to .env, and reload the settings."))
    }
    return problems
  }

  // MARK: One attempt

  /// Runs the program. When the attempt is cancelled the group gets SIGTERM, and SIGKILL after
  /// `grace`.
  package func run(_ work: TaskWork) async throws -> TaskOutcome {
    let request: CommandRequest
    do throws(TaskError) {
      request = try self.request(work.definition)
    } catch {
      return .failed(error: error.message, isFinal: true)
    }
    // Checked again: the settings may have changed since the task was created.
    let problems = problems(with: work.definition)
    if !problems.isEmpty {
      return .failed(error: problems.joined(separator: " "), isFinal: true)
    }
    let secrets = request.secrets.map { (name: $0, value: options.secret($0) ?? "") }
    let redact = options.redacting(secrets.map(\.value))
    let output = AttemptOutput(work, redact: redact)
    do {
      let place = try await options.artifactStore?.place(for: work)
      let end: ProgramRun.Outcome
      do {
        end = try await runProgram(
          request, work: work, secrets: secrets, place: place, output: output)
      } catch {
        // Also after an error: the folder has to be emptied, and what is in it belongs to the
        // task.
        if let place { await options.artifactStore?.collect(from: place, for: work) }
        throw error
      }
      output.finish()
      // Before the outcome is returned: when the end of a task is seen, its files are there.
      if let place { await options.artifactStore?.collect(from: place, for: work) }
      return outcome(of: request, end, output)
    } catch let error as SpawnError {
      // The attempt was cancelled before the program was started.
      if error.errno == ECANCELED { return .cancelled() }
      return .failed(error: redact(error.message), isFinal: error.isPermanent)
    }
  }

  private func runProgram(
    _ request: CommandRequest, work: TaskWork, secrets: [(name: String, value: String)],
    place: String?, output: AttemptOutput
  ) async throws -> ProgramRun.Outcome {
    let bytes = work.context.bytes() + [UInt8(ascii: "\n")]
    // In memory and not through a pipe: a program that doesn't read its input can't block the
    // host.
    let input = descriptors_seal(bytes, bytes.count)
    guard input >= 0 else {
      throw TaskError(.notReady, "There is no memory for the program's input.")
    }
    defer { close(input) }
    var outputs: [Int32] = [1, 2]
    // A descriptor of its own, so that what a function prints isn't taken for its answer.
    if case .function = request.program { outputs.append(AttemptOutput.answerDescriptor) }
    let run = ProgramRun(
      command(request, work: work, secrets: secrets, place: place), input: input, outputs: outputs,
      grace: options.grace
    ) { descriptor, bytes in
      output.take(descriptor, bytes)
    }
    return try await run.run()
  }

  private func command(
    _ request: CommandRequest, work: TaskWork, secrets: [(name: String, value: String)],
    place: String?
  ) -> ChildCommand {
    let words: [String] =
      switch request.program {
      case .words(let words): words
      case .shell(let text): ["/bin/sh", "-c", text]
      case .function(.python, let file, let name):
        // -u: without it Python keeps its output back, and the task's log would come at the end.
        [interpreter(.python), "-u", "-c", Self.text(PackageResources.call_py), file, name]
      case .function(.node, let file, let name):
        [interpreter(.node), "-e", Self.text(PackageResources.call_js), "--", file, name]
      }
    var environment = [
      "PATH": Self.path, "LANG": "C.UTF-8", "HOME": options.folder,
      "AGENT_FOLDER": options.folder, "AGENT_TASK_ID": "\(work.task.id)",
      "AGENT_TASK_ATTEMPT": "\(work.task.attempt)",
    ]
    environment["AGENT_ARTIFACTS"] = place
    // These replace the fixed ones: PATH gets the agent's own folder.
    environment.merge(options.environment) { $1 }
    for secret in secrets { environment[secret.name] = secret.value }
    return ChildCommand(
      executable: words.first ?? "", arguments: Array(words.dropFirst()),
      environment: environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" },
      workingDirectory: options.folder)
  }

  private func interpreter(_ language: CommandRequest.Language) -> String {
    options.interpreters[language] ?? language.rawValue
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Its end

  private func outcome(
    of request: CommandRequest, _ end: ProgramRun.Outcome, _ output: AttemptOutput
  ) -> TaskOutcome {
    // Its answer counts and not its output, which is for the log.
    if case .function = request.program {
      return outcomeOfFunction(request, end: end, output: output)
    }
    let result = result(end, output)
    // First: a program that was stopped may end with any code, 0 too.
    if end.wasStopped { return .cancelled(output: result) }
    if end.exit.isSuccess { return .succeeded(result) }
    return .failed(
      error: error(request, end: end, output: output), output: result,
      isFinal: isFinal(request, end.exit))
  }

  private func outcomeOfFunction(
    _ request: CommandRequest, end: ProgramRun.Outcome, output: AttemptOutput
  ) -> TaskOutcome {
    if end.wasStopped { return .cancelled() }
    do throws(TaskError) {
      let answer = try output.answer()
      if end.exit.isSuccess { return .succeeded(answer?["value"] ?? .null) }
      return .failed(
        error: answer?["error"]?.string ?? error(request, end: end, output: output),
        isFinal: answer?["final"]?.bool ?? isFinal(request, end.exit))
    } catch {
      return .failed(error: error.message, isFinal: true)
    }
  }

  private func isFinal(_ request: CommandRequest, _ exit: ExitStatus) -> Bool {
    guard case .exited(let code) = exit, code != Self.tryAgain else { return false }
    if case .shell = request.program, Self.shellFailures.contains(code) { return true }
    return request.finalCodes.contains(code)
  }

  private func error(
    _ request: CommandRequest, end: ProgramRun.Outcome, output: AttemptOutput
  ) -> String {
    let (text, errors) = output.tails
    // Some programs report their errors on standard output.
    let said = (errors.isEmpty ? text : errors).split(separator: "\n").suffix(3)
    return "\(request.label) \(end.exit)"
      + (said.isEmpty ? "." : ": " + said.joined(separator: " | "))
  }

  private func result(_ end: ProgramRun.Outcome, _ output: AttemptOutput) -> JSONValue {
    let (text, errors) = output.tails
    var object: JSONObject = ["stdout": .string(text), "stderr": .string(errors)]
    if case .exited(let code) = end.exit { object["exit_code"] = JSONValue(Int64(code)) }
    return .object(object)
  }
}

extension TaskWork {
  /// The input of a program or a function: `{task, data, metadata, subsystem}`.
  var context: JSONValue {
    var about: JSONObject = [
      "id": .string("\(task.id)"), "name": .string(task.name), "type": .string(task.type),
      "attempt": JSONValue(task.attempt), "priority": JSONValue(task.priority),
      "description": .string(definition.description),
      "tags": .array(definition.tags.map(JSONValue.string)),
    ]
    about["due_date"] = task.due.map { JSONValue($0) }
    about["parent"] = task.parent.map { .string("\($0)") }
    return [
      "task": .object(about), "data": definition.input, "metadata": .object(definition.metadata),
      "subsystem": definition.subsystem.map(JSONValue.string) ?? .null,
    ]
  }
}
