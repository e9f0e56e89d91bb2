import AgentModules
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AgentWorkers

@Suite struct InterpreterPrefixesTests {
  private let prefixes = InterpreterPrefixes()

  /// An agent with a module.
  private func place(_ folder: TestFolder) -> InterpreterPrefixes.Place {
    .init(module: "\(folder.path)/agent/modules/m", agent: "\(folder.path)/agent")
  }

  /// A program that leaves a mark when it is run, and answers what an interpreter is asked.
  private func program(_ name: String, in folder: TestFolder) throws -> String {
    let path = try folder.write(
      name, "#!/bin/sh\necho x > \(folder.path)/mark\necho /bin/sh\necho /\necho /\n")
    chmod(path, 0o755)
    return path
  }

  private func hasRun(_ folder: TestFolder) -> Bool { access("\(folder.path)/mark", F_OK) == 0 }

  @Test(arguments: ["python-3", "python3", "node"])
  func `a module's own program isn't run, however it is named`(_ name: String) throws {
    let folder = try TestFolder()
    let program = try program("agent/modules/m/bin/\(name)", in: folder)
    let place = place(folder)
    for word in ["bin/\(name)", "./bin/\(name)", program] {
      let resolved = prefixes.resolve(word, path: nil, in: place)
      #expect(resolved == .init(executable: word, prefixes: []))
    }
    // By PATH neither, also by a link that lies outside.
    let bin = FileSystem.parent(program)
    #expect(prefixes.resolve(name, path: bin, in: place).prefixes == [])
    mkdir("\(folder.path)/links", 0o700)
    symlink(program, "\(folder.path)/links/\(name)")
    #expect(prefixes.resolve(name, path: "\(folder.path)/links", in: place).prefixes == [])
    #expect(!hasRun(folder))
  }

  @Test func `a system interpreter is asked, and its answer is checked`() throws {
    let folder = try TestFolder()
    _ = try program("bin/python3", in: folder)
    let resolved = prefixes.resolve("python3", path: "\(folder.path)/bin", in: place(folder))
    #expect(hasRun(folder))
    #expect(resolved.prefixes == [])
    let real = prefixes.resolve("python3", path: nil, in: place(folder))
    #expect(real.executable.hasPrefix("/") && !real.prefixes.isEmpty)
  }

  /// An interpreter that fails until the file `ok` is there, and writes a line each time it is run.
  private func failing(_ folder: TestFolder) throws -> String {
    let path = try folder.write(
      "bin/python3",
      "#!/bin/sh\necho x >> \(folder.path)/runs\n[ -e \(folder.path)/ok ] || exit 1\n"
        + "echo /bin/sh\necho /usr\necho /usr\n")
    chmod(path, 0o755)
    return path
  }

  private func runs(_ folder: TestFolder) throws -> Int {
    try FileSystem.read("\(folder.path)/runs").count { $0 == 0x0A }
  }

  @Test func `an interpreter that failed is asked again after a minute, and not before`() throws {
    let folder = try TestFolder()
    _ = try failing(folder)
    let time = Mutex(Duration.seconds(100))
    let prefixes = InterpreterPrefixes(steady: { time.withLock { $0 } })
    func resolve() -> [String] {
      prefixes.resolve("python3", path: "\(folder.path)/bin", in: place(folder)).prefixes
    }
    #expect(resolve() == [])
    try folder.write("ok", "")
    time.withLock { $0 = .seconds(159) }
    #expect(resolve() == [])
    #expect(try runs(folder) == 1)
    time.withLock { $0 = .seconds(160) }
    #expect(resolve() == ["/usr"])
    // A usable answer is kept.
    time.withLock { $0 = .seconds(100_000) }
    #expect(resolve() == ["/usr"])
    #expect(try runs(folder) == 2)
  }

  @Test func `an interpreter is asked again when its file changes`() throws {
    let folder = try TestFolder()
    let program = try failing(folder)
    let prefixes = InterpreterPrefixes(steady: { .zero })
    func resolve() -> [String] {
      prefixes.resolve("python3", path: "\(folder.path)/bin", in: place(folder)).prefixes
    }
    #expect(resolve() == [])
    try folder.write("ok", "")
    #expect(resolve() == [])
    var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 1_000, tv_usec: 0)]
    #expect(utimes(program, &times) == 0)
    #expect(resolve() == ["/usr"])
    #expect(try runs(folder) == 2)
  }

  @Test func `an interpreter that was missing is asked once it is there`() throws {
    let folder = try TestFolder()
    let prefixes = InterpreterPrefixes(steady: { .zero })
    func resolve() -> [String] {
      prefixes.resolve("python3", path: "\(folder.path)/bin", in: place(folder)).prefixes
    }
    #expect(resolve() == [])
    _ = try failing(folder)
    try folder.write("ok", "")
    #expect(resolve() == ["/usr"])
  }

  @Test func `a folder of a person or the agent isn't accepted as a prefix`() throws {
    let folder = try TestFolder()
    mkdir("\(folder.path)/agent", 0o700)
    let agent = "\(folder.path)/agent"
    for prefix in ["/", "/home", "/etc", "/tmp", "bin", folder.path, agent, "/no/such/folder"] {
      #expect(!InterpreterPrefixes.isHarmless(prefix, agent: agent), "\(prefix)")
    }
    #expect(InterpreterPrefixes.isHarmless("/usr", agent: agent))
  }

  @Test func `a virtual environment in a module uses the interpreter that the host finds`() throws {
    let folder = try TestFolder()
    let place = place(folder)
    let real = prefixes.resolve("python3", path: nil, in: place)
    try folder.write("agent/modules/m/venv/pyvenv.cfg", "home = /usr/bin\n")
    try folder.write("agent/modules/m/venv/bin/keep", "")
    let bin = "\(folder.path)/agent/modules/m/venv/bin"
    symlink(FileSystem.realPath(real.executable) ?? "", "\(bin)/python")
    let resolved = prefixes.resolve("venv/bin/python", path: nil, in: place)
    #expect(resolved.executable == "venv/bin/python")
    #expect(Set(resolved.prefixes).isSuperset(of: real.prefixes))
    // One that leads elsewhere gets its own folder and no more.
    symlink(try program("secret/bin/python3", in: folder), "\(bin)/python3")
    let other = prefixes.resolve("venv/bin/python3", path: nil, in: place)
    #expect(other.prefixes == [FileSystem.parent(bin)])
    #expect(!hasRun(folder))
  }
}
