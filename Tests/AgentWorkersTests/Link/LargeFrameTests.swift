import AgentEvents
import AgentJSON
import AgentSupervision
import AgentWorkerProtocol
import CDescriptors
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

/// A worker that sends long frames costs the others nothing but its share of the processor.
@Suite(.timeLimit(.minutes(5))) struct LargeFrameTests {
  /// Answers at once, and remembers the methods in the order of the calls.
  private final class Answers: HostService {
    private let methods = Mutex<[String]>([])
    var all: [String] { methods.withLock(\.self) }

    func call(
      _ method: String, _ input: [UInt8], from caller: ServiceCaller,
      done: @escaping @Sendable (Result<[UInt8], WorkerError>) -> Void
    ) {
      methods.withLock { $0.append(method) }
      done(.success(Array("null".utf8)))
    }
  }

  /// A CALL of 8 MiB, all of it values.
  private func longCall() -> [UInt8] {
    var body = Array(#"{"service":"answers/1","method":"large","input":[0"#.utf8)
    while body.count < 8 << 20 { body.append(contentsOf: #",[],"xxxxxx",1"#.utf8) }
    return body + Array("]}".utf8)
  }

  private func small(_ id: UInt32) -> Frame {
    Frame(
      .call, id: id,
      body: Call(service: "answers/1", method: "small", input: Array("[]".utf8)).json)
  }

  @Test func `a worker's calls are answered while long ones of another wait to be parsed`()
    async throws
  {
    let answers = Answers()
    let flooding = try LinkFixture(byMethod: ["answers/1": answers])
    try await flooding.run()
    let other = try LinkFixture(beside: flooding)
    try await other.run()
    // However slowly the long ones are parsed.
    let goesOn = holdUp(flooding)
    let body = longCall()
    let file = body.withUnsafeBytes { descriptors_seal($0.baseAddress, $0.count) }
    for id in 1...3 as ClosedRange<UInt32> {
      let frame = Frame(.call, id: id, body: Array("{}".utf8), descriptor: true)
      await flooding.worker.sendDescriptor(frame, file)
    }
    close(file)
    for id in 1...100 as ClosedRange<UInt32> {
      await other.worker.send { [self] _ in [small(id)] }
      #expect(try await other.worker.expect(.reply).id == id)
    }
    #expect(answers.all == Array(repeating: "small", count: 100))
    goesOn.signal()
    // And the long ones are answered, in their order.
    for id in 1...3 as ClosedRange<UInt32> {
      #expect(try await flooding.worker.expect(.reply).id == id)
    }
    #expect(flooding.link.load.calls == 0)
    #expect(flooding.link.load.inbound == 0)
    flooding.end()
    other.end()
  }

  /// Holds up the thread that parses the long frames of all workers, until `signal()`.
  private func holdUp(_ fixture: LinkFixture) -> DispatchSemaphore {
    let goesOn = DispatchSemaphore(value: 0)
    fixture.link.services.largeFrames.async { goesOn.wait() }
    return goesOn
  }

  private func text(_ bytes: Int) -> [UInt8] {
    [0x22] + [UInt8](repeating: 0x78, count: bytes) + [0x22]
  }

  @Test(arguments: [100_000, 2_000_000])
  func `the bytes of a long frame count while it waits, and later frames wait behind it`(
    bytes: Int
  ) async throws {
    let answers = Answers()
    let fixture = try LinkFixture(byMethod: ["answers/1": answers])
    try await fixture.run()
    let other = try LinkFixture(beside: fixture)
    try await other.run()
    let goesOn = holdUp(fixture)
    let call = Call(service: "answers/1", method: "large", input: text(bytes)).json
    if bytes > Frame.maxInlineBody {
      await fixture.worker.sendBeside(.call, id: 1, call)
    } else {
      await fixture.worker.send { _ in [Frame(.call, id: 1, body: call)] }
    }
    await fixture.worker.send { [self] _ in [small(2)] }
    try await wait(while: fixture.link.load.inbound < call.count)
    // Another worker isn't concerned.
    await other.worker.send { [self] _ in [small(1)] }
    #expect(try await other.worker.expect(.reply).id == 1)
    #expect(answers.all == ["small"])
    goesOn.signal()
    for id in 1...2 as ClosedRange<UInt32> {
      #expect(try await fixture.worker.expect(.reply).id == id)
    }
    #expect(answers.all == ["small", "large", "small"])
    #expect(fixture.link.load.inbound == 0 && fixture.link.load.calls == 0)
    fixture.end()
    other.end()
  }

  @Test func `a long result that waits to be parsed counts, though the time of its worker is over`()
    async throws
  {
    let fixture = try LinkFixture()
    try await fixture.run()
    let link = fixture.link
    let output = Task {
      try await link.invoke(LinkFixture.time, input: Array("{}".utf8), deadline: 0)
    }
    let invoke = try await fixture.worker.expect(.invoke)
    let goesOn = holdUp(fixture)
    defer { goesOn.signal() }
    let result = text(3_000_000)
    await fixture.worker.sendBeside(.reply, id: invoke.id, result)
    try await wait(while: link.load.inbound < result.count)
    await withCheckedContinuation { done in
      fixture.loop.execute {
        link.exited()
        #expect(!link.drain())
        fixture.end()
        done.resume()
      }
    }
    #expect(try await output.value == result)
  }

  @Test func `a long frame that isn't JSON ends its worker alone`() async throws {
    let fixture = try LinkFixture()
    try await fixture.run()
    defer { fixture.end() }
    await fixture.worker.sendBeside(.call, id: 1, [UInt8](repeating: 0x78, count: 2_000_000))
    let report = await fixture.report()
    guard case .breach(let reason) = report else {
      Issue.record("It isn't a breach: \(String(describing: report))")
      return
    }
    #expect(reason.contains("CALL isn't JSON"))
    #expect(fixture.link.load.inbound == 0)
  }
}
