import AgentModules
import Dispatch
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
}
