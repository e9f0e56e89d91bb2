/// The error of a JSON value that doesn't match a type.
public struct JSONDecodingError: Error, Sendable, CustomStringConvertible {
  /// The value. For a missing key, the object that lacks it.
  public let pointer: JSONPointer
  /// Line and column of the value, if the document was read from text.
  public let place: JSONPlace?
  /// A sentence with the expected value, the found value, and the remedy.
  public let message: String
  /// The error that a type's own `init(from:)` threw, if it isn't one of Codable's.
  public let cause: (any Error)?

  /// Creates an error about the value at `pointer`.
  public init(
    pointer: JSONPointer, place: JSONPlace?, message: String, cause: (any Error)? = nil
  ) {
    self.pointer = pointer
    self.place = place
    self.message = message
    self.cause = cause
  }

  /// The text in the form `LINE:COLUMN: PATH: MESSAGE`, without unknown parts.
  public var description: String {
    let path = pointer.dotted
    return (place.map { "\($0): " } ?? "") + (path.isEmpty ? "" : "\(path): ") + message
  }
}

extension JSONDecodingError {
  /// Adds the place to an error that went through Codable.
  init(_ error: any Error, at node: JSONNode) {
    switch error {
    case let error as JSONDecodingError:
      self = error
    case let error as DecodingError:
      self.init(error.context, in: node.document)
    default:
      self.init(
        pointer: node.pointer, place: node.writtenPlace, message: String(describing: error),
        cause: error)
    }
  }

  private init(_ context: DecodingError.Context, in document: JSONDocument) {
    let pointer = JSONPointer(tokens: context.codingPath.map(\.stringValue))
    self.init(
      pointer: pointer, place: document.nearestNode(to: pointer).writtenPlace,
      message: context.debugDescription, cause: context.underlyingError)
  }
}

extension DecodingError {
  fileprivate var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default:
      Context(codingPath: [], debugDescription: String(describing: self))
    }
  }
}

extension JSONNode {
  /// The place. `nil` if the document wasn't read from text.
  var writtenPlace: JSONPlace? { storage.isWritten ? place : nil }
}

extension JSONDocument {
  /// The node at `pointer`, or the innermost existing node on the way there.
  func nearestNode(to pointer: JSONPointer) -> JSONNode {
    var node = root
    for token in pointer.tokens {
      guard let next = node.node(at: JSONPointer(tokens: [token])) else { break }
      node = next
    }
    return node
  }
}
