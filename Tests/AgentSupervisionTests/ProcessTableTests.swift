import Testing

// What the kernel prints is given as text here, which only the inside takes.
@testable import AgentSupervision

@Suite struct ProcessTableTests {
  @Test func `a process whose name imitates the format is read right`() throws {
    let line = "42 (a) R 1 (x) S 7 9 9 0 -1 64 1 0 2 0 30 20 5 5 20 0 1 0 111764 2998272 413 18"
    let stat = try #require(parse(line))
    #expect(stat.pid == 42)
    #expect(stat.parent == 7)
    #expect(stat.group == 9)
    #expect(stat.ticks == 60)
    #expect(stat.start == 111_764)
    #expect(stat.resident.isMultiple(of: 413))
    #expect(!stat.isZombie)
  }

  @Test(arguments: ["", "x", "12 (", "12 (a)", "99999999999999999999 (a) S 1"])
  func `half a line doesn't trap`(line: String) {
    if let stat = parse(line) { #expect(stat.ticks == 0) }
  }

  @Test func `a family is the group, the descendants and those of the group`() {
    let processes = [
      process(10, parent: 1, group: 10), process(11, parent: 10, group: 10),
      process(12, parent: 11, group: 12), process(13, parent: 1, group: 10),
      process(14, parent: 13, group: 14), process(15, parent: 1, group: 15),
    ]
    let table = ProcessTable(processes.compactMap { $0 })
    #expect(table.family(of: 10).map(\.pid).sorted() == [10, 11, 12, 13, 14])
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
