import Glibc
import Testing

// The kernel's output is given as text here, through an internal function.
@testable import AgentSupervision

@Suite struct ProcessTableTests {
  @Test func `a process whose name imitates the format is read correctly`() throws {
    let line = "42 (a) R 1 (x) S 7 9 9 0 -1 64 1 0 2 0 30 20 5 5 20 0 1 0 111764 2998272 413 18"
    let stat = try #require(parse(line))
    #expect(stat.pid == 42)
    #expect(stat.parent == 7)
    #expect(stat.group == 9)
    #expect(stat.ticks == 60)
    #expect(stat.start == 111_764)
    #expect(stat.threads == 1)
    #expect(stat.resident.isMultiple(of: 413))
    #expect(!stat.isZombie)
  }

  @Test(arguments: ["", "x", "12 (", "12 (a)", "99999999999999999999 (a) S 1"])
  func `half a line of the table doesn't trap`(line: String) {
    if let stat = parse(line) { #expect(stat.ticks == 0) }
  }

  @Test func `a family has the group, its descendants and theirs`() {
    let processes = [
      process(10, parent: 1, group: 10), process(11, parent: 10, group: 10),
      process(12, parent: 11, group: 12), process(13, parent: 1, group: 10),
      process(14, parent: 13, group: 14), process(15, parent: 1, group: 15),
    ]
    let table = ProcessTable(processes.compactMap { $0 })
    #expect(table.family(of: 10).map(\.pid).sorted() == [10, 11, 12, 13, 14])
  }

  @Test
  func `a process of another family that joins the group isn't counted, nor are its children`() {
    let processes = [
      process(10, parent: 1, group: 10), process(11, parent: 10, group: 10),
      process(20, parent: 1, group: 10), process(21, parent: 20, group: 10),
      process(30, parent: 1, group: 10),
    ]
    let table = ProcessTable(processes.compactMap { $0 })
    let family = table.family(of: 10) { [10, 20].contains($0) }
    #expect(family.map(\.pid).sorted() == [10, 11, 30])
  }

  @Test func `a table with a cycle is searched to its end`() {
    let processes = [process(10, parent: 11, group: 9), process(11, parent: 10, group: 9)]
    let table = ProcessTable(processes.compactMap { $0 })
    #expect(table.family(of: 9) { $0 == 5 }.count == 2)
  }

  @Test func `a process's place follows from its parents`() {
    let parents: [Int32: Int32] = [50: 40, 40: 30, 30: 7, 60: 7, 70: 1, 80: 81, 81: 80]
    func find(_ pid: Int32) -> ProcessLineage {
      ProcessLineage.find(pid, own: 7, parent: { parents[$0] }, isKnown: { $0 == 30 })
    }
    #expect(find(50) == .below(child: 30, isKnown: true))
    #expect(find(60) == .below(child: 60, isKnown: false))
    #expect(find(70) == .outside && find(7) == .outside)
    #expect(find(80) == .unknown && find(99) == .unknown)
    #expect(ProcessLineage.of(getpid()) == .outside)
  }

  /// In a process of its own: other tests take memory and give it back.
  @Test func `memory behind a descriptor is counted once, and touched memory not twice`() async {
    await #expect(processExitsWith: .success) {
      let file = try #require(Self.memory(megabytes: 8))
      let copy = dup(file)
      var known: Set<MemoryFiles.Identity> = []
      #expect(MemoryFiles.bytes(of: getpid(), butFor: &known) >= 8 << 20)
      #expect(MemoryFiles.bytes(of: getpid(), butFor: &known) == 0)
      let own = try #require(ProcessStat.read(getpid()))
      let limits = ChildLimits(memory: 1)
      var sampler = LimitSampler()
      let target = LimitSampler.Target(id: 1, pid: getpid(), limits: limits)
      let message = try #require(sampler.sample([target], at: LoopInstant(nanoseconds: 0)).first)
      let counted = try #require(
        Int(message.1.drop { !$0.isNumber }.prefix { $0.isNumber }))
      #expect(counted >= (own.resident + (8 << 20)) >> 20 - 2)
      close(file)
      close(copy)
    }
  }

  /// In a process of its own, too.
  @Test func `a file in memory that is only mapped is counted, however much is mapped`() async {
    await #expect(processExitsWith: .success) {
      let file = try #require(Self.memory(megabytes: 8))
      let map = mmap(nil, 4096, PROT_READ, MAP_PRIVATE, file, 0)
      #expect(map != MAP_FAILED)
      var known: Set<MemoryFiles.Identity> = []
      #expect(MemoryFiles.bytes(of: getpid(), butFor: &known) >= 8 << 20)
      // The same file, which isn't counted twice.
      #expect(MappedFiles.bytes(of: getpid(), butFor: &known) == 0)
      var limit = rlimit(rlim_cur: 256 << 20, rlim_max: 256 << 20)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      close(file)
      known = []
      #expect(MemoryFiles.bytes(of: getpid(), butFor: &known) == 0)
      // What it has, or, where only root may see that, what it may have.
      let counted = try #require(MappedFiles.bytes(of: getpid(), butFor: &known))
      #expect(counted >= 8 << 20 && counted <= 256 << 20)
    }
  }

  @Test(arguments: [
    ("7f00-7f10 rw-s 00000000 00:01 25                 /memfd:x (deleted)", "7f00-7f10", true),
    ("00400000-00500000 rw-s 00000000 00:01 9     /dev/zero (deleted)", "400000-500000", false),
  ])
  func `a mapping of nameless memory is read`(line: String, range: String, isFile: Bool) throws {
    let mapping = try #require(read(line))
    #expect(mapping.range == range && mapping.isFile == isFile)
    #expect(mapping.file.device == 1)
  }

  @Test(arguments: [
    "", "7f00-7f10 rw-p 00000000 00:00 0", "7f00-7f10 r--p 00000000 fe:01 25   /usr/lib/libc.so.6",
    "/memfd:", "x-y r--p 0 0:1 2 /memfd:x", "7f10-7f00 r--p 0 0:1 2 /memfd:x", "- - - - - /memfd:",
    "7f00-7f10 r--p 0 0:1 2 /home/memfd:x", "[heap] /dev/zero",
  ])
  func `any other mapping, and half a line, is none of nameless memory`(line: String) {
    #expect(read(line) == nil)
  }

  private func read(_ line: String) -> NamelessMapping? {
    Array(line.utf8).withUnsafeBytes { NamelessMapping($0[...]) }
  }

  @Test func `threads are counted without any other limit`() throws {
    var sampler = LimitSampler()
    let target = LimitSampler.Target(id: 1, pid: getpid(), limits: ChildLimits(threads: 0))
    let message = try #require(sampler.sample([target], at: LoopInstant(nanoseconds: 0)).first)
    #expect(message.1.hasSuffix("threads; a worker may have 0"))
  }

  private static func memory(megabytes: Int) -> Int32? {
    // The header has it for GNU sources only.
    typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
    guard let symbol = dlsym(nil, "memfd_create") else { return nil }
    let file = unsafeBitCast(symbol, to: Create.self)("test", 0)
    guard file >= 0, ftruncate(file, megabytes << 20) == 0 else { return nil }
    let bytes = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0..<megabytes where write(file, bytes, bytes.count) != bytes.count { return nil }
    lseek(file, 0, SEEK_SET)
    return file
  }

  @Test func `the share of a core is measured over the window`() {
    var sampler = LimitSampler()
    let limits = ChildLimits(cpu: 0.5, cpuWindow: .seconds(10))
    let target = LimitSampler.Target(id: 1, pid: 1, limits: limits)
    func check(_ ticks: Int, at second: Int64) -> String? {
      let usage = LimitSampler.Usage(memory: 0, ticks: ticks, processes: 1)
      return sampler.check(
        usage, of: target, at: LoopInstant(nanoseconds: second * 1_000_000_000))
    }
    #expect(check(0, at: 0) == nil)
    #expect(check(900, at: 9) == nil)
    #expect(check(900, at: 19) == nil)
    #expect(
      check(1600, at: 29) == "used 70 % of a core over 10 s; limits.cpu allows 50 %")
  }

  private func parse(_ line: String) -> ProcessStat? {
    Array(line.utf8).withUnsafeBytes { ProcessStat($0) }
  }

  private func process(_ pid: Int32, parent: Int32, group: Int32) -> ProcessStat? {
    parse("\(pid) (p) S \(parent) \(group) 0")
  }
}
