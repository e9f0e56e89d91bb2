import AgentJSON
import AgentLogging
import AgentSupervision
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentDiagnostics

/// A crash report is whatever a module writes to its pipe.
@Suite(.timeLimit(.minutes(5))) struct CrashReportTests {
  private func parsed(_ text: String) -> CrashReport? { CrashReport(parsing: Array(text.utf8)) }

  @Test(arguments: ["-1", "-9223372036854775808", "1e308", "1.5", "null", "[]", "\"-0x1\"", "\"\""])
  func `a counter that is no address is left out`(counter: String) throws {
    let report = try #require(parsed(#"{"pcs":[\#(counter),"0x10"],"images":[]}"#))
    #expect(report.counters == [0x10])
    #expect(Symbols.frames(of: report).map(\.offset) == ["0x10"])
  }

  @Test(arguments: [
    ("0", 0), ("\"0x0\"", 0), ("\"0xffffffffffffffff\"", UInt64.max),
    ("9223372036854775807", UInt64(Int64.max)),
  ])
  func `an address is read to its last bit`(text: String, address: UInt64) throws {
    let report = try #require(
      parsed(#"{"pcs":[\#(text)],"images":[{"path":"/a","base":\#(text)}],"address":\#(text)}"#))
    #expect(report.counters == [address])
    #expect(report.images == [.init(path: "/a", base: address)])
    #expect(report.address == address)
    #expect(Symbols.frames(of: report).map(\.image) == ["/a"])
  }

  @Test func `no more counters and images are read than a worker writes`() throws {
    let pcs = Array(repeating: "2", count: 20_000).joined(separator: ",")
    let images = Array(repeating: #"{"path":"/a","base":"0x1"}"#, count: 2000)
    let report = try #require(
      parsed(#"{"pcs":[\#(pcs)],"images":[\#(images.joined(separator: ","))]}"#))
    #expect(report.counters.count == CrashReport.maxCounters)
    #expect(report.images.count == CrashReport.maxImages)
  }

  @Test(arguments: ["0", "65", "-11", "9223372036854775807", "\"11\"", "{}"])
  func `a nonexistent signal is left out`(signal: String) throws {
    #expect(try #require(parsed(#"{"signal":\#(signal)}"#)).signal == nil)
  }

  @Test(arguments: [#"/a\u001b[2J"#, #"/a\u0000b"#])
  func `a path with control characters is left out`(
    path: String
  ) throws {
    let report = try #require(parsed(#"{"images":[{"path":"\#(path)","base":1}]}"#))
    #expect(report.images.isEmpty)
  }

  @Test(arguments: ["", "[]", "7", #"{"pcs":["#, String(repeating: "[", count: 500)])
  func `a text that isn't an object is no report`(text: String) {
    #expect(parsed(text) == nil)
  }

  // MARK: Symbolizing

  /// A folder with a "symbolizer" that writes its arguments down and then does as the script says.
  private func symbols(
    known files: [String], _ folder: TestFolder, script: String
  ) throws -> Symbols {
    let program = try folder.write(
      "llvm-symbolizer", "#!/bin/sh\necho \"$*\" >> \(folder.path)/asked\n\(script)\n")
    chmod(program, 0o755)
    return Symbols(known: KnownImages(files: files), path: folder.path + ":/usr/bin:/bin")
  }

  @Test(arguments: ["/dev/zero", "/usr/lib/../../dev/zero", "/proc/self/mem", "FIFO", "?"])
  func `an image unknown to the host is never opened`(image: String) async throws {
    let folder = try TestFolder()
    let pipe = folder.path + "/pipe"
    mkfifo(pipe, 0o600)
    let symbols = try symbols(known: [], folder, script: "echo name; echo place.c:1")
    let path = image == "FIFO" ? pipe : image
    let report = try #require(parsed(#"{"pcs":[2],"images":[{"path":"\#(path)","base":"0x1"}]}"#))
    #expect(await symbols.frames(of: report).map(\.function) == [nil])
    #expect(folder.text("asked") == nil)
  }

  @Test func `functions of the module's library are named, without control characters`()
    async throws
  {
    let folder = try TestFolder()
    let library = try folder.write("m.so", "ELF")
    let symbols = try symbols(
      known: [library], folder,
      script: "echo noise >&2; printf 'first\\033[2J\\n/src/m.c:7\\n??\\n??:0\\n'")
    let report = try #require(
      parsed(#"{"pcs":["0x15","0x20"],"images":[{"path":"\#(library)","base":"0x10"}]}"#))
    let frames = await symbols.frames(of: report)
    #expect(frames.map(\.function) == ["first[2J", nil])
    #expect(frames.map(\.place) == ["m.c:7", nil])
    #expect(folder.text("asked")?.contains("-e \(library) 0x5 0xf") == true)
  }

  @Test func `a symbolizer's long output is read to its end`() async throws {
    let folder = try TestFolder()
    let library = try folder.write("m.so", "ELF")
    let symbols = try symbols(
      known: [library], folder, script: "head -c 2000000 /dev/zero | tr '\\0' 'a'; echo; echo b:1")
    let report = try #require(
      parsed(#"{"pcs":[2],"images":[{"path":"\#(library)","base":"0x1"}]}"#))
    let names = await symbols.frames(of: report).compactMap(\.function)
    #expect(names.allSatisfy { $0.count <= Symbols.maxNameLength })
  }

  @Test func `a report ends neither the host nor later reports`() async throws {
    let folder = try TestFolder()
    var configuration = LogConfiguration()
    configuration.toStandardError = false
    let log = LogHub(configuration)
    let (records, said) = AsyncStream<LogRecord>.makeStream()
    _ = log.subscribe { said.yield($0) }
    let reports = CrashReports(folder: folder.path + "/crashes", worker: "/nowhere", log: log)
    for text in [#"{"pcs":[-1],"images":[]}"#, #"{"pcs":[1],"images":[]}"#] {
      reports.take(
        .init(
          bytes: Array(text.utf8), name: "evil", pid: 7, exit: .exited(code: 1), library: nil))
    }
    var iterator = records.makeAsyncIterator()
    for _ in 0..<2 {
      #expect(await iterator.next()?.message == "The worker crashed: exited with code 1.")
    }
  }

  @Test func `reports that come too fast are left out`() async throws {
    let folder = try TestFolder()
    var configuration = LogConfiguration()
    configuration.toStandardError = false
    let log = LogHub(configuration)
    let reports = CrashReports(folder: folder.path, worker: "/nowhere", log: log)
    let arrival = CrashReports.Arrival(
      bytes: Array("{}".utf8), name: "evil", pid: 7, exit: .exited(code: 1), library: nil)
    for _ in 0..<10_000 { reports.take(arrival) }
    #expect(reports.waiting <= CrashReports.maxWaiting)
  }
}
