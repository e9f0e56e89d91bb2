import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting
import TestSupport
import Testing

/// The log of a running attempt while the disk takes nothing.
@Suite struct TaskNotesTests {
  private func lines(_ test: EngineUnderTest, _ task: Int64) async throws -> [String] {
    try await test.engine.logLines(of: task, after: 0, limit: 10_000).map(\.text)
  }

  private func begun(_ test: EngineUnderTest) async throws -> TaskWork {
    let task = try await test.create()
    try await eventually("it has begun") { test.executor.work(task.id) != nil }
    return try #require(test.executor.work(task.id))
  }

  @Test(arguments: [StoreError.Code.full, .fault, .group])
  func `lines that can't be stored are stored later, in their order`(
    _ code: StoreError.Code
  ) async throws {
    let test = try await EngineUnderTest.started()
    let work = try await begun(test)
    work.log("stdout", "one")
    try await eventually("it is stored") { try await lines(test, work.task.id) == ["one"] }
    test.front.refuse(StoreError(code, "for a test"))
    work.log("stdout", "two")
    work.progress(["share": 1])
    try await eventually("it was refused") { test.front.refused > 0 }
    work.log("stdout", "three")
    test.front.refuse(nil)
    work.log("stdout", "four")
    try await eventually("they are stored") {
      test.clock.advance(100)
      return try await lines(test, work.task.id) == ["one", "two", "three", "four"]
    }
    let row = try await test.engine.task(work.task.id)
    #expect(row.progress.map { String(decoding: $0, as: UTF8.self) }?.contains("share") == true)
    test.executor.end(work.task.id, .succeeded(.null))
    _ = try await test.reached(work.task.id, .succeeded)
    await test.remove()
  }

  @Test func `lines that a failed write has stored are stored once`() async throws {
    let test = try await EngineUnderTest.started()
    let work = try await begun(test)
    work.log("stdout", "one")
    try await eventually("it is stored") { try await lines(test, work.task.id) == ["one"] }
    test.front.storeAndFail(StoreError(.fault, "for a test"))
    work.log("stdout", "two")
    try await eventually("it was refused") { test.front.refused > 0 }
    test.front.refuse(nil)
    work.log("stdout", "three")
    try await eventually("it is stored") {
      test.clock.advance(100)
      return try await lines(test, work.task.id).last == "three"
    }
    #expect(try await lines(test, work.task.id) == ["one", "two", "three"])
    test.executor.end(work.task.id, .succeeded(.null))
    _ = try await test.reached(work.task.id, .succeeded)
    await test.remove()
  }

  @Test func `lines that wait for a full disk are bounded, and the rest is counted`() async throws {
    let test = try await EngineUnderTest.started()
    let work = try await begun(test)
    test.front.refuse(StoreError(.full, "for a test"))
    for number in 0..<3_000 { work.log("stdout", "\(number)") }
    try await eventually("it was refused") { test.front.refused > 0 }
    for number in 3_000..<4_000 { work.log("stdout", "\(number)") }
    test.front.refuse(nil)
    test.executor.end(work.task.id, .succeeded(.null))
    try await eventually("it has ended, and the last line is stored") {
      test.clock.advance(100)
      guard try await test.engine.task(work.task.id).state == .succeeded else { return false }
      return try await self.lines(test, work.task.id).last?.hasSuffix("left out.") == true
    }
    let lines = try await self.lines(test, work.task.id)
    #expect(lines.count <= 1_003)
    let numbers = lines.compactMap { Int($0) }
    #expect(numbers == numbers.sorted() && numbers.first == 0)
    let omitted = lines.filter { $0.hasSuffix("left out.") }
      .compactMap { Int($0.prefix { $0 != " " }) }
    #expect(numbers.count + omitted.reduce(0, +) == 4_000)
    await test.remove()
  }

  @Test func `an attempt that ends on a full disk doesn't keep the host from ending`() async throws
  {
    let test = try await EngineUnderTest.started()
    let work = try await begun(test)
    test.front.refuse(StoreError(.full, "for a test"))
    work.log("stdout", "one")
    try await eventually("it was refused") { test.front.refused > 0 }
    test.executor.end(work.task.id, .succeeded(.null))
    let stopped = Task { await test.stop() }
    let time = Task {
      while !Task.isCancelled {
        test.clock.advance(100)
        await Task.yield()
      }
    }
    await stopped.value
    time.cancel()
    await test.remove()
  }
}
