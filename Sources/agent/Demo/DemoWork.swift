internal import AgentJSON
internal import AgentModules
internal import AgentTasks
internal import Glibc

/// The work of the demonstration's bots. It is small, but real.
struct DemoWork: Sendable {
  private static let pause = Duration.milliseconds(600)

  /// The agent's folder.
  let folder: String

  func run(_ work: TaskWork, type: String) async -> TaskOutcome {
    do {
      switch type {
      case "system_health": return .succeeded(try await health(work))
      case "data_backup": return .succeeded(try await backup(work))
      case "log_analysis": return .succeeded(try await log(work))
      case "obd2_diagnostic": return .succeeded(try await car(work))
      case "maintenance": return .succeeded(try await oldFiles(work))
      default:
        try await step(work, part: 1, words: "said")
        return .succeeded(["greeting": "Hello from a bot."])
      }
    } catch is CancellationError {
      return .cancelled()
    } catch {
      return .failed(error: Failure.words(error))
    }
  }

  /// Reports progress after a pause in which people can read the step before.
  private func step(_ work: TaskWork, part: Double, words: String) async throws {
    try await Task.sleep(for: Self.pause)
    work.log("stdout", words)
    work.progress(["percent": JSONValue(part * 100), "message": .string(words)])
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path, most: 1 << 20), as: UTF8.self)
  }

  /// Returns the words of a file of `/proc`. Such files have no size and are read until their end.
  private func words(of path: String) throws -> [Substring] {
    guard let file = fopen(path, "r") else { throw Failure("\(path) can't be read.") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split { " \n".contains($0) }
  }

  private func health(_ work: TaskWork) async throws -> JSONValue {
    let load = try words(of: "/proc/loadavg").first ?? ""
    try await step(work, part: 0.5, words: "load \(load)")
    let memory = try words(of: "/proc/meminfo")
    let free = memory.firstIndex(of: "MemAvailable:").map { memory[$0 + 1] } ?? ""
    try await step(work, part: 1, words: "\(free) KiB free")
    return [
      "load": JSONValue(Double(load) ?? 0), "memory_available_kib": JSONValue(Int(free) ?? 0),
    ]
  }

  private func backup(_ work: TaskWork) async throws -> JSONValue {
    let source = work.definition.description
    let target = "\(folder)/backup-\(source.split(separator: "/").last ?? "")-\(work.lease.task)"
    try await step(work, part: 0.3, words: "reads \(source)")
    let bytes = try Files.read("\(folder)/\(source)", most: 16 << 20)
    unlink(target)
    try Files.create(target, with: bytes)
    try await step(work, part: 1, words: "wrote \(bytes.count) bytes")
    return ["file": .string(target), "bytes": JSONValue(bytes.count)]
  }

  private func log(_ work: TaskWork) async throws -> JSONValue {
    let lines = try text("\(folder)/.agent/logs/agent.jsonl").split(separator: "\n")
    var levels = JSONObject()
    for (number, level) in ["error", "warning", "notice"].enumerated() {
      levels[level] = JSONValue(lines.count { $0.contains("\"level\":\"\(level)\"") })
      try await step(work, part: Double(number + 1) / 3, words: "counted \(level)")
    }
    return ["lines": JSONValue(lines.count), "levels": .object(levels)]
  }

  private func oldFiles(_ work: TaskWork) async throws -> JSONValue {
    let logs = "\(folder)/.agent/logs"
    // Only files older than a week count. A new folder has none.
    let names = FileSystem.names(in: logs).filter { name in
      var status = stat()
      return stat("\(logs)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && status.st_mtim.tv_sec < time(nil) - 7 * 86_400
    }
    try await step(work, part: 1, words: "looked")
    return ["old_files": .array(names.map(JSONValue.string))]
  }

  private func car(_ work: TaskWork) async throws -> JSONValue {
    let answers = (work.definition.input["answers"]?.array ?? []).compactMap(\.string)
    var (values, codes) = (JSONObject(), [JSONValue]())
    for (number, answer) in answers.enumerated() {
      try await step(
        work, part: Double(number + 1) / Double(answers.count), words: "read \(answer)")
      let bytes = answer.split(separator: " ").compactMap { Int($0, radix: 16) }
      if bytes.count >= 3, bytes[0] == 0x43 {
        codes.append(.string(CarAnswer.trouble(bytes[1], bytes[2])))
      } else if let value = CarAnswer.value(bytes) {
        values[value.name] = JSONValue(value.value)
      }
    }
    return ["values": .object(values), "trouble_codes": .array(codes)]
  }
}

/// The answers of a car's control unit (SAE J1979).
enum CarAnswer {
  static func value(_ bytes: [Int]) -> (name: String, value: Int)? {
    guard bytes.count >= 3, bytes[0] == 0x41 else { return nil }
    switch bytes[1] {
    case 0x05: return ("coolant_celsius", bytes[2] - 40)
    case 0x0C where bytes.count >= 4: return ("engine_rpm", (bytes[2] * 256 + bytes[3]) / 4)
    case 0x0D: return ("speed_kmh", bytes[2])
    default: return nil
    }
  }

  /// Returns a code such as P0133: two bits for the letter, two for the first digit, and three
  /// hexadecimal digits.
  static func trouble(_ first: Int, _ second: Int) -> String {
    let letter = ["P", "C", "B", "U"][first >> 6 & 3]
    let rest = String((first & 0x0f) << 8 | second, radix: 16, uppercase: true)
    return "\(letter)\(first >> 4 & 3)" + String(repeating: "0", count: 3 - rest.count) + rest
  }
}
