internal import AgentJSON
internal import AgentStore
internal import AgentText
internal import Synchronization

/// The values that an import reads from lines of JSON, by owner.
struct StateImport: Sendable {
  private(set) var owners: [(owner: String, values: [StateChange])] = []

  private static let members: Set<String> = ["owner", "key", "value", "version", "updated"]
  /// The limits of a line. It has one level more than a value, because the value is a member of the
  /// line's object.
  private static let limits = JSONLimits(maxDepth: StateRequest.maxDepth + 1)
  private static let maxProblems = 10
  /// The maximum size of a message, in bytes. A name in a line may have megabytes, and the message
  /// contains the name.
  private static let maxMessage = 500

  /// Reads the lines. Blank lines are ignored.
  /// - Throws: `invalid` with the number of invalid lines and the problems of the first ten, each
  ///   with its line number; `invalid` if no line has a value.
  init(_ lines: [UInt8]) throws(HostError) {
    var problems: [String] = []
    var wrong = 0
    // Names are compared by bytes. Two Unicode forms of é are equal strings in Swift but two names
    // in the store.
    var places: [[UInt8]: Int] = [:]
    var seen: Set<Name> = []
    var number = 0
    // Line by line: a list of all lines would be many times as large as lines that are short.
    var rest = lines[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      // Blank lines are counted, so that the line numbers in messages are correct.
      number += 1
      if line.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { continue }
      do throws(Wrong) {
        let (owner, change) = try Self.read(Array(line))
        let place = places[Array(owner.utf8)] ?? owners.count
        guard seen.insert(Name(owner: place, key: Array(change.key.utf8))).inserted else {
          throw Wrong("\"\(change.key)\" of \(owner) occurs twice.")
        }
        if place == owners.count {
          places[Array(owner.utf8)] = place
          owners.append((owner, []))
        }
        owners[place].values.append(change)
      } catch {
        wrong += 1
        // Only the problems that are shown are kept in memory, because each of millions of lines
        // may be invalid.
        guard wrong <= Self.maxProblems else { continue }
        let message = error.message.cut(toBytes: Self.maxMessage)
        problems.append("line \(number): \(message)")
      }
    }
    guard wrong == 0 else { throw Self.refusal(problems, of: wrong) }
    guard !owners.isEmpty else {
      throw HostError(.invalid, "There is nothing to import: not one line has a value.")
    }
  }

  /// A key of one of the owners.
  private struct Name: Hashable {
    let owner: Int
    let key: [UInt8]
  }

  private struct Wrong: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  private static func read(_ line: [UInt8]) throws(Wrong) -> (String, StateChange) {
    let root: JSONNode
    do {
      root = try JSONDocument(parsing: line, limits: limits).root
    } catch {
      throw Wrong("this isn't JSON, at column \(error.place.column): \(error.message)")
    }
    guard root.kind == .object else { throw Wrong("expected an object.") }
    for member in root.members where !members.contains(member.key) {
      throw Wrong("\"\(member.key)\" isn't known; a line has \"owner\", \"key\" and \"value\".")
    }
    let owner = try text("owner", of: root, "the name of a process")
    let key = try text("key", of: root, "the name of the value")
    let problem = StateNames.problem(withOwner: owner) ?? StateNames.problem(withKey: key)
    if let problem { throw Wrong(problem) }
    guard let value = root["value"] else { throw Wrong("\"value\" is missing.") }
    return (owner, StateChange(key: key, value: value.value.bytes()))
  }

  private static func text(
    _ name: String, of root: JSONNode, _ meaning: String
  ) throws(Wrong) -> String {
    guard let value = root[name] else { throw Wrong("\"\(name)\" is missing: \(meaning).") }
    guard let text = value.string else { throw Wrong("\"\(name)\" isn't a text: \(meaning).") }
    guard !text.isEmpty else { throw Wrong("\"\(name)\" is empty: \(meaning).") }
    return text
  }

  private static func refusal(_ problems: [String], of wrong: Int) -> HostError {
    let more = wrong - problems.count
    let shown = problems + (more > 0 ? ["and \(more) more lines"] : [])
    let count = wrong == 1 ? "A line is wrong" : "\(wrong) lines are wrong"
    return HostError(
      .invalid, "\(count), so nothing was imported.",
      problems: shown.map { ["text": .string($0)] })
  }
}

/// The owners that an export hasn't read yet.
final class OwnersLeft: Sendable {
  private let names: Mutex<ArraySlice<String>>

  init(_ names: [String]) { self.names = Mutex(names[...]) }

  func next() -> String? { names.withLock { $0.popFirst() } }
}
