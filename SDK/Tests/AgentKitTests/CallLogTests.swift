import AgentJSON
import CAgentModule
import Synchronization
import Testing

@testable import AgentKit

/// Logs in its call, in a child task of it, in a detached one, and after its end.
private struct Talking: Action {
  static let name = "talking"
  let host: AgentHost

  init(settings: NoSettings, host: AgentHost) { self.host = host }

  func perform(_ input: [String: Int], progress: ActionProgress) async throws -> [String: String] {
    host.log(.warning, "in the call")
    await Task { [host] in host.log(.info, "in a child") }.value
    await Task.detached { [host] in host.log(.info, "detached") }.value
    Task { [host] in
      let end = ContinuousClock.now + .seconds(60)
      while CallSink.current?.log(.trace, "") == true, ContinuousClock.now < end {
        await Task.yield()
      }
      host.log(.info, "after the call")
    }
    return [:]
  }
}

@Suite struct CallLogTests {
  private static let module = Module("talking", version: "1.0.0") { Talking.self }

  private func call(
    sinkSize: Int = MemoryLayout<agent_sink_v1>.size
  ) async throws -> (call: [String], host: [String]) {
    let host = FakeHost()
    let instance = try FakeInstance("talking", of: Self.module, host: host)
    let outcome = instance.invoke(1, "{}", sinkSize: sinkSize)
    _ = await outcome.result
    let end = ContinuousClock.now + .seconds(60)
    func said() -> [String] { host.state.withLock { $0.logs } }
    while !said().contains("after the call"), ContinuousClock.now < end { await Task.yield() }
    instance.destroy()
    return (outcome.logs.filter { $0 != "0 " }, said())
  }

  @Test func `a record that is logged in a call belongs to the call until its end`() async throws {
    let said = try await call()
    #expect(said.call == ["4 in the call", "2 in a child"])
    #expect(said.host == ["detached", "after the call"])
  }

  @Test func `an older host gets records as before`() async throws {
    let said = try await call(sinkSize: MemoryLayout<agent_sink_v1>.offset(of: \.log) ?? 0)
    #expect(said.call == [])
    #expect(said.host == ["in the call", "in a child", "detached", "after the call"])
  }
}
