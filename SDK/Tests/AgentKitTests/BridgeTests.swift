import AgentJSON
import AgentKit
import CAgentModule
import Synchronization
import Testing

@Suite struct BridgeTests {
  @Test func `the descriptor carries kinds and names`() throws {
    let descriptor = try #require(fixtures.descriptor).load(as: agent_module_descriptor_v1.self)
    #expect(descriptor.abi == AGENT_ABI)
    #expect(String(cString: descriptor.name) == "fixtures")
    #expect(String(cString: descriptor.version) == "1.2.3")
    let kinds = contributions(of: fixtures).map { (Int($0.kind), String(cString: $0.name)) }
    #expect(
      kinds.map(\.0) == [
        AGENT_DATASOURCE, AGENT_DATASOURCE, AGENT_MONITOR, AGENT_LOGIC_ADAPTER, AGENT_ACTION,
      ])
    #expect(kinds.map(\.1) == ["counter", "measured", "watcher", "greeter", "adder"])
  }

  @Test func `settings of the wrong type are refused with a sentence`() {
    let wrong = #expect(throws: Outcome.Result.self) {
      try FakeInstance("counter", of: fixtures, settings: #"{"to": "3"}"#, host: FakeHost())
    }
    #expect(wrong?.status == agent_status(AGENT_INVALID_SETTINGS))
    #expect(wrong?.text.contains("to") == true)
    let refused = #expect(throws: Outcome.Result.self) {
      try FakeInstance("counter", of: fixtures, settings: #"{"to": -1}"#, host: FakeHost())
    }
    #expect(refused?.text == "Count upwards.")
    let unlucky = #expect(throws: Outcome.Result.self) {
      try FakeInstance("counter", of: fixtures, settings: #"{"to": 13}"#, host: FakeHost())
    }
    #expect(unlucky?.text == "13 brings bad luck.")
  }

  @Test func `finished work is reported once, and a stop is still answered, twice`() async throws {
    let instance = try FakeInstance(
      "counter", of: fixtures, settings: #"{"to": 3}"#, host: FakeHost())
    let ended = instance.start()
    #expect(await ended.result.status == agent_status(AGENT_OK))
    #expect(await instance.stop().result.status == agent_status(AGENT_OK))
    #expect(await instance.stop().result.status == agent_status(AGENT_OK))
    instance.destroy()
    #expect(ended.results.count == 1)
    #expect(instance.host.state.withLock { $0.published.map { $0.events[0]?["n"] } } == [0, 1, 2])
  }

  @Test func `a producer without credit waits, and stop ends its wait`() async throws {
    let host = FakeHost(answers: false)
    let instance = try FakeInstance("counter", of: fixtures, settings: #"{"to": 3}"#, host: host)
    let ended = instance.start()
    #expect(await instance.stop().result.status == agent_status(AGENT_OK))
    #expect(ended.results.map(\.status) == [agent_status(AGENT_OK)])
    instance.destroy()
    // The host releases what it took, as it must; nobody waits for it any more.
    let waiting = host.state.withLock { $0.published }
    #expect(waiting.count <= 1)
    waiting.forEach { $0.accept(agent_status(AGENT_CLOSED)) }
  }

  @Test func `a call is answered, with its error's own code where it fails`() async throws {
    let greeter = try FakeInstance("greeter", of: fixtures, host: FakeHost())
    let hello = await greeter.invoke(1, #"{"text": "Hello!", "author": {"name": "Ada"}}"#).result
    #expect(try JSONValue(parsing: hello.text) == ["text": "Hello, Ada.", "confidence": 0.75])
    let other = await greeter.invoke(2, #"{"text": "what?"}"#).result
    #expect(try JSONValue(parsing: other.text) == ["confidence": 0])
    let failed = await greeter.invoke(3, #"{"text": "fail"}"#).result
    #expect(failed == .init(status: agent_status(AGENT_OVERLOADED), text: "Too many greetings."))
    for bad in ["{", "{}", "[]", "\u{0}"] {
      let result = await greeter.invoke(4, bad).result
      #expect(result.status == agent_status(AGENT_INVALID_ARGUMENT))
    }
    greeter.destroy()
  }

  @Test func `parts come before the end`() async throws {
    let adder = try FakeInstance("adder", of: fixtures, host: FakeHost())
    let call = adder.invoke(1, #"{"terms": [1, 2, 39]}"#)
    #expect(try await JSONValue(parsing: call.result.text) == ["sum": 42])
    #expect(try call.parts.map { try JSONValue(parsing: $0)["message"] } == ["adding"])
    adder.destroy()
  }

  @Test func `cancel, deadline and stop each end a call that hangs, with their own status`()
    async throws
  {
    let greeter = try FakeInstance("greeter", of: fixtures, host: FakeHost())
    let cancelled = greeter.invoke(1, #"{"text": "wait"}"#)
    greeter.cancel(1)
    greeter.cancel(99)
    #expect(await cancelled.result.status == agent_status(AGENT_CANCELLED))
    let late = greeter.invoke(2, #"{"text": "wait"}"#, deadline: 1_000_001)
    #expect(await late.result.status == agent_status(AGENT_DEADLINE_EXCEEDED))
    let past = greeter.invoke(3, #"{"text": "hello"}"#, deadline: 999_999)
    #expect(await past.result.status == agent_status(AGENT_DEADLINE_EXCEEDED))
    let stopped = greeter.invoke(4, #"{"text": "wait"}"#, deadline: .max)
    #expect(await greeter.stop().result.status == agent_status(AGENT_OK))
    #expect(stopped.results.map(\.status) == [agent_status(AGENT_CANCELLED)])
    let after = greeter.invoke(5, #"{"text": "hello"}"#)
    #expect(await after.result.status == agent_status(AGENT_CLOSED))
    greeter.destroy()
  }

  @Test func `the synchronous path answers in place and refuses with a negative status`() throws {
    let greeter = try FakeInstance("greeter", of: fixtures, host: FakeHost())
    #expect(greeter.callSync("abc") == (3, Array("cba".utf8)))
    #expect(greeter.callSync("abc", capacity: 1).0 == -Int64(AGENT_INVALID_ARGUMENT))
    greeter.destroy()
    let adder = try FakeInstance("adder", of: fixtures, host: FakeHost())
    #expect(adder.callSync("abc").0 == -Int64(AGENT_UNSUPPORTED))
    adder.destroy()
  }

  @Test func `ping is answered`() async throws {
    let descriptor = try #require(fixtures.descriptor).load(as: agent_module_descriptor_v1.self)
    let alive = Outcome()
    descriptor.ping(alive.completion())
    #expect(await alive.result.status == agent_status(AGENT_OK))
  }
}
