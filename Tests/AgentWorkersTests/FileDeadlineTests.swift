import AgentModules
import AgentSystem
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

@Suite(.timeLimit(.minutes(5))) struct FileDeadlineTests {
  @Test func `a file that doesn't answer is named, and the next work goes on`() async throws {
    let folder = try TestFolder()
    try folder.write("settings.json", "{}")
    let semaphore = DispatchSemaphore(value: 0)
    let path = "\(folder.path)/settings.json"
    let error = await #expect(throws: HostError.self) {
      try await FileDeadline.run(
        or: "Nothing was changed", pause: { _ in try await wait(while: !folder.contains("read")) }
      ) {
        _ = (try? FileSystem.read(path))?.count
        _ = (try? folder.write("read", ""))
        semaphore.wait()
      }
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(
      error?.message.hasPrefix("Nothing was changed: \(path) doesn't answer within 30 s.") == true)
    #expect(try await FileDeadline.run(or: "x") { 7 } == 7)
    semaphore.signal()
  }

  private let noThread: FileWork.StartThread = { _ throws(DetachedThread.StartError) in
    throw DetachedThread.StartError(number: EAGAIN)
  }

  @Test func `work without a thread fails as something that passes, and says what is missing`()
    async throws
  {
    let error = await #expect(throws: HostError.self) {
      try await FileDeadline.run(or: "Nothing was changed", start: noThread) { 7 }
    }
    #expect(error?.code == .notReady)
    #expect(
      error?.message.hasPrefix(
        "Nothing was changed: the system has no thread for it now (Resource temporarily") == true)
  }

  @Test func `a step that is repeated is done once the system has a thread`() async throws {
    let refusals = Mutex(3)
    let start: FileWork.StartThread = { work throws(DetachedThread.StartError) in
      let isRefused = refusals.withLock { left in
        left -= 1
        return left >= 0
      }
      if isRefused { throw DetachedThread.StartError(number: EAGAIN) }
      try DetachedThread.start("test", work: work)
    }
    let pauses = Mutex(0)
    let value = try await FileDeadline.runOnceReady(
      or: "x", for: "test", pause: { _ in pauses.withLock { $0 += 1 } }, start: start
    ) { 7 }
    #expect(value == 7)
    #expect(pauses.withLock { $0 } == 3)
  }

  @Test func `a step that is repeated fails when its limit or its task ends`() async {
    let pauses = Mutex(0)
    for limit in [Duration.seconds(3), .seconds(300)] {
      pauses.withLock { $0 = 0 }
      let error = await #expect(throws: HostError.self) {
        try await FileDeadline.runOnceReady(
          or: "x", for: "test", within: limit,
          pause: { _ in
            let count = pauses.withLock { count in
              count += 1
              return count
            }
            if count > 5 { throw CancellationError() }
          }, start: noThread
        ) { 7 }
      }
      #expect(error?.code == .notReady)
      #expect(pauses.withLock { $0 } == (limit == .seconds(3) ? 3 : 6))
    }
  }
}
