import AgentModuleLoader
import Synchronization
import Testing

@Suite struct InstanceTests {
  private final class Answers: Sendable {
    let parts = Mutex<[String]>([])
    let ends = Mutex<[String]>([])

    func end(_ status: ModuleStatus, _ result: [UInt8] = []) {
      ends.withLock { $0.append("\(status) \(String(decoding: result, as: UTF8.self))") }
    }

    var sink: CallSink {
      CallSink(
        part: { part in self.parts.withLock { $0.append(String(decoding: part, as: UTF8.self)) } },
        finish: { self.end($0, $1) })
    }
  }

  private let services = FakeServices()

  private func create(_ index: Int, _ settings: String = "{}") throws -> ContributionInstance {
    let module = try LoadedModule.load(path: FixtureBuilder.module(), module: "misbehaving")
    return try module.create(
      module.contributions[index], settings: Array(settings.utf8), services: services)
  }

  private func ask(_ instance: ContributionInstance, _ input: String) -> Answers {
    let answers = Answers()
    instance.invoke(call: 1, input: Array(input.utf8), deadline: 0, sink: answers.sink)
    return answers
  }

  @Test func `a refusal has the module's message`() throws {
    let failure = try #require(throws: ModuleFailure.self) { try create(0, #"{"mode":"refuse"}"#) }
    #expect(failure.status == .invalidSettings)
    #expect(failure.message == #"The mode must not be "refuse"."#)
  }

  @Test func `a call yields its parts and one end, whatever the module does`() throws {
    let probe = try create(1)
    #expect(ask(probe, "{}").ends.withLock { $0.first?.hasPrefix("unsupported") } == true)
    #expect(probe.start { _, _ in } == .ok)
    #expect(
      ask(probe, #"{"try":"parts"}"#).parts.withLock { $0 } == [#""part""#, #""part""#, #""part""#])
    #expect(ask(probe, #"{"try":"twice"}"#).ends.withLock { $0 } == ["ok 1"])
    probe.destroy()
    #expect(ask(probe, "{}").ends.withLock { $0.first?.hasPrefix("unsupported") } == true)
    probe.destroy()
  }

  @Test func `a service is called by a method's name, and its answer is returned`() throws {
    let probe = try create(1)
    #expect(probe.start { _, _ in } == .ok)
    #expect(ask(probe, #"{"try":"state get"}"#).ends.withLock { $0 } == ["ok 1"])
    #expect(ask(probe, #"{"try":"state add"}"#).ends.withLock { $0 } == ["unsupported 1"])
    #expect(
      services.state.withLock { $0.calls } == [
        #"state/1 get {"keys":["a"]}"#, #"state/1 add {"keys":["a"]}"#,
      ])
    probe.destroy()
  }

  @Test func `the fast path answers in place`() throws {
    let probe = try create(1)
    var output = [UInt8](repeating: 0, count: 8)
    func echo(_ input: [UInt8]) -> Int64 {
      input.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { probe.callSync(input, into: $0) }
      }
    }
    #expect(echo([1]) == -5)
    #expect(probe.start { _, _ in } == .ok)
    #expect(echo([1, 2, 3]) == 3)
    #expect(output.prefix(3) == [1, 2, 3])
    #expect(echo(Array(repeating: 0, count: 9)) == -1)
    probe.destroy()
  }

  @Test func `a monitor gets its events, publishes and acknowledges`() throws {
    let watch = try create(2)
    let ended = Answers()
    #expect(watch.start { status, _ in ended.end(status) } == .ok)
    let subscriber = try #require(services.state.withLock { $0.subscribers.first })
    subscriber.events(7, batch: Array("[{}]".utf8), dropped: 3)
    #expect(services.state.withLock { $0.events } == [#"{"type":"seen","dropped":3}"#])
    #expect(services.state.withLock { $0.acknowledged } == 256)
    subscriber.closed(7, status: .ok, message: "")
    let stopped = Answers()
    watch.stop { stopped.end(.ok) }
    #expect(stopped.ends.withLock { $0.count } == 1)
    #expect(ended.ends.withLock { $0 } == ["ok "])
    watch.destroy()
  }
}
