import AgentSettings
import HostTestSupport
import Testing

@testable import AgentProcesses

@Suite struct SettingsChangesTests {
  private func settings(_ process: String, modules: String = "{}") -> String {
    """
    {"agent": {"name": "t"}, "enabled_modules": ["clock"], "modules": \(modules),
     "processes": {\(process)}}
    """
  }

  private func changes(
    from before: String, to after: String, refreshing: String? = nil
  ) throws -> [String] {
    let agent = try TestAgent()
    let old = try agent.applied(before)
    let new = try agent.applied(after)
    return ReloadPlan(from: old, to: new, refreshing: refreshing).changes.map {
      "\($0.change.action) \($0.change.process)\($0.isWanted ? "" : ", not wanted")"
    }
  }

  private static let one = #""a": {"type": "ticks", "seconds": 1}"#

  @Test func `equal settings change nothing`() throws {
    #expect(try changes(from: settings(Self.one), to: settings(Self.one)) == [])
  }

  @Test func `only the process whose settings changed is restarted`() throws {
    let other = #", "b": {"type": "ticks", "seconds": 1}"#
    let changed = #""a": {"type": "ticks", "seconds": 2}"# + other
    #expect(
      try changes(from: settings(Self.one + other), to: settings(changed)) == ["restart a"])
  }

  @Test func `added processes start and removed ones stop`() throws {
    let other = #""b": {"type": "ticks", "seconds": 1}"#
    #expect(
      try changes(from: settings(Self.one), to: settings(other)) == [
        "stop a, not wanted", "start b",
      ])
  }

  @Test func `enabling a process starts it, and disabling stops it`() throws {
    let off = #""a": {"type": "ticks", "seconds": 1, "enabled": false}"#
    #expect(try changes(from: settings(Self.one), to: settings(off)) == ["stop a, not wanted"])
    #expect(try changes(from: settings(off), to: settings(Self.one)) == ["start a"])
  }

  @Test func `a change to a disabled process waits until it is enabled`() throws {
    let off = #""a": {"type": "ticks", "seconds": 1, "enabled": false}"#
    let changed = #""a": {"type": "ticks", "seconds": 2, "enabled": false}"#
    #expect(try changes(from: settings(off), to: settings(changed)) == [])
  }

  @Test func `a changed limit, variable or library restarts the process`() throws {
    let limited = #""a": {"type": "ticks", "seconds": 1, "limits": {"files": 64}}"#
    let variable = #""a": {"type": "ticks", "seconds": 1, "environment": {"X": "1"}}"#
    #expect(try changes(from: settings(Self.one), to: settings(limited)) == ["restart a"])
    #expect(try changes(from: settings(Self.one), to: settings(variable)) == ["restart a"])
    #expect(
      try changes(from: settings(Self.one), to: settings(Self.one), refreshing: "clock")
        == ["restart a", "restart module:clock, not wanted"])
  }

  @Test func `every change has a reason`() throws {
    let agent = try TestAgent()
    let old = try agent.applied(settings(Self.one))
    let new = try agent.applied(settings(#""a": {"type": "ticks", "seconds": 2}"#))
    let changes = ReloadPlan(from: old, to: new, refreshing: nil).changes
    #expect(changes.count == 1)
    #expect(changes.first?.change.reason.contains("seconds") == true)
  }
}
