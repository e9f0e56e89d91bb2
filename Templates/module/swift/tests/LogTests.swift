import AgentKit
import AgentKitTesting
import Glibc
import Testing

@testable import {{Name}}

@Suite struct LogTests {
  @Test func `lines are made of pieces`() {
    var splitter = LineSplitter()
    #expect(splitter.add(Array("one\ntw".utf8)) == ["one"])
    #expect(splitter.add(Array("o\r\n\n".utf8)) == ["two"])
  }

  @Test func `a file is followed when it grows, is cut short, and is replaced`() {
    let path = "/tmp/log-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).log"
    defer { unlink(path) }
    var follower = LogFollower(path: path, from: .end)
    #expect(follower.read().isEmpty && follower.isMissing)
    write("first\n", to: path)
    #expect(follower.read() == ["first"])
    write("second\n", to: path, O_APPEND)
    #expect(follower.read() == ["second"])
    write("3\n", to: path, O_TRUNC)
    #expect(follower.read() == ["3"])
    rename(path, path + ".1")
    defer { unlink(path + ".1") }
    write("late\n", to: path + ".1", O_APPEND)
    write("fourth\n", to: path)
    #expect(follower.read() == ["late"])
    #expect(follower.read().isEmpty)
    #expect(follower.read() == ["fourth"])
  }

  @Test func `it goes on where it was, also in a file that was replaced`() {
    let path = "/tmp/log-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).log"
    defer { unlink(path) }
    write("first\nsecond\nhal", to: path)
    var follower = LogFollower(path: path, from: .start)
    #expect(follower.read() == ["first", "second"])
    write("f\n", to: path, O_APPEND)
    follower = LogFollower(path: path, from: .start, after: follower.position)
    #expect(follower.read() == ["half"])
    #expect(follower.read().isEmpty)
    rename(path, path + ".1")
    defer { unlink(path + ".1") }
    write("new\n", to: path)
    follower = LogFollower(path: path, from: .end, after: follower.position)
    #expect(follower.read() == ["new"])
    write("3\n", to: path, O_TRUNC)
    follower = LogFollower(path: path, from: .end, after: follower.position)
    #expect(follower.read() == ["3"])
  }

  @Test func `errors that come too fast raise one alert`() async throws {
    let host = TestHost()
    let monitor = ErrorRate(
      settings: .init(query: "log_line level:error", count: 3, window: 60, cooldown: 60),
      host: host.host)
    async let alerts = host.run(monitor, untilPublished: 1)
    await host.subscribed()
    for time in [0, 50_000, 70_000, 80_000, 90_000] as [Int64] {
      host.inject(Event("log_line", timestamp: time, fields: ["level": "error", "line": "bad"]))
    }
    #expect(try await alerts.first?["text"] == "3 errors within 60 seconds. The last: bad")
  }

  @Test func `it says how many errors there were`() async throws {
    let host = TestHost()
    let adapter = ErrorCount(settings: .init(query: "log_line level:error"), host: host.host)
    for age in [1, 200, 400] as [Int64] {
      host.inject(
        Event(
          "log_line", timestamp: host.clock.now - age * 1000,
          fields: ["level": "error", "line": "disk full"]))
    }
    let answer = try await adapter.respond(to: Statement("How many errors in the last 5 minutes?"))
    #expect(answer?.confidence == 0.95)
    #expect(answer?.text == "2 errors in the last 5 minutes. The latest: disk full")
    #expect(try await adapter.respond(to: Statement("how are you?")) == nil)
  }

  private func write(_ text: String, to path: String, _ flags: Int32 = 0) {
    let file = open(path, O_WRONLY | O_CREAT | flags, 0o600)
    _ = Glibc.write(file, text, text.utf8.count)
    close(file)
  }
}
