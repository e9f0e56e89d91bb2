import AgentJSON
import AgentHost
import AgentStore
import AgentTasks
import AgentTasksTesting
import Glibc
import Testing

struct FunctionTests {
  private static let hasNode = ["/usr/local/bin", "/usr/bin", "/bin"].contains { folder in
    access("\(folder)/node", X_OK) == 0
  }

  private static let python = """
    import asyncio, sys
    def add(context):
        print("::progress 50% half")
        print("adding")
        return {"sum": sum(context["data"]), "task": context["task"]["name"]}
    async def slow(context):
        await asyncio.sleep(0)
        return "done"
    class Jobs:
        @staticmethod
        def inner(context): return None
    def broken(context):
        raise ValueError("no good")
    class Hopeless(Exception):
        final = True
    def hopeless(context): raise Hopeless("never")
    def odd(context): return object()
    def later(context): sys.exit(75)
    def deep(context):
        value = []
        for _ in range(80): value = [value]
        return value
    """

  private static let script = """
    exports.add = (context) => ({ sum: context.data.reduce((a, b) => a + b, 0) });
    exports.slow = async () => { await null; console.log("slow"); return "done"; };
    exports.broken = () => { throw new TypeError("no good"); };
    exports.nothing = () => {};
    """

  private static let module = "export default { add: async (context) => context.metadata.who };"

  private struct Attempt {
    let row: TaskRow
    let result: JSONValue
    let log: [String]
  }

  private func attempt(
    _ command: String, input: JSONValue = .null, _ text: String, file: String
  ) async throws -> Attempt {
    var template = Array("/tmp/functions-XXXXXX".utf8CString)
    _ = try #require(mkdtemp(&template))
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let path = "\(folder)/\(file)"
    let stream = try #require(fopen(path, "w"))
    fputs(text, stream)
    fclose(stream)
    let executor = CommandExecutor(.init(folder: folder))
    let test = try await EngineUnderTest.started { plan in
      plan.types["command"] = TaskType(
        name: "command", description: "", source: "built-in", executor: executor,
        check: executor.problems)
    }
    let task = try await test.create(type: "command") { draft in
      draft.definition.runCommand = command
      draft.definition.input = input
      draft.definition.metadata = ["who": "me"]
    }
    let row = try await test.engine.wait(for: task.id, milliseconds: 3_600_000)
    let log = try await test.engine.logLines(of: row.id, after: 0, limit: 100).map(\.text)
    await test.remove()
    _ = unlink(path)
    _ = rmdir(folder + "/__pycache__")
    _ = rmdir(folder)
    return Attempt(row: row, result: TaskReport(row).result ?? .null, log: log)
  }

  private func python(
    _ name: String, input: JSONValue = .null
  ) async throws -> Attempt {
    try await attempt("python:jobs.py:\(name)", input: input, Self.python, file: "jobs.py")
  }

  @Test func `a Python function gets the context, and its value is the output`() async throws {
    let added = try await python("add", input: [1, 2, 3])
    #expect(added.row.state == .succeeded)
    #expect(added.result["output"] == ["sum": 6, "task": "a"])
    #expect(added.log == ["adding"])
    #expect(try await python("slow").result["output"] == "done")
    #expect(try await python("Jobs.inner").result["output"] == .null)
  }

  @Test func `a Python exception is the error, and the log says where`() async throws {
    let broken = try await python("broken")
    #expect(broken.row.state == .failed)
    #expect(broken.result["error"]?.string == "ValueError: no good")
    #expect(broken.log.first == "Traceback (most recent call last):")
    #expect(broken.log.contains { $0.contains("jobs.py\", line 13, in broken") })
    #expect(!broken.log.contains { $0.contains("<string>") })
    #expect(try await python("hopeless").result["error"]?.string == "Hopeless: never")
    #expect(
      try await python("missing").result["error"]?.string
        == "jobs.py: there is no function missing in it.")
    #expect(try await python("odd").result["error"]?.string?.contains("JSON can't say") == true)
    let deep = try await python("deep")
    #expect(deep.row.state != .succeeded)
    #expect(deep.result["error"]?.string?.contains("can't be read") == true)
    #expect(try await python("later").result["error"]?.string?.contains("code 75") == true)
  }

  @Test(.enabled(if: FunctionTests.hasNode, "Node.js isn't installed"))
  func `a Node function gets the context, and its value is the output`() async throws {
    func node(
      _ name: String, input: JSONValue = .null
    ) async throws -> Attempt {
      try await attempt("node:jobs.js:\(name)", input: input, Self.script, file: "jobs.js")
    }
    #expect(try await node("add", input: [1, 2, 3]).result["output"] == ["sum": 6])
    let slow = try await node("slow")
    #expect(slow.result["output"] == "done")
    #expect(slow.log == ["slow"])
    #expect(try await node("nothing").result["output"] == .null)
    let broken = try await node("broken")
    #expect(broken.result["error"]?.string == "TypeError: no good")
    #expect(broken.log.contains { $0.contains("jobs.js:3") })
    #expect(
      try await node("missing").result["error"]?.string
        == "jobs.js: there is no function missing that it exports.")
    let module = try await attempt("node:jobs.mjs:add", Self.module, file: "jobs.mjs")
    #expect(module.result["output"] == "me")
  }
}
