import AgentJSON
import AgentModules
import AgentSettings
import Testing

/// `tasks`: how they are done, and which types there are.
@Suite struct TaskSettingsTests {
  private func load(
    _ tasks: String, environment: [String: String] = [:]
  ) throws -> SettingsResult {
    try SettingsFixture().load(#"{"tasks": \#(tasks)}"#, environment: environment)
  }

  @Test func `an omitted setting has the schema's default`() throws {
    let result = try load("{}")
    let tasks = try #require(result.settings?.tasks)
    #expect(tasks == TaskSettings())
    func value(_ key: String) throws -> JSONValue? {
      result.composedSchema.value(
        at: try JSONPointer("/properties/tasks/properties/\(key)/default"))
    }
    #expect(try value("slots")?.int == tasks.slots)
    #expect(try value("max_open")?.int == tasks.maxOpen)
    #expect(try value("keep_days")?.double == tasks.keepDays)
    #expect(try value("log_lines")?.int == tasks.logLines)
    #expect(try value("allow_shell")?.bool == tasks.allowsShell)
    #expect(try value("allow_private")?.bool == tasks.allowsPrivate)
    #expect(try value("python")?.string == tasks.python)
    #expect(try value("node")?.string == tasks.node)
    #expect(try value("ageing") == "10m" && tasks.ageingMs == 600_000)
    #expect(try value("kill_after") == "5s" && tasks.killAfterMs == 5_000)
  }

  @Test func `a grant of an unknown task type is reported with the nearest`() throws {
    let result = try SettingsFixture().load(
      #"""
      {"enabled_modules": ["trades"],
       "modules": {"trades": {"permissions": {"tasks": ["http", "assignment_strategy", "comand"]}}}}
      """#)
    let problems = result.problems.filter { $0.code == "unknown_task_type" }
    #expect(problems.map(\.suggestion) == ["command"], "\(result.problems)")
    #expect(problems.first?.path == "modules.trades.permissions.tasks[2]")
    #expect(result.settings?.modules.first?.taskTypes.count == 3)
  }

  @Test func `every setting of tasks is read`() throws {
    let tasks = try #require(
      load(
        """
        {"slots": 2, "max_open": 7, "ageing": "1h", "keep_days": 1.5, "log_lines": 10, "allow_shell": true,
         "allow_private": true, "python": "/opt/python", "node": "nodejs", "kill_after": "1s",
         "retry": {"attempts": 3}, "timeouts": {"run_ms": 5},
         "types": {
           "report": {"executor": "command", "run_command": "a | b", "shell": true,
             "secrets": ["KEY"], "final_codes": [2], "max_concurrent": 1,
             "description": "d", "input": {"type": "object"}},
           "hook": {"executor": "http", "url": "https://example.org/", "method": "PUT",
             "headers": {"X-A": "b"}, "allow_private": true, "retry": {"attempts": 2}},
           "paint": {"executor": "bots", "timeouts": {"queued_ms": 9}}}}
        """
      ).settings?.tasks)
    #expect(tasks.maxOpen == 7)
    #expect(tasks.slots == 2 && tasks.ageingMs == 3_600_000 && tasks.keepDays == 1.5)
    #expect(tasks.logLines == 10 && tasks.allowsShell && tasks.allowsPrivate)
    #expect(tasks.python == "/opt/python" && tasks.node == "nodejs" && tasks.killAfterMs == 1_000)
    #expect(tasks.retry == ["attempts": 3] && tasks.timeouts == ["run_ms": 5])
    #expect(tasks.types.map(\.name) == ["hook", "paint", "report"])
    guard case .http(let request) = tasks.types[0].executor else {
      Issue.record("\(tasks.types[0].executor)")
      return
    }
    #expect(request.url == "https://example.org/" && request.method == "PUT")
    #expect(request.headers == ["X-A": "b"] && request.allowsPrivate)
    #expect(tasks.types[0].retry == ["attempts": 2])
    #expect(tasks.types[1].executor == .bots && tasks.types[1].timeouts == ["queued_ms": 9])
    #expect(
      tasks.types[2].executor
        == .command("a | b", usesShell: true, secrets: ["KEY"], finalCodes: [2]))
    #expect(tasks.types[2].maxAtOnce == 1 && tasks.types[2].description == "d")
  }

  @Test(arguments: [
    (#"{"types": {"command": {"executor": "bots"}}}"#, "reserved_name"),
    (#"{"types": {"a": {"executor": "comand"}}}"#, "unknown_executor"),
    (#"{"types": {"a": {"executor": "none/such"}}}"#, "unknown_executor"),
    (#"{"types": {"a": {"executor": "http", "url": "nowhere"}}}"#, "invalid_url"),
    (#"{"types": {"a": {"executor": "bots", "input": {"type": "strng"}}}}"#, "invalid_schema"),
    (
      #"{"types": {"a": {"executor": "command", "run_command": "a", "shell": true}}}"#,
      "shell_not_allowed"
    ),
  ])
  func `an impossible setting is refused with its place`(tasks: String, code: String) throws {
    let result = try load(tasks)
    #expect(result.settings == nil)
    #expect(result.codes == [code], "\(result.lines)")
  }

  @Test func `a header may come from a secret, which isn't shown`() throws {
    let settings = try #require(
      load(
        #"{"types": {"a": {"executor": "http", "url": "https://c", "headers": {"K": "${secret:KEY}"}}}}"#,
        environment: ["KEY": "s3same-open"]
      ).settings)
    #expect(!settings.redactor.redact("it sent s3same-open").contains("s3same"))
    #expect(settings.variables["KEY"] == "s3same-open")
  }
}
