internal import AgentJSON
internal import AgentSupervision
internal import Glibc
internal import Synchronization

/// Names for the addresses in a crash report.
package struct Symbols: Sendable {
  /// One step of the way to the crash.
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

  /// How long a symbolizer may take for one image, and how much memory it may use.
  static let limits = ProgramLimits(time: .seconds(10), memory: 1 << 30)
  /// The most bytes that are taken of what it says.
  static let maxOutput = 256 << 10
  /// A longer name is cut: those of C++ templates have no end.
  static let maxNameLength = 1024
  private static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// The images that are read, whatever others a report names.
  let known: KnownImages
  /// Where the programs are looked for.
  var path = getenv("PATH").map { String(cString: $0) } ?? Symbols.usualPath

  /// The frames of a worker's report, innermost first, with names where a tool that knows them
  /// (llvm-symbolizer, addr2line) is installed.
  func frames(of report: CrashReport) async -> [Frame] {
    var frames = Self.frames(of: report)
    // Once per image: starting a symbolizer costs more than a name.
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

  /// The frames without names.
  static func frames(of report: CrashReport) -> [Frame] {
    report.counters.enumerated().map { index, counter in
      // All but the first are return addresses: the call is just before them.
      let address = index == 0 || counter == 0 ? counter : counter - 1
      let image = report.images.filter { $0.base <= address }.max { $0.base < $1.base }
      let offset = address - (image?.base ?? 0)
      return Frame(image: image?.path ?? "?", offset: "0x" + String(offset, radix: 16))
    }
  }

  /// The innermost function that has a name, for the log.
  static func summary(_ frames: [Frame]) -> String {
    // A trap ends in the runtime and abort() in the C library. The module's own function is the
    // one behind them.
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
    // Two lines for each address. With fewer the names can't be matched to their frames.
    guard let lines, lines.count >= offsets.count * 2 else { return [] }
    return offsets.indices.map { index in
      let place = lines[index * 2 + 1].split(separator: "/").last
      return (Self.name(lines[index * 2][...]), place.flatMap(Self.name))
    }
  }

  /// A name as it may stand in a line of the log.
  private static func name(_ text: Substring) -> String? {
    guard !text.hasPrefix("?") else { return nil }
    let isPlain = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory != .control }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter(isPlain).prefix(maxNameLength)))
  }

  /// Runs a program and returns the lines that it prints. Nil when it isn't there, fails, or is too
  /// slow.
  private func lines(of program: String, _ arguments: [String]) async -> [String]? {
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { return nil }
    defer { close(input) }
    let command = ChildCommand(
      executable: program, arguments: arguments, environment: ["PATH=\(path)", "LC_ALL=C"])
    let output = SymbolizerOutput()
    let run = ProgramRun(command, input: input, grace: .zero, limits: Self.limits) { pipe, bytes in
      // Warnings on standard error are no names.
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
