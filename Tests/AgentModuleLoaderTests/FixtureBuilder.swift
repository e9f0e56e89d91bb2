import Glibc
import Synchronization
import Testing

/// Compiles C fixtures into a folder of this test run, each once.
enum FixtureBuilder {
  struct Failed: Error {
    let command: [String]
  }

  static let folder: String = {
    var template = Array("/tmp/agent-fixtures-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }()

  private static let built = Mutex<Set<String>>([])
  private static let sources = "\(root)/Tests/Fixtures"
  private static let headers = "\(root)/SDK/Sources/CAgentModule/include"

  /// The repository: this file is three levels below it.
  private static let root: String = {
    let resolved = realpath(#filePath, nil)
    defer { free(resolved) }
    let path = resolved.map { String(cString: $0) } ?? #filePath
    return path.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
  }()

  /// The library `lib{name}.so` from a source, with more arguments for the compiler.
  static func library(_ source: String, _ name: String, arguments: [String] = []) throws -> String {
    let path = "\(folder)/lib\(name).so"
    try build(path, ["-shared", "-fPIC", "-O1", "-I", headers, "\(sources)/\(source)"] + arguments)
    return path
  }

  /// The fixture module, as it is or wrong in some way.
  static func module(_ flag: String? = nil) throws -> String {
    let suffix = flag.map { $0.filter(\.isLetter) } ?? ""
    return try library(
      "misbehaving_module.c", "misbehaving\(suffix)", arguments: flag.map { ["-D\($0)"] } ?? [])
  }

  /// The module that tries to get out, in a folder of its own: a library's folder may be read.
  static func attempts() throws -> String {
    mkdir("\(folder)/attempts", 0o700)
    let path = "\(folder)/attempts/libattempts.so"
    let parts = [
      "", "_files", "_kernel", "_memory", "_module", "_processes", "_sockets", "_tables",
    ]
    let sandbox = "\(root)/Sources/CSandbox"
    try build(
      path,
      ["-shared", "-fPIC", "-O1", "-pthread"]
        + [headers, sandbox, "\(sandbox)/include"].flatMap { ["-I", $0] }
        + parts.map { "\(root)/Tests/Attacks/attempts\($0).c" } + ["\(sandbox)/calls.c", "-lrt"])
    return path
  }

  /// A file with a text.
  static func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
    return path
  }

  private static func build(_ output: String, _ arguments: [String]) throws {
    try built.withLock { built in
      guard built.insert(output).inserted else { return }
      try run(["cc"] + arguments + ["-o", output])
    }
  }

  private static func run(_ command: [String]) throws {
    var pid = pid_t()
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var status: Int32 = -1
    guard posix_spawnp(&pid, command[0], nil, nil, &arguments, environ) == 0,
      waitpid(pid, &status, 0) == pid, status == 0
    else { throw Failed(command: command) }
  }
}
