import AgentJSON
import AgentSettings
import AgentWorkers
import HostTestSupport
import TestSupport
import Testing

@testable import ModuleContractCheck

/// Runs the examination against modules in Python, which need no launcher outside of a sandbox.
@Suite(.timeLimit(.minutes(5))) struct ModuleCheckTests {
  private func check(_ manifest: String, _ program: String) async throws -> CheckReport {
    let agent = try TestAgent(manifest: manifest)
    let python = """
      import os, sys, asyncio
      sys.path.insert(0, "\(InProcessModule.root)/SDK/python")
      from agent_module import (
          Action, Answer, Datasource, Event, LogicAdapter, Module, ModuleError, Reply, Route)
      module = Module("clock", "0.1.0")

      """
    try agent.folder.write("modules/clock/main.py", python + program + "\nmodule.run()\n")
    var limits = CheckLimits()
    limits.calls = 20
    limits.stop = .seconds(2)
    limits.hangUp = .seconds(2)
    let check = ModuleCheck(
      directory: "\(agent.folder.path)/modules/clock",
      installation: WorkerInstallation(worker: "/bin/false", launcher: "/bin/false"), sandbox: .off,
      limits: limits)
    return try await check.run()
  }

  private func manifest(_ members: String) -> String {
    """
    {"name": "clock", "version": "0.1.0", "title": "Clock", "abi": 1,
     "command": ["python3", "main.py"], \(members)}
    """
  }

  private func failed(_ report: CheckReport) -> [String] {
    report.findings.filter { $0.outcome == .failed }.map(\.what)
  }

  @Test func `a module that meets its obligations passes`() async throws {
    let report = try await check(
      manifest(
        #"""
        "processes": {"ticks": {"kind": "datasource", "title": "Ticks",
          "settings": {"type": "object", "properties": {"name": {"type": "string"}}}}},
        "logic_adapters": {"time": {"title": "Time", "settings": {"type": "object"}}}
        """#),
      """
      @module.datasource("ticks")
      class Ticks(Datasource):
          async def run(self):
              await self.host.events.publish(Event("tick"))
              await asyncio.Event().wait()
      @module.logic_adapter("time")
      class Time(LogicAdapter):
          async def respond(self, statement):
              return Answer("now", 1)
      """)
    #expect(failed(report) == [])
    #expect(report.findings.contains { $0.what == "datasource \"ticks\": events" })
    #expect(report.findings.contains { $0.what == "logic_adapter \"time\": descriptors" })
  }

  @Test func `a function that the module lacks ends the check`() async throws {
    let report = try await check(
      manifest(#""actions": {"missing": {"title": "Isn't there"}}"#), "")
    #expect(failed(report) == ["manifest and module agree"])
    #expect(report.findings.last?.detail.contains("missing") == true)
  }

  @Test func `routes are called as the manifest declares, and invalid responses are found`()
    async throws
  {
    let report = try await check(
      manifest(
        #"""
        "routes": {
          "good": {"path": "days/{day}/{rest...}", "output": {"type": "object"},
            "example": {"parameters": {"day": "monday"}, "query": {"unit": "m"}}},
          "cookie": {"path": "cookie"},
          "other": {"path": "other", "output": {"type": "object"}},
          "sum": {"method": "POST", "path": "sum",
            "input": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}}
        }
        """#),
      """
      @module.route("good")
      class Good(Route):
          async def respond(self, request):
              good = request.parameters["day"] == "monday" and request.first("unit") == "m"
              return Reply({"rest": request.parameters["rest"]} if good else "no")
      @module.route("cookie")
      class Cookie(Route):
          async def respond(self, request):
              return Reply("x", headers={"set-cookie": "a=b"})
      @module.route("other")
      class Other(Route):
          async def respond(self, request):
              return Reply([1])
      @module.route("sum")
      class Sum(Route):
          async def respond(self, request):
              return Reply({"n": request.json()["n"] + 1} if request.body else None)
      """)
    #expect(failed(report) == ["route \"cookie\": a call", "route \"other\": a call"])
    #expect(report.findings.contains { $0.detail.contains("the header \"set-cookie\"") })
  }

  @Test func `metrics that a host would refuse are found`() async throws {
    let report = try await check(
      manifest(
        #""processes": {"ticks": {"kind": "datasource", "settings": {"type": "object"}}}"#),
      """
      @module.datasource("ticks")
      class Ticks(Datasource):
          async def run(self):
              self.host.metrics.gauge("good").set(1)
              self.host.metrics.counter("orders").add()
              self.host.metrics.flush()
              await asyncio.Event().wait()
      """)
    let words = report.findings.filter { $0.outcome == .failed }.map(\.detail)
    #expect(
      words.contains { $0.contains("The counter \"orders\" must end in _total.") }, "\(words)")
  }

  @Test func `wrong answers, crashes and leaks are found in calls`() async throws {
    let report = try await check(
      manifest(
        #"""
        "processes": {"port": {"kind": "datasource", "title": "Takes something exclusive",
          "settings": {"type": "object"}}},
        "actions": {
          "crash": {"title": "Falls over null"},
          "leak": {"title": "Leaves a file open"},
          "promise": {"title": "Answers what it doesn't promise", "output": {"type": "integer"}}}
        """#),
      """
      @module.datasource("port")
      class Port(Datasource):
          def __init__(self, settings, host):
              super().__init__(settings, host)
              os.close(os.open("taken", os.O_CREAT | os.O_EXCL))
          async def run(self):
              await asyncio.Event().wait()
      @module.action("crash")
      class Crash(Action):
          async def perform(self, input, progress):
              if input is None: os.abort()
      @module.action("leak")
      class Leak(Action):
          async def perform(self, input, progress):
              os.open("/dev/null", os.O_RDONLY)
      @module.action("promise")
      class Promise(Action):
          async def perform(self, input, progress):
              return "text"
      """)
    let found = failed(report)
    #expect(found.contains("action \"crash\": bad input, null"))
    #expect(found.contains("action \"leak\": descriptors"))
    #expect(found.contains("action \"promise\": a call"))
    #expect(found.contains { $0.hasPrefix("datasource \"port\"") })
    #expect(!found.contains { $0.hasPrefix("action \"leak\": bad") })
  }

  @Test func `a silent program is given up`() async throws {
    let agent = try TestAgent(manifest: manifest(#""processes": {}"#))
    try agent.folder.write("modules/clock/main.py", "import time\ntime.sleep(60)\n")
    var limits = CheckLimits()
    limits.start = .milliseconds(100)
    let report = try await ModuleCheck(
      directory: "\(agent.folder.path)/modules/clock",
      installation: WorkerInstallation(worker: "/bin/false", launcher: "/bin/false"), sandbox: .off,
      limits: limits
    ).run()
    #expect(report.findings.last?.outcome == .failed)
    #expect(report.findings.last?.detail.contains("HELLO didn't come") == true)
  }

  @Test func `an invalid manifest ends the check`() async throws {
    let report = try await check("{}", "")
    #expect(!report.isPassed)
    #expect(report.findings.allSatisfy { $0.what == "manifest" })
  }
}
