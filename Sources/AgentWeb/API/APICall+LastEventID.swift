internal import AgentWorkers
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore

extension APICall {
  /// The id of the last message that the client of a stream got. Nil means that it isn't said.
  var lastEventID: String? {
    guard let header = request.headers[.lastEventID], !header.isEmpty else { return nil }
    return header
  }

  /// Returns the position after which a stream begins: `Last-Event-ID`, or else `after`.
  ///
  /// Rationale: a browser sends the header by itself when it connects again, to the same address.
  /// An `after` in that address says where it once began.
  func lastPosition<Position: FixedWidthInteger>(
    as type: Position.Type
  ) throws(HostError) -> Position? {
    guard let header = lastEventID else { return integer("after").map { Position(clamping: $0) } }
    guard let position = Position(header), position >= 0 else {
      throw HostError(
        .invalid, "Last-Event-ID must be the id of a message of this stream; found \"\(header)\".")
    }
    return position
  }
}

extension HTTPField.Name {
  static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .server
}
