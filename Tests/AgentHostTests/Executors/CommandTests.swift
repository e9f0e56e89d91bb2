import AgentJSON
import AgentHost
import AgentStore
import AgentTasks
import AgentTasksTesting
import Glibc
import TestSupport
import Testing

struct CommandTests {
  private func engine(
    in folder: String = "/tmp", _ change: (inout CommandExecutor.Options) -> Void = { _ in }
  ) async throws -> EngineUnderTest {
    var options = CommandExecutor.Options(folder: folder)
    options.grace = .milliseconds(50)
    change(&options)
    let executor = CommandExecutor(options)
    return try await EngineUnderTest.started { plan in
      plan.types["command"] = TaskType(
        name: "command", description: "", source: "built-in", executor: executor,
        check: executor.problems)
    }
  }

  private func end(
    _ command: String, _ test: EngineUnderTest, change: (inout TaskDraft) -> Void = { _ in }
  ) async throws -> TaskRow {
    let task = try await test.create(type: "command") { draft in
      draft.definition.runCommand = command
      change(&draft)
    }
    return try await test.engine.wait(for: task.id, milliseconds: 3_600_000)
  }

  private func result(_ row: TaskRow) -> JSONValue { TaskReport(row).result ?? .null }

  @Test func `a command is split at spaces and quotes, and its output is kept`() async throws {
    let test = try await engine()
    let row = try await end(#"printf %s:%s: "a b" 'c "d' $HOME * "" "#, test)
    #expect(row.state == .succeeded)
    #expect(result(row)["output"]?["stdout"]?.string == #"a b:c "d:$HOME:*:::"#)
    #expect(result(row)["output"]?["exit_code"]?.int == 0)
    await test.remove()
  }

  @Test func `no process of a program's group survives its attempt`() async throws {
    let test = try await engine { $0.allowsShell = true }
    let row = try await end(
      "for i in $(seq 100); do sleep 600 & echo $!; done; exit 1", test
    ) { $0.definition.usesShell = true }
    let words = result(row)["output"]?["stdout"]?.string?.split(separator: "\n") ?? []
    let left = words.compactMap { Int32($0) }.filter { pid in
      guard let file = fopen("/proc/\(pid)/stat", "r") else { return false }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      guard fgets(&line, 256, file) != nil else { return false }
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return !text.contains(") Z") && !text.contains(") X")
    }
    #expect(words.count == 100 && left.isEmpty)
    await test.remove()
  }

  @Test func `both streams are logged line by line, without the progress lines`() async throws {
    let test = try await engine { $0.allowsShell = true }
    let row = try await end(
      "echo one; echo ::progress 0.25 a quarter; echo two >&2; printf three", test
    ) { $0.definition.usesShell = true }
    let lines = try await test.engine.logLines(of: row.id, after: 0, limit: 10)
    #expect(lines.filter { $0.stream == "stdout" }.map(\.text) == ["one", "three"])
    #expect(lines.filter { $0.stream == "stderr" }.map(\.text) == ["two"])
    #expect(
      try await test.engine.task(row.id).progress.map { String(decoding: $0, as: UTF8.self) }
        .map { $0.contains("\"a quarter\"") && $0.contains("25") } == true)
    #expect(result(row)["output"]?["stdout"]?.string == "one\nthree")
    await test.remove()
  }

  @Test func `a program gets its task on standard input and nothing of the host's environment`()
    async throws
  {
    setenv("EXECUTOR_TEST_CANARY", "host", 1)
    let test = try await engine { $0.allowsShell = true }
    let row = try await end("cat; env", test) { draft in
      draft.definition.usesShell = true
      draft.definition.input = ["size": 3]
      draft.definition.subsystem = "backup"
    }
    let text = try #require(result(row)["output"]?["stdout"]?.string)
    let context = try JSONValue(parsing: String(try #require(text.split(separator: "\n").first)))
    #expect(context["data"]?["size"]?.int == 3)
    #expect(context["task"]?["id"]?.string == "\(row.id)")
    #expect(context["task"]?["attempt"]?.int == 1)
    #expect(context["subsystem"]?.string == "backup")
    #expect(text.contains("AGENT_TASK_ID=\(row.id)\n"))
    #expect(!text.contains("EXECUTOR_TEST_CANARY"))
    await test.remove()
  }

  @Test func `a program gets only the secrets it names, and no stored text has one`() async throws {
    let values = ["KEY": "hidden-value-1", "OTHER": "hidden-value-2"]
    let test = try await engine { options in
      options.allowsShell = true
      options.secret = { values[$0] }
      options.secretNames = { Array(values.keys) }
      options.redacting = { secrets in
        { text in secrets.reduce(text) { $0.replacing($1, with: "[secret]") } }
      }
    }
    let row = try await end("echo $KEY,$OTHER; echo $KEY >&2; exit 3", test) { draft in
      draft.definition.usesShell = true
      draft.definition.secrets = ["KEY"]
    }
    #expect(result(row)["output"]?["stdout"]?.string == "[secret],\n")
    #expect(result(row)["error"]?.string?.contains("exited with code 3: [secret]") == true)
    let lines = try await test.engine.logLines(of: row.id, after: 0, limit: 10)
    #expect(lines.map(\.text).sorted() == ["[secret]", "[secret],"])
    await #expect(throws: TaskError(.invalid, "secrets: There is no secret KEZ. Did you mean KEY?"))
    {
      try await end("true", test) { $0.definition.secrets = ["KEZ"] }
    }
    await test.remove()
  }

  @Test func `a command that needs a shell is refused where shells aren't allowed`() async throws {
    let test = try await engine()
    await #expect(throws: TaskError.self) {
      try await end("echo a", test) { $0.definition.usesShell = true }
    }
    for command in ["ls | wc", "a && b", "echo 'a", "", "python:file.py", "node::f"] {
      await #expect(throws: TaskError.self, "\(command)") { try await end(command, test) }
    }
    #expect(try await end("echo '|' a\\;", test).state == .succeeded)
    await test.remove()
  }

  @Test func `a missing program isn't retried, but a failing one is`() async throws {
    let test = try await engine()
    let missing = try await end("/nowhere/program", test) { $0.definition.retry.attempts = 5 }
    #expect(missing.state == .failed)
    #expect(missing.failures == 1)
    let task = try await test.create(type: "command") { draft in
      draft.definition.input = ["program": "false", "final_codes": [2]]
      draft.definition.retry.attempts = 2
    }
    #expect(try await test.reached(task.id, .scheduled).failures == 1)
    let final = try await test.create(type: "command") { draft in
      draft.definition.input = ["program": "false", "final_codes": [1]]
      draft.definition.retry.attempts = 2
    }
    #expect(try await test.engine.wait(for: final.id, milliseconds: 3_600_000).state == .failed)
    await test.remove()
  }

  @Test func `a cancelled program may finish, and is killed with its children if it doesn't`()
    async throws
  {
    let test = try await engine { $0.allowsShell = true }
    let polite = try await running("trap 'echo bye; exit 0' TERM; echo up; sleep 1000 & wait", test)
    _ = try await test.engine.cancel(polite, by: "test")
    let first = try await test.engine.wait(for: polite, milliseconds: 3_600_000)
    #expect(first.state == .cancelled)
    #expect(result(first)["output"]?["stdout"]?.string == "up\nbye\n")

    let deaf = try await running("trap '' TERM; echo up; while :; do sleep 1000; done", test)
    _ = try await test.engine.cancel(deaf, by: "test")
    #expect(try await test.engine.wait(for: deaf, milliseconds: 3_600_000).state == .cancelled)
    await test.remove()
  }

  @Test func `a program that takes too long is stopped`() async throws {
    let test = try await engine { $0.allowsShell = true }
    let id = try await running("echo up; sleep 1000", test) { $0.definition.timeouts.run = 5_000 }
    test.clock.advance(5_001)
    let row = try await test.engine.wait(for: id, milliseconds: 3_600_000)
    #expect(row.state == .failed)
    #expect(result(row)["error"]?.string?.contains("5000 ms") == true)
    await test.remove()
  }

  /// The number of a task whose program has written its first line.
  private func running(
    _ command: String, _ test: EngineUnderTest, change: (inout TaskDraft) -> Void = { _ in }
  ) async throws -> Int64 {
    let task = try await test.create(type: "command") { draft in
      draft.definition.runCommand = command
      draft.definition.usesShell = true
      change(&draft)
    }
    try await wait(while: try await test.engine.logLines(of: task.id, after: 0, limit: 1).isEmpty)
    return task.id
  }

  @Test func `the end of a long output is kept, from a whole character on`() async throws {
    let test = try await engine { $0.allowsShell = true }
    let row = try await end("yes ää€ | head -c 400000; echo; echo end", test) {
      $0.definition.usesShell = true
    }
    let text = try #require(result(row)["output"]?["stdout"]?.string)
    #expect(text.utf8.count <= 64 << 10)
    #expect(text.utf8.count > 60 << 10)
    #expect(text.hasSuffix("\nend\n"))
    #expect(!text.prefix(10).contains("\u{fffd}"))
    await test.remove()
  }
}
