internal import AgentText

/// A pattern for the paths of a route: `summary/{day}`, `files/{path...}`.
public struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
  /// A part of the path between two slashes.
  public enum Segment: Sendable, Hashable {
    /// Exactly this text.
    case literal(String)
    /// Any text. The route receives it under this name.
    case parameter(String)
    /// One or more further segments. The route receives them under this name. Only the last segment
    /// of a pattern may be of this kind.
    case rest(String)
  }

  /// The reason why a text isn't a pattern, as a sentence.
  public struct Problem: Error, Sendable {
    public let message: String
  }

  /// The pattern as it was written.
  public let description: String
  /// The segments. The root of the module's paths has none.
  public let segments: [Segment]

  /// Reads a pattern.
  public init(_ text: String) throws(Problem) {
    description = text
    var segments: [Segment] = []
    var names: Set<String> = []
    let pieces = text.isEmpty ? [] : text.split(separator: "/", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      let segment = try Self.segment(String(piece))
      switch segment {
      case .literal: break
      case .parameter(let name), .rest(let name):
        guard names.insert(name).inserted else {
          throw Problem(message: "\"\(name)\" stands for two segments. Give each its own name.")
        }
      }
      if case .rest = segment, index < pieces.count - 1 {
        throw Problem(
          message: "\"\(piece)\" stands for the rest of the path, so it must be the last segment.")
      }
      segments.append(segment)
    }
    self.segments = segments
  }

  private static func segment(_ piece: String) throws(Problem) -> Segment {
    guard piece.hasPrefix("{"), piece.hasSuffix("}") else {
      guard !piece.isEmpty else {
        throw Problem(message: "a path has no slash at either end, and no two in a row.")
      }
      guard piece != ".", piece != "..", piece.utf8.allSatisfy(\.isUnreserved) else {
        throw Problem(
          message: "\"\(piece)\" isn't allowed in a path: use letters, digits, _ - . ~, or {name}.")
      }
      return .literal(piece)
    }
    let isRest = piece.hasSuffix("...}")
    let name = String(piece.dropFirst().dropLast(isRest ? 4 : 1))
    guard let first = name.utf8.first, name.utf8.allSatisfy(isOfName),
      !first.isASCIIDigit, name.utf8.count <= 64
    else {
      throw Problem(
        message: "\"\(piece)\" needs a name in its braces: a letter, then letters, digits and _.")
    }
    return isRest ? .rest(name) : .parameter(name)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == 0x5F
  }

  // MARK: Matching

  /// Returns the values of the parameters if the path matches, or `nil`.
  /// - Parameter path: the decoded segments.
  public func match(_ path: [String]) -> [String: String]? {
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      guard index < path.count else { return nil }
      switch segment {
      case .literal(let text): if path[index] != text { return nil }
      case .parameter(let name): parameters[name] = path[index]
      case .rest(let name):
        parameters[name] = path[index...].joined(separator: "/")
        return parameters
      }
    }
    return path.count == segments.count ? parameters : nil
  }

  /// A text that is equal for patterns that match the same paths.
  var shape: String {
    segments.map { segment in
      switch segment {
      case .literal(let text): text
      case .parameter: "{}"
      case .rest: "{...}"
      }
    }.joined(separator: "/")
  }

  /// Returns whether this pattern wins if both match. Segments are compared from the first on, and
  /// a literal one wins over a parameter.
  func precedes(_ other: RoutePattern) -> Bool {
    func rank(_ segment: Segment) -> Int {
      switch segment {
      case .literal: 0
      case .parameter: 1
      case .rest: 2
      }
    }
    return segments.map(rank).lexicographicallyPrecedes(other.segments.map(rank))
  }
}
