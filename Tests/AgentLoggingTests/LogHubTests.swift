import AgentJSON
import Synchronization
import TestSupport
import Testing

@testable import AgentLogging

@Suite struct LogHubTests {
  private final class ReceivedRecords: Sendable {
    let records = Mutex<[LogRecord]>([])
    var messages: [String] { records.withLock { $0.map(\.message) } }
  }

  private func quiet(_ change: (inout LogConfiguration) -> Void = { _ in }) -> LogConfiguration {
    var configuration = LogConfiguration()
    configuration.toStandardError = false
    change(&configuration)
    return configuration
  }

  @Test func `followers get what passes the level, until they stop`() {
    let hub = LogHub(quiet { $0.level = .warning })
    let received = ReceivedRecords()
    let subscription = hub.subscribe { record in received.records.withLock { $0.append(record) } }
    hub.log(.info, "too little")
    hub.log(.warning, "enough")
    hub.flush()
    hub.unsubscribe(subscription)
    hub.log(.error, "too late")
    hub.flush()
    #expect(received.messages == ["enough"])
  }

  @Test func `waiting records are bounded in bytes, and messages in length`() {
    let hub = LogHub(quiet())
    let received = ReceivedRecords()
    _ = hub.subscribe { record in received.records.withLock { $0.append(record) } }
    let text = String(repeating: "x", count: 1 << 20)
    // The log's thread waits meanwhile.
    received.records.withLock { _ in
      for _ in 0..<1000 { hub.log(.info, text) }
    }
    hub.flush()
    #expect(hub.statistics.dropped > 800)
    let bytes = received.records.withLock { $0.reduce(0) { $0 + $1.message.utf8.count } }
    #expect(bytes <= LogHub.maxWaitingBytes + 2 * LogRecord.maxMessage)
    #expect(received.messages.first?.hasSuffix("x … (cut)") == true)
  }

  @Test func `remembered warnings are bounded in bytes`() {
    let hub = LogHub(quiet())
    for _ in 0..<200 {
      hub.log(.warning, String(repeating: "x", count: 100_000))
      hub.flush()
    }
    let bytes = hub.statistics.recent.reduce(0) { $0 + $1.message.utf8.count }
    #expect(hub.statistics.recent.count == LogStatistics.maxRecent)
    #expect(bytes <= LogStatistics.maxRecent * (LogStatistics.maxRecentMessage + 16))
  }

  @Test func `sources with the same file name share a writer`() throws {
    let folder = try TestFolder()
    let hub = LogHub(
      quiet {
        $0.folder = folder.path
        $0.rotation = LogRotation(maxBytes: 4096, keep: 1)
      })
    for n in 0..<200 {
      hub.log(.info, "record \(n)", source: n % 2 == 0 ? "module:x" : "module-x")
    }
    hub.flush()
    #expect(folder.text("module-x.jsonl")?.utf8.count ?? .max <= 4096)
    #expect(folder.text("module-x.jsonl")?.contains("record 199") == true)
  }

  @Test func `records are counted by level if they pass it`() {
    let hub = LogHub(quiet { $0.level = .warning })
    for level in [LogLevel.info, .warning, .error, .error] { hub.log(level, "x") }
    hub.flush()
    #expect(hub.statistics.records == [0, 0, 0, 0, 1, 2, 0])
    #expect(hub.statistics.dropped == 0 && hub.statistics.waiting == 0)
  }

  @Test func `secrets are replaced in files and for followers`() throws {
    let folder = try TestFolder()
    let hub = LogHub(quiet { $0.folder = folder.path })
    let received = ReceivedRecords()
    _ = hub.subscribe { record in received.records.withLock { $0.append(record) } }
    hub.redact { $0.replacing("geheim", with: "…") }
    hub.log(.info, "the key is geheim", source: "p", fields: ["url": "http://geheim@x", "n": 1])
    hub.flush()
    #expect(received.messages == ["the key is …"])
    #expect(received.records.withLock { $0.first?.fields } == ["url": "http://…@x", "n": 1])
    let line = try #require(folder.text("p.jsonl"))
    #expect(try JSONValue(parsing: line)["message"] == "the key is …")
  }

  @Test func `each process has its own log file, whatever its name`() throws {
    let folder = try TestFolder()
    let hub = LogHub(quiet { $0.folder = folder.path })
    hub.log(.info, "a", source: "module:x")
    hub.log(.info, "b", source: "../y")
    hub.flush()
    #expect(folder.contains("module-x.jsonl"))
    #expect(folder.contains("..-y.jsonl"))
  }

  @Test func `a new configuration takes effect while the hub runs`() throws {
    let folder = try TestFolder()
    let hub = LogHub(quiet())
    hub.log(.info, "before")
    hub.flush()
    hub.configure(
      quiet {
        $0.file = "\(folder.path)/log"
        $0.asJSON = true
      })
    hub.log(.info, "after")
    hub.flush()
    let line = try #require(folder.text("log"))
    #expect(try JSONValue(parsing: line)["message"] == "after")
  }

  @Test func `a record's own members take precedence over its fields`() {
    let record = LogRecord(
      timestamp: 1_790_000_000_125, level: .error, source: "p", message: "m",
      fields: ["message": "another", "pid": 7])
    #expect(
      record.json == [
        "timestamp": "2026-09-21T14:13:20.125Z", "level": "error", "source": "p", "message": "m",
        "pid": 7,
      ])
  }
}
