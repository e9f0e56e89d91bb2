import AgentKit
import Testing

@testable import SystemModule

@Suite struct ParserTests {
  static let stat = """
    cpu  100 20 50 800 10 3 7 10 5 0
    cpu0 50 10 25 400 5 1 4 5 0 0
    cpu1 50 10 25 400 5 2 3 5 0 0
    intr 114930548
    btime 1062191376
    """

  @Test func `processor shares are computed between two readings`() throws {
    let first = try #require(CPUTimes(Self.stat))
    #expect(first.count == 2)
    #expect(first.total == 1000)
    var second = first
    second.user += 30
    second.system += 10
    second.idle += 50
    second.waiting += 10
    let usage = try #require(second.usage(since: first))
    #expect(usage == CPUUsage(user: 30, system: 10, waiting: 10, stolen: 0))
    #expect(usage.busy == 40)
    #expect(first.usage(since: first) == nil)
    #expect(CPUTimes("intr 5\n") == nil)
    #expect(CPUTimes("cpu\n") == nil)
  }

  @Test func `memory is in bytes, and a kernel without available memory gets free memory`() throws {
    let text =
      "MemTotal:  1000 kB\nMemFree: 100 kB\nMemAvailable: 600 kB\nSwapTotal: 50 kB\nSwapFree: 20 kB\n"
    let memory = try #require(Memory(text))
    #expect(memory.used == 400 * 1024)
    #expect(memory.swapUsed == 30 * 1024)
    #expect(Memory("MemTotal: 10 kB\nMemFree: 4 kB\n")?.available == 4096)
    #expect(Memory("MemTotal: many kB\n") == nil)
  }

  @Test func `a load line is read, and any other text refused`() {
    #expect(Load("0.20 0.18 0.12 1/80 11206\n")?.fifteen == 0.12)
    #expect(Load("0.20 0.18") == nil)
  }

  @Test func `interfaces are read after the headings`() {
    let text = """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
          lo: 2776770   11307    0    0    0     0          0         0  2776770   11307    0 0 0 0 0 0
        eth0:1215645    2751    0    0    0     0          0         0  1782404    4324    0 0 0 427 0 0
      """
    #expect(
      Traffic.all(text) == [
        Traffic(name: "lo", received: 2_776_770, sent: 2_776_770),
        Traffic(name: "eth0", received: 1_215_645, sent: 1_782_404),
      ])
  }

  @Test func `mounts with data are listed once per device with unescaped names`() {
    let text = """
      proc /proc proc rw 0 0
      /dev/sda1 / ext4 rw 0 0
      /dev/sda1 /again ext4 rw 0 0
      /dev/loop3 /snap/core squashfs ro 0 0
      /dev/sdb1 /my\\040disk xfs rw 0 0
      """
    #expect(
      Mount.all(text) == [
        Mount(device: "/dev/sda1", path: "/"), Mount(device: "/dev/sdb1", path: "/my disk"),
      ])
  }

  @Test func `a process's name may contain spaces and parentheses`() throws {
    let text = "42 (a) (b c) S 1 42 42 0 -1 4194560 1 2 3 4 70 30 0 0 20 0 1 0 5 6 7 8 9"
    let process = try #require(ProcessTimes(text))
    #expect(process == ProcessTimes(text))
    #expect((process.pid, process.name) == (42, "a) (b c"))
    #expect((process.ticks, process.pages) == (100, 7))
    for bad in ["", "42", "42 (a", ") 42 (", "42 (a) S 1"] { #expect(ProcessTimes(bad) == nil) }
  }

  @Test func `the busiest process comes first, and a reused pid starts anew`() {
    func process(
      _ pid: Int, _ name: String, ticks: UInt64, start: UInt64 = 7
    ) -> ProcessTimes? {
      ProcessTimes(
        "\(pid) (\(name)) S 1 1 1 0 -1 0 0 0 0 0 \(ticks) 0 0 0 0 0 0 0 \(start) 0 1")
    }
    let now = [
      process(1, "a", ticks: 110), process(2, "new", ticks: 40, start: 9),
      process(3, "c", ticks: 7),
    ]
    let before = [
      process(1, "a", ticks: 100), process(2, "old", ticks: 500), process(3, "c", ticks: 7),
    ]
    let top = BusyProcess.top(
      2, of: now.compactMap { $0 }, since: before.compactMap { $0 }, ticks: 200, processors: 2,
      pageSize: 4096)
    #expect(top.map(\.name) == ["new", "a"])
    #expect(top.map(\.cpu) == [40, 10])
  }

  @Test func `a process that changes its name stays the same one`() throws {
    func process(_ name: String, _ ticks: UInt64) throws -> ProcessTimes {
      try #require(
        ProcessTimes("9 (\(name)) S 2 0 0 0 -1 0 0 0 0 0 \(ticks) 0 0 0 0 0 0 0 55 0 1"))
    }
    let top = BusyProcess.top(
      1, of: [try process("kworker/1:2-events", 90_002)],
      since: [try process("kworker/1:2-virtio_vsock", 90_000)], ticks: 200, processors: 2,
      pageSize: 4096)
    #expect(top.map(\.cpu) == [2])
  }
}
