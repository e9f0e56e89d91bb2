import Glibc
import Synchronization

/// The acknowledged events, a line each, written at once: `POSITION PRODUCER NUMBER`.
final class AckFile: Sendable {
  private let descriptor: Int32
  private let lines = Atomic(0)
  private let failures = Atomic(0)

  init(_ path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TortureError("\(path) can't be opened.") }
  }

  /// How many were added.
  var count: Int { lines.load(ordering: .relaxed) }

  /// How many writes failed.
  var refused: Int { failures.load(ordering: .relaxed) }

  func refuse() { failures.add(1, ordering: .relaxed) }

  func add(_ ack: Ack) {
    let line = "\(ack.position) \(ack.producer) \(ack.number)\n"
    _ = line.withCString { write(descriptor, $0, strlen($0)) }
    lines.add(1, ordering: .relaxed)
  }

  /// All lines that are complete.
  static func read(_ path: String) throws -> [Ack] {
    guard let file = fopen(path, "r") else { throw TortureError("\(path) can't be read.") }
    defer { fclose(file) }
    var acks: [Ack] = []
    var line = [CChar](repeating: 0, count: 200)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
      guard text.hasSuffix("\n"), numbers.count == 3 else { continue }
      acks.append(Ack(position: numbers[0], producer: numbers[1], number: numbers[2]))
    }
    return acks
  }
}

/// A write that was durable, as its producer was told.
struct Ack: Hashable {
  let position: Int64
  let producer: Int64
  let number: Int64
}
