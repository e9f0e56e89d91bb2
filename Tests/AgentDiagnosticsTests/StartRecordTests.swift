import AgentJSON
import AgentModules
import AgentSettings
import Glibc
import TestSupport
import Testing

@testable import AgentDiagnostics

/// The record of a host's starts, and when the next one is in safe mode.
@Suite struct StartRecordTests {
  private func start(_ pid: Int32, boot: String = "b") -> StartRecord.Start {
    StartRecord.Start(pid: pid, at: Int64(pid) * 1000, boot: boot)
  }

  @Test func `a third failed start in a row makes the next one safe`() {
    var record = StartRecord()
    for pid in 1...3 {
      record.begin(start(Int32(pid)))
      record.note(step: "step \(pid)")
      #expect(SafeMode(record, after: 3) == nil)
    }
    record.begin(start(4))
    let mode = SafeMode(record, after: 3)
    #expect(mode?.reason.contains("3 starts") == true)
    #expect(mode?.causes.first == "It died during this step: step 3.")
    #expect(mode?.causes.count == 3)
    #expect(SafeMode(record, after: 0) == nil)
    #expect(SafeMode(record, after: 4) == nil)
  }

  @Test func `a host that lived long enough or was stopped forgets earlier starts`() {
    var record = StartRecord()
    for pid in 1...3 { record.begin(start(Int32(pid))) }
    record.clear()
    record.begin(start(4))
    #expect(record.failed.isEmpty)
    #expect(!record.isLoop(after: 1, settingsAreWrong: true))
  }

  @Test func `starts before the machine's last boot don't count`() {
    var record = StartRecord()
    for pid in 1...3 { record.begin(start(Int32(pid), boot: "before")) }
    record.begin(start(4, boot: "now"))
    #expect(record.failed.isEmpty)
  }

  @Test func `a start that recorded why it ended is reported with it`() {
    var record = StartRecord()
    record.begin(start(1))
    record.failed(because: "The database can't be opened.")
    record.begin(start(2))
    #expect(SafeMode(record, after: 1)?.causes == ["The database can't be opened."])
  }

  @Test func `starts that the settings ended count only while the settings are wrong`() {
    var record = StartRecord()
    for pid in 1...3 {
      record.begin(start(Int32(pid)))
      record.failed(because: "settings.json:1:2: no JSON.", isOfSettings: true)
    }
    record.begin(start(4))
    #expect(SafeMode(record, after: 3, settingsAreWrong: true)?.causes.count == 3)
    #expect(SafeMode(record, after: 3, settingsAreWrong: false) == nil)
    #expect(StartRecord(json: record.json) == record)
  }

  @Test func `safe mode names ten errors of the settings, and how many there are`() {
    let problems = (1...12).map { Problem("x", file: "settings.json", message: "wrong \($0).") }
    let causes = SafeMode.asked.naming(problems).causes
    #expect(causes.count == 11)
    #expect(causes.first == "settings.json: wrong 1.")
    #expect(causes.last == "There are 2 more errors in the settings.")
    #expect(SafeMode.asked.naming([]) == .asked)
  }

  @Test func `a record is read back as it was written, and an invalid one is empty`() throws {
    var record = StartRecord()
    for pid in 1...20 { record.begin(start(Int32(pid))) }
    #expect(record.failed.count == 10)
    #expect(StartRecord(json: record.json) == record)
    for text in [
      "null", "[]", "5", #"{"failed": 3, "current": []}"#, #"{"failed": [{"pid": 1e300}]}"#,
      #"{"failed": [null, {}], "current": {"pid": 99999999999, "at": 0, "boot": "x"}}"#,
    ] {
      #expect(StartRecord(json: try JSONValue(parsing: text)) == StartRecord(), "\(text)")
    }
  }
}

@Suite struct StartJournalTests {
  private let folder: TestFolder
  private let agent: AgentFolder

  init() throws {
    folder = try TestFolder()
    try folder.write("settings.json", "{}")
    agent = try AgentFolder.locate(settings: "\(folder.path)/settings.json")
    try agent.prepare()
  }

  @Test func `a host that dies leaves its last step`() {
    do {
      let journal = StartJournal(folder: agent)
      journal.begin(pid: 1, at: 1)
      journal.enter("the opening of the database, and much more of it than that")
      journal.enter("the start of clock")
    }
    let next = StartJournal(folder: agent)
    #expect(next.record.current == nil && next.problems.isEmpty)
    next.begin(pid: 2, at: 2)
    #expect(next.record.failed.map(\.step) == ["the start of clock"])
    #expect(next.record.current?.step == "")
  }

  @Test func `three hosts that die make the fourth safe, and a stop clears the count`() {
    for pid in 1...3 { StartJournal(folder: agent).begin(pid: Int32(pid), at: 0) }
    let fourth = StartJournal(folder: agent)
    fourth.begin(pid: 4, at: 0)
    #expect(SafeMode(fourth.record, after: 3) != nil)
    fourth.clear()
    #expect(!folder.contains(".agent/starts.json"))
    #expect(StartJournal(folder: agent).record == StartRecord())
  }

  @Test func `a host that fails to start isn't forgiven by its own end`() {
    let journal = StartJournal(folder: agent)
    journal.begin(pid: 1, at: 0)
    journal.fail("The agent's database can't be opened.")
    journal.clear()
    let next = StartJournal(folder: agent)
    next.begin(pid: 2, at: 0)
    #expect(next.record.failed.map(\.reason) == ["The agent's database can't be opened."])
  }

  @Test func `a stop that comes before the start is recorded leaves no record`() {
    HostStart.begin(agent) { $0.clear() }.enter("anything")
    #expect(!folder.contains(".agent/starts.json"))
    #expect(StartJournal(folder: agent).record == StartRecord())
  }

  @Test func `a host that couldn't read its settings in time is recognized`() {
    let journal = HostStart.begin(agent)
    journal.enter(StartRecord.readingStep)
    journal.fail("settings.json doesn't answer.")
    #expect(StartJournal(folder: agent).record.hasDiedReading)
  }

  @Test func `a host that died while it read its settings is recognized`() {
    do {
      let journal = HostStart.begin(agent)
      journal.enter(StartRecord.readingStep)
    }
    #expect(StartJournal(folder: agent).record.failed.count == 1)
    #expect(StartJournal(folder: agent).record.hasDiedReading)
    do {
      let journal = HostStart.begin(agent)
      journal.enter(StartRecord.readingStep)
      journal.enter("the opening of the database")
    }
    #expect(!StartJournal(folder: agent).record.hasDiedReading)
  }

  @Test func `long reasons leave the record readable`() {
    for _ in 1...10 {
      HostStart.begin(agent).fail(String(repeating: "long", count: 50_000), isOfSettings: true)
    }
    let journal = StartJournal(folder: agent)
    #expect(journal.record.failed.count == 10 && journal.problems.isEmpty)
  }

  @Test func `a record that can't be read or written doesn't keep the host from starting`() throws {
    try folder.write(".agent/starts.json", "{\"failed\": [[[")
    try folder.write(".agent/start-step", String(repeating: "\u{1}x", count: 5000))
    let journal = StartJournal(folder: agent)
    #expect(journal.record == StartRecord())
    #expect(journal.problems.contains { $0.contains("starts.json can't be read") })
    chmod("\(folder.path)/.agent", 0o500)
    defer { chmod("\(folder.path)/.agent", 0o700) }
    journal.begin(pid: 1, at: 0)
    journal.enter(String(repeating: "long", count: 1000))
    journal.clear()
  }
}
