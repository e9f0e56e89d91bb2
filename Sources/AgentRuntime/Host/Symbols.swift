internal import AgentJSON
internal import AgentSupervision
internal import Glibc

/// Names for the addresses in a crash report.
enum Symbols {
  /// One step of the way to the crash.
  struct Frame: Sendable {
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

  /// The frames of a worker's report, innermost first, with names where a tool that knows them
  /// (addr2line, llvm-symbolizer) is installed.
  static func frames(of crash: JSONValue) -> [Frame] {
    let images = (crash["images"]?.array ?? []).compactMap(Image.init)
    let counters = (crash["pcs"]?.array ?? []).compactMap(Self.address)
    var frames: [Frame] = counters.enumerated().map { index, counter in
      // All but the first are return addresses: the call is just before them.
      let address = index == 0 || counter == 0 ? counter : counter - 1
      let image = images.filter { $0.base <= address }.max { $0.base < $1.base }
      let offset = address - (image?.base ?? 0)
      return Frame(image: image?.path ?? "?", offset: "0x" + String(offset, radix: 16))
    }
    for path in Set(frames.map(\.image)) where path.hasPrefix("/") {
      let indices = frames.indices.filter { frames[$0].image == path }
      let names = name(indices.map { frames[$0].offset }, in: path)
      for (index, found) in zip(indices, names) {
        frames[index].function = found.function
        frames[index].place = found.place
      }
    }
    return frames
  }

  /// The innermost function that has a name, for the log.
  static func summary(_ frames: [Frame]) -> String {
    let isOwn = { (frame: Frame) in
      frame.function != nil && !frame.image.contains("libswiftCore")
        && !frame.image.contains("libc.")
    }
    guard let frame = frames.first(where: isOwn), let function = frame.function else { return "" }
    return " in \(function)" + (frame.place.map { " at \($0)" } ?? "")
  }

  private struct Image {
    let path: String
    let base: UInt64

    init?(_ value: JSONValue) {
      guard let path = value["path"]?.string, let base = value["base"].flatMap(Symbols.address)
      else { return nil }
      self.path = path
      self.base = base
    }
  }

  private static func address(_ value: JSONValue) -> UInt64? {
    if let text = value.string { return UInt64(text.drop { $0 == "0" || $0 == "x" }, radix: 16) }
    return value.int.map { UInt64($0) }
  }

  private static func name(
    _ offsets: [String], in image: String
  ) -> [(function: String?, place: String?)] {
    guard
      let lines = CommandOutput.lines(
        of: ["llvm-symbolizer", "--no-inlines", "--output-style=GNU", "-e", image] + offsets)
        ?? CommandOutput.lines(of: ["addr2line", "-f", "-C", "-e", image] + offsets),
      lines.count >= offsets.count * 2
    else { return [] }
    return offsets.indices.map { index in
      let function = lines[index * 2]
      let place = lines[index * 2 + 1]
      return (
        function.hasPrefix("?") ? nil : function,
        place.hasPrefix("?") ? nil : place.split(separator: "/").last.map(String.init)
      )
    }
  }
}
