internal import AgentJSON
internal import AgentSupervision
internal import Glibc
internal import Synchronization

/// Finds the function names for the addresses in a crash report.
package struct Symbols: Sendable {
  /// One stack frame of the crash.
  struct Frame: Sendable, Equatable {
    let image: String
    /// The address within the image, in hexadecimal.
    let offset: String
    var function: String?
    var place: String?

    var json: JSONValue {
      var object: JSONObject = ["image": .string(image), "offset": .string(offset)]
      if let function { object["function"] = .string(function) }
      if let place { object["place"] = .string(place) }
      return .object(object)
    }
  }

  /// The limits of time and memory of a symbolizer for one image.
  static let limits = ProgramLimits(time: .seconds(10), memory: 1 << 30)
  /// The largest output of a symbolizer that is read, in bytes.
  static let maxOutput = 256 << 10
  /// The largest length of a name. The names of C++ templates may have any length.
  static let maxNameLength = 1024
  private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// The images that may be read. Others in a report are ignored.
  let known: KnownImages
  /// The folders that are searched for symbolizers.
  var path = getenv("PATH").map { String(cString: $0) } ?? Symbols.usualPath

  /// Returns the frames of a report, innermost first. They have names if a symbolizer
  /// (llvm-symbolizer, addr2line) is installed.
  func frames(of report: CrashReport) async -> [Frame] {
    var frames = Self.frames(of: report)
    // Once for each image, because starting a symbolizer takes longer than finding a name.
    for image in Set(frames.map(\.image)) {
      guard let file = known.file(image) else { continue }
      let indices = frames.indices.filter { frames[$0].image == image }
      let names = await names(of: indices.map { frames[$0].offset }, in: file)
      for (index, found) in zip(indices, names) {
        frames[index].function = found.function
        frames[index].place = found.place
      }
    }
    return frames
  }

  /// Returns the frames without names.
  static func frames(of report: CrashReport) -> [Frame] {
    report.counters.enumerated().map { index, counter in
      // All but the first are return addresses. The call is the instruction before each.
      let address = index == 0 || counter == 0 ? counter : counter - 1
      let image = report.images.filter { $0.base <= address }.max { $0.base < $1.base }
      let offset = address - (image?.base ?? 0)
      return Frame(image: image?.path ?? "?", offset: "0x" + String(offset, radix: 16))
    }
  }

  /// Returns the innermost function of the module that has a name, for the log.
  static func summary(_ frames: [Frame]) -> String {
    // A trap ends in the runtime, and abort() in the C library. The module's function is the frame
    // behind these.
    let isOwn = { (frame: Frame) in
      frame.function != nil && !frame.image.contains("libswiftCore")
        && !frame.image.contains("libc.")
    }
    guard let frame = frames.first(where: isOwn), let function = frame.function else { return "" }
    return " in \(function)" + (frame.place.map { " at \($0)" } ?? "")
  }

  private func names(
    of offsets: [String], in file: String
  ) async -> [(function: String?, place: String?)] {
    var lines = await lines(
      of: "llvm-symbolizer", ["--no-inlines", "--output-style=GNU", "-e", file] + offsets)
    if lines == nil {
      lines = await self.lines(of: "addr2line", ["-f", "-C", "-e", file] + offsets)
    }
    // The symbolizer prints two lines for each address. With fewer lines, names and frames can't be
    // matched.
    guard let lines, lines.count >= offsets.count * 2 else { return [] }
    return offsets.indices.map { index in
      let place = lines[index * 2 + 1].split(separator: "/").last
      return (Self.name(lines[index * 2][...]), place.flatMap(Self.name))
    }
  }

  /// Returns a name in the form of a log line.
  private static func name(_ text: Substring) -> String? {
    guard !text.hasPrefix("?") else { return nil }
    let isPlain = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory != .control }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter(isPlain).prefix(maxNameLength)))
  }

  /// Runs a program and returns the lines of its output. Returns `nil` if it doesn't exist, fails,
  /// or exceeds its limits.
  private func lines(of program: String, _ arguments: [String]) async -> [String]? {
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { return nil }
    defer { close(input) }
    let command = ChildCommand(
      executable: program, arguments: arguments, environment: ["PATH=\(path)", "LC_ALL=C"])
    let output = SymbolizerOutput()
    let run = ProgramRun(command, input: input, grace: .zero, limits: Self.limits) { pipe, bytes in
      // Standard error contains warnings and no names.
      if pipe == 1 { output.take(bytes) }
    }
    guard let outcome = try? await run.run(), outcome.exit.isSuccess, !outcome.wasStopped else {
      return nil
    }
    return output.lines
  }
}

/// The output of a symbolizer, up to a bound. The remainder is dropped.
private final class SymbolizerOutput: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func take(_ more: ArraySlice<UInt8>) {
    bytes.withLock { $0 += more.prefix(max(0, Symbols.maxOutput - $0.count)) }
  }

  var lines: [String] {
    String(decoding: bytes.withLock(\.self), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
