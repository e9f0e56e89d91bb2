import AgentBuild
import AgentModules
import Glibc
import Testing

@Suite struct ModuleBuilderTests {
  let folder = TemporaryModule()

  @Test func `a C module is built, exports its entry only, and errors have their place`() throws {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    try folder.write(
      "module.c",
      """
      #include "agent_module.h"
      int helper(void) { return 1; }
      const agent_module_descriptor_v1 *agent_module_v1(void) { return 0; }
      """)
    let builder = ModuleBuilder()
    let (manifest, _) = Manifest.read(directory: folder.path)
    #expect(builder.needsBuild(try #require(manifest)))
    let report = try builder.build(directory: folder.path)
    #expect(report.product?.hasSuffix("/libm.so") == true)
    #expect(!report.isChecked)
    #expect(!builder.needsBuild(try #require(manifest)))
    let library = dlopen("\(folder.path)/libm.so", RTLD_NOW | RTLD_LOCAL)
    #expect(library != nil)
    #expect(dlsym(library, "agent_module_v1") != nil)
    #expect(dlsym(library, "helper") == nil)
    if let library { dlclose(library) }

    let before = try folder.bytes("libm.so")
    try folder.write("module.c", "int broken(void) {\n  return x;\n}\n")
    let error = #expect(throws: BuildError.self) { try builder.build(directory: folder.path) }
    #expect(error?.code == .compilerFailed)
    #expect(error?.diagnostics.contains("module.c:2:10: error:") == true)
    #expect(try folder.bytes("libm.so") == before, "what was built before stays")
    #expect(folder.names == ["libm.so", "module.c", "module.json"])
  }

  @Test(arguments: [false, true])
  func `a compiler that hangs is ended with what it has started, also without its output`(
    closesOutput: Bool
  ) throws {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    try folder.write("module.c", "int nothing;\n")
    // Outside of the module: a build runs no program of the module.
    let tools = TemporaryModule()
    let begin = closesOutput ? "exec >/dev/null 2>&1" : ""
    try tools.write(
      "cc", "#!/bin/sh\n\(begin)\nsleep 30 & echo $! > \(tools.path)/child\nwait\n")
    chmod("\(tools.path)/cc", 0o700)
    let variables = ["CC": "\(tools.path)/cc", "AGENT_SDK": try sdk()]
    let builder = ModuleBuilder(
      environment: BuildEnvironment(variables: variables, executable: ""),
      limit: .milliseconds(500))
    let error = #expect(throws: BuildError.self) { try builder.build(directory: folder.path) }
    #expect(error?.code == .compilerLate, "\(String(describing: error))")
    let text = String(decoding: try tools.bytes("child"), as: UTF8.self)
    let child = try #require(pid_t(text.dropLast()))
    // A zombie is left where nobody waits for it.
    let state = try? String(
      decoding: FileSystem.read("/proc/\(child)/stat"), as: UTF8.self)
    #expect(state?.contains(") Z ") != false, "\(state ?? "")")
  }

  @Test func `a compiler sees the end of what it has started, whatever signals its builder blocks`()
    throws
  {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    try folder.write("module.c", "int nothing;\n")
    let tools = TemporaryModule()
    try tools.write("cc", "#!/bin/sh\nsleep 0.1 &\nwait\nexit 7\n")
    chmod("\(tools.path)/cc", 0o700)
    let variables = ["CC": "\(tools.path)/cc", "AGENT_SDK": try sdk()]
    let builder = ModuleBuilder(
      environment: BuildEnvironment(variables: variables, executable: ""), limit: .seconds(20))
    var child = sigset_t()
    var former = sigset_t()
    sigemptyset(&child)
    sigaddset(&child, SIGCHLD)
    pthread_sigmask(SIG_BLOCK, &child, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    let error = #expect(throws: BuildError.self) { try builder.build(directory: folder.path) }
    #expect(error?.code == .compilerFailed, "\(String(describing: error))")
  }

  private func sdk() throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return try #require(FileSystem.realPath("/\(root)/SDK"))
  }

  @Test(arguments: ["answer.h", "answer.hpp", "module.modulemap"])
  func `a module is built again after a header has changed`(_ header: String) throws {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    try folder.write(header, "")
    try folder.write(
      "module.cpp",
      """
      #include "\(header)"
      extern "C" const void *agent_module_v1(void) { return 0; }
      """)
    let builder = ModuleBuilder()
    let (manifest, _) = Manifest.read(directory: folder.path)
    let module = try #require(manifest)
    _ = try builder.build(module)
    #expect(!builder.needsBuild(module))
    // An hour ahead, since the clock of files may stand still for some milliseconds.
    let later = timespec(tv_sec: time(nil) + 3600, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, "\(folder.path)/\(header)", [later, later], 0) == 0)
    #expect(builder.needsBuild(module))
  }

  @Test func `a C function that doesn't exist is an error, and libm is linked`() throws {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    let entry = "const void *agent_module_v1(void) { return %; }\n"
    func build(_ declarations: String, _ call: String) throws(BuildError) {
      let text = declarations + "\n" + entry.replacing("%", with: call)
      do { try folder.write("module.c", text) } catch { Issue.record(error) }
      _ = try ModuleBuilder().build(directory: folder.path)
    }
    let undeclared = #expect(throws: BuildError.self) { try build("", "(void *)0 + missing(1)") }
    #expect(undeclared?.diagnostics.contains("error: implicit declaration") == true)
    let undefined = #expect(throws: BuildError.self) {
      try build("extern void *missing(int);", "missing(1)")
    }
    #expect(undefined?.diagnostics.contains("undefined reference to `missing'") == true)
    try build(
      "#include <math.h>\nvolatile double x;", "sin(x) + pow(x, x) > 2 ? (void *)&x : (void *)0")
  }

  @Test func `a Python module's syntax is checked`() throws {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "command": ["python3", "main.py"]}"#)
    try folder.write("main.py", "print('well')\n")
    let report = try ModuleBuilder().build(directory: folder.path)
    #expect(report.product == nil && report.isChecked)
    try folder.write("main.py", "def x(:\n")
    let error = #expect(throws: BuildError.self) {
      try ModuleBuilder().build(directory: folder.path)
    }
    #expect(error?.diagnostics.contains("main.py:1:") == true)
  }

  @Test(arguments: ["./python3", "python3", "FOLDER/python3"])
  func `a module's own interpreter isn't run to check its syntax`(command: String) throws {
    let own = command.replacing("FOLDER", with: folder.path)
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "command": ["\#(own)", "main.py"]}"#)
    try folder.write("main.py", "def x(:\n")
    try folder.write("python3", "#!/bin/sh\ntouch \(folder.path)/escaped\n")
    #expect(chmod("\(folder.path)/python3", 0o755) == 0)
    let environment = BuildEnvironment(
      variables: ["PATH": "\(folder.path):.:/usr/local/bin:/usr/bin:/bin"],
      executable: "/proc/self/exe")
    let error = #expect(throws: BuildError.self) {
      try ModuleBuilder(environment: environment).build(directory: folder.path)
    }
    #expect(error?.diagnostics.contains("main.py:1:") == true)
    #expect(folder.names == ["main.py", "module.json", "python3"])
  }

  @Test func `a compiler in the module's folder isn't run`() throws {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    try folder.write("module.c", "const void *agent_module_v1(void) { return 0; }\n")
    try folder.write("cc", "#!/bin/sh\ntouch \(folder.path)/escaped\n")
    #expect(chmod("\(folder.path)/cc", 0o755) == 0)
    let environment = BuildEnvironment(
      variables: ["PATH": folder.path], executable: "/proc/self/exe")
    let error = #expect(throws: BuildError.self) {
      try ModuleBuilder(environment: environment).build(directory: folder.path)
    }
    #expect(error?.code == .compilerMissing)
    #expect(folder.names == ["cc", "module.c", "module.json"])
  }

  @Test func `a missing compiler is named with the package to install`() throws {
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    try folder.write("module.swift", "")
    let environment = BuildEnvironment(
      variables: ["PATH": "/nowhere"], executable: "/proc/self/exe")
    let error = #expect(throws: BuildError.self) {
      try ModuleBuilder(environment: environment).build(directory: folder.path)
    }
    #expect(error?.code == .compilerMissing)
    #expect(error?.message.contains("swift.org/install") == true)
  }

  @Test func `a manifest with errors and a library without sources build nothing`() throws {
    try folder.write("module.json", #"{"name": "m", "library": "libm.so"}"#)
    let wrong = #expect(throws: BuildError.self) {
      try ModuleBuilder().build(directory: folder.path)
    }
    #expect(wrong?.code == .manifest && wrong?.problems.isEmpty == false)
    try folder.write(
      "module.json", #"{"name": "m", "version": "0.1.0", "abi": 1, "library": "libm.so"}"#)
    let empty = #expect(throws: BuildError.self) {
      try ModuleBuilder().build(directory: folder.path)
    }
    #expect(empty?.code == .noSources)
  }
}
