import Glibc
import Synchronization
import Testing

// What is counted, only the inside reads.
@testable import AgentSupervision

/// Memory that a module keeps out of the numbers that the kernel shows.
@Suite(.timeLimit(.minutes(5))) struct HiddenMemoryTests {
  /// Returns what each sample complains of.
  private static func sample(_ pid: Int32, limit: Int, times: Int) -> [String] {
    var sampler = LimitSampler()
    let target = LimitSampler.Target(id: 1, pid: pid, limits: ChildLimits(memory: limit))
    return (0..<times).map { second in
      let moment = LoopInstant(nanoseconds: Int64(second) * 1_000_000_000)
      return sampler.sample([target], at: moment).first?.1 ?? ""
    }
  }

  /// A program whose first thread ends, and another one goes on with 64 MB and a file of 8 MB.
  private static let withoutFirstThread = """
    import ctypes, os, platform, threading
    def work():
        memory = bytearray(b"x") * (64 << 20)
        file = os.memfd_create("file")
        os.write(file, bytes(8 << 20))
        while " Z " not in open(f"/proc/{os.getpid()}/stat").read():
            pass
        print(os.getpid(), flush=True)
        threading.Event().wait()
    threading.Thread(target=work).start()
    ctypes.CDLL(None).syscall(60 if platform.machine() == "x86_64" else 93, 0)
    """

  @Test func `the memory of a process whose first thread has ended is counted`() async throws {
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    let command = ChildCommand(
      executable: "python3", arguments: ["-c", Self.withoutFirstThread],
      environment: ["PATH=/usr/local/bin:/usr/bin:/bin"])
    let found = Mutex<(process: ProcessStat?, file: Int, complaint: String)>((nil, 0, ""))
    let others = Mutex<(later: ProcessStat?, never: ProcessStat?)>((nil, nil))
    let run = ProgramRun(
      command, input: input, outputs: [1], grace: .zero, limits: ProgramLimits(time: .seconds(120))
    ) { _, bytes in
      guard let pid = Int32(String(decoding: bytes.dropLast(), as: UTF8.self)) else { return }
      let process = ProcessStat.read(pid)
      var known: Set<MemoryFiles.Identity> = []
      let file = MemoryFiles.bytes(of: process?.thread ?? 0, butFor: &known)
      let complaint = Self.sample(pid, limit: 32 << 20, times: 1).first ?? ""
      found.withLock { $0 = (process, file, complaint) }
      // The threads of the first lists have ended before they are read.
      var lists = 0
      let later = ProcessStat.read(pid) { pid in
        lists += 1
        return lists < 3 ? [0] : ProcessTable.pids(in: "/proc/\(pid)/task")
      }
      let never = ProcessStat.read(pid) { _ in [0] }
      others.withLock { $0 = (later, never) }
      kill(pid, SIGKILL)
    }
    _ = try await run.run()
    let (process, file, complaint) = found.withLock { $0 }
    #expect(process?.isZombie == false && process?.thread != process?.pid)
    #expect((process?.resident ?? 0) >= 64 << 20)
    #expect(file >= 8 << 20)
    #expect(complaint.hasPrefix("used "), "\(complaint)")
    let (later, never) = others.withLock { $0 }
    #expect(later?.isHidden == false && later?.thread == process?.thread)
    #expect((later?.resident ?? 0) >= 64 << 20)
    try Self.expectUncountable(try #require(never))
  }

  /// Expects that a process counts with its threads, and has too much memory at the second look.
  private static func expectUncountable(_ process: ProcessStat) throws {
    #expect(process.isHidden && !process.isZombie)
    var sampler = LimitSampler()
    let target = LimitSampler.Target(
      id: 1, pid: process.pid, limits: ChildLimits(memory: 1 << 30))
    let looks = (0..<2).map { _ in sampler.usage(of: [process], target) }
    #expect(looks.map { $0.memory >= MappedFiles.unknown } == [false, true])
    #expect(looks.allSatisfy { $0.processes == 1 && $0.threads == process.threads })
  }

  /// In a process of its own, which gives up being root.
  @Test func `a sandboxed program that the host may not look into has too much memory`() async {
    await #expect(processExitsWith: .success) {
      var template = Array("/tmp/agent-hidden-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      let path = folder + "/program"
      defer {
        seteuid(0)
        unlink(path)
        rmdir(folder)
      }
      chmod(folder, 0o755)
      try #require(Self.copy("/bin/sleep", to: path, mode: 0o111))
      Self.giveUpRoot()
      let free = try #require(Self.spawn(path))
      // A program that isn't in a sandbox may be another user's: nothing is promised of it.
      #expect(Self.sample(free, limit: 1 << 30, times: 3) == ["", "", ""])
      Self.forbidNewPrivileges()
      let bound = try #require(Self.spawn(path))
      #expect(
        Self.sample(bound, limit: 1 << 30, times: 3)
          == [
            "", "had memory that can't be counted; limits.memory allows 1024 MB",
            "had memory that can't be counted; limits.memory allows 1024 MB",
          ])
      for pid in [free, bound] {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
      }
    }
  }

  /// In a process of its own, too.
  @Test func `shared memory without a file is counted after its pages were dropped`() async {
    await #expect(processExitsWith: .success) {
      let bytes = 8 << 20
      let shared = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
      let memory = try #require(shared == MAP_FAILED ? nil : shared)
      memset(memory, 1, bytes)
      try #require(madvise(memory, bytes, MADV_DONTNEED) == 0)
      var known: Set<MemoryFiles.Identity> = []
      #expect(try #require(MappedFiles.bytes(of: getpid(), butFor: &known)) >= bytes)
      // Another host than that of root doesn't see what it holds.
      Self.giveUpRoot()
      known = []
      #expect(try #require(MappedFiles.bytes(of: getpid(), butFor: &known)) >= bytes)
    }
  }

  // MARK: In the process of its own

  /// Becomes a user without rights, and may become root again.
  private static func giveUpRoot() {
    guard geteuid() == 0 else { return }
    call("setresgid", 65_534, 65_534)
    call("setresuid", 65_534, 65_534)
  }

  /// As a sandbox does it.
  private static func forbidNewPrivileges() { call("prctl", 38, 1) }

  /// Calls a function that Swift doesn't import. Its further arguments are 0.
  private static func call(_ name: String, _ first: UInt, _ second: UInt) {
    typealias Function = @convention(c) (UInt, UInt, UInt, UInt, UInt) -> Int32
    let result = dlsym(nil, name).map {
      unsafeBitCast($0, to: Function.self)(first, second, 0, 0, 0)
    }
    #expect(result == 0, "\(name)")
  }

  private static func copy(_ source: String, to target: String, mode: mode_t) -> Bool {
    let (from, to) = (open(source, O_RDONLY), open(target, O_WRONLY | O_CREAT, mode))
    defer {
      close(from)
      close(to)
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(from, &chunk, chunk.count), count > 0 {
      guard write(to, chunk, count) == count else { return false }
    }
    return from >= 0 && to >= 0
  }

  private static func spawn(_ path: String) -> Int32? {
    var words = [strdup(path), strdup("1000"), nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    return posix_spawn(&pid, path, nil, nil, &words, environ) == 0 ? pid : nil
  }
}
