internal import AgentJSON
internal import AgentModuleLoader
internal import AgentModules
internal import AgentStore
internal import AgentWorkers
internal import CZlib
internal import Glibc

/// The versions of this program and its libraries, and the machine.
enum MachineReport {
  /// The versions of the program, its libraries and the system.
  static var versions: JSONValue {
    let system = SystemName.own
    return [
      "agent": .string(SemanticVersion.host.description), "abi": JSONValue(Manifest.hostABI),
      "swift": .string(Toolchain.own.description), "sqlite": .string(SQLiteStore.libraryVersion),
      "zlib": .string(String(cString: zlibVersion())), "c_library": .string(cLibrary),
      "kernel": .string("\(system.name) \(system.release)"),
      "architecture": .string(system.machine),
      "distribution": .string(distribution),
    ]
  }

  /// The processors, the memory and the load.
  static var machine: JSONValue {
    let memory = Fields(of: "/proc/meminfo")
    func kilobytes(_ key: String) -> JSONValue {
      memory[key]?.split(separator: " ").first.flatMap { Int($0) }.map { JSONValue($0 &* 1024) }
        ?? .null
    }
    let load = ProcessFile.read("/proc/loadavg").split(separator: " ").prefix(3).compactMap {
      Double($0)
    }
    return [
      "processors": JSONValue(sysconf(Int32(clamping: _SC_NPROCESSORS_ONLN))),
      "memory_bytes": kilobytes("MemTotal"), "memory_available_bytes": kilobytes("MemAvailable"),
      "load": .array(load.map { JSONValue($0) }),
      "uptime_seconds": ProcessFile.read("/proc/uptime").split(separator: " ").first
        .flatMap { Double($0) }.map { JSONValue($0) } ?? .null,
    ]
  }

  private static var cLibrary: String {
    var text = [CChar](repeating: 0, count: 64)
    let count = confstr(Int32(clamping: _CS_GNU_LIBC_VERSION), &text, text.count)
    guard count > 1 else { return "unknown" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static var distribution: String {
    let line = ProcessFile.read("/etc/os-release").split(separator: "\n").first {
      $0.hasPrefix("PRETTY_NAME=")
    }
    return line.map { String($0.dropFirst(12)).replacing("\"", with: "") } ?? "unknown"
  }
}

/// The names from `uname`.
struct SystemName {
  let name: String
  let release: String
  let machine: String

  static var own: SystemName {
    var name = utsname()
    uname(&name)
    return SystemName(
      name: text(of: name.sysname), release: text(of: name.release), machine: text(of: name.machine)
    )
  }

  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// The lines `Key:  value` of a file under `/proc`.
struct Fields {
  private var values: [Substring: Substring] = [:]

  init(of path: String) {
    for line in ProcessFile.read(path).split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = line[line.index(after: colon)...].drop { " \t".contains($0) }
    }
  }

  subscript(key: String) -> Substring? { values[key[...]] }
}
