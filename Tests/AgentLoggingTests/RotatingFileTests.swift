import TestSupport
import Testing

@testable import AgentLogging

@Suite struct RotatingFileTests {
  private static let line = [UInt8](repeating: 0x61, count: 1500) + [10]

  private func append(_ bytes: [UInt8], to file: inout RotatingFile, now: Int64 = 0) {
    let isWritten = file.append(bytes, now: now)
    #expect(isWritten)
  }

  @Test func `a file that would exceed its size is rotated first`() throws {
    let folder = try TestFolder()
    var file = RotatingFile(
      path: "\(folder.path)/log", rotation: LogRotation(maxBytes: 4096, keep: 2))
    for _ in 0..<3 { append(Self.line, to: &file) }
    file.close()
    #expect(folder.text("log")?.utf8.count == 1501)
    #expect(folder.text("log.1")?.utf8.count == 3002)
  }

  @Test func `only the configured number of old files is kept`() throws {
    let folder = try TestFolder()
    var file = RotatingFile(
      path: "\(folder.path)/log", rotation: LogRotation(maxBytes: 4096, keep: 2))
    for _ in 0..<20 { append(Self.line, to: &file) }
    file.close()
    #expect(folder.contains("log.2"))
    #expect(!folder.contains("log.3"))
  }

  @Test func `an old file is rotated by age`() throws {
    let folder = try TestFolder()
    var file = RotatingFile(
      path: "\(folder.path)/log", rotation: LogRotation(maxAge: 60, keep: 1))
    append(Array("old\n".utf8), to: &file, now: 1_000)
    append(Array("still\n".utf8), to: &file, now: 61_000)
    append(Array("new\n".utf8), to: &file, now: 61_001)
    file.close()
    #expect(folder.text("log.1") == "old\nstill\n")
    #expect(folder.text("log") == "new\n")
  }

  @Test func `a log file that can't be opened doesn't fail the logging call`() {
    var file = RotatingFile(path: "/no/such/folder/log", rotation: LogRotation())
    let isWritten = file.append(Self.line, now: 0)
    #expect(!isWritten)
  }
}
