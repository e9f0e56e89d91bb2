/// The name of a contribution: the body of START, and a part of other bodies.
public struct ContributionName: Sendable, Hashable, CustomStringConvertible {
  /// The kind of contribution.
  public var kind: WireKind
  /// Its name, unique within its kind.
  public var name: String

  /// Creates a name.
  public init(_ kind: WireKind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  /// Reads START from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    try self.init(BodyReader("START", body))
  }

  init(_ reader: BodyReader) throws(WorkerProtocolError) {
    self.init(try reader.kind(), try reader.string("contribution"))
  }

  /// START as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    write(to: &writer)
    return writer.finish()
  }

  /// The name for people: `datasource "krakenfx"`.
  public var description: String {
    "\(kind.name) \"\(name)\""
  }

  func write(to writer: inout BodyWriter) {
    writer.string("contribution", name)
    writer.string("kind", kind.name)
  }

  var writer: BodyWriter {
    var writer = BodyWriter()
    writer.string("kind", kind.name)
    writer.string("name", name)
    return writer
  }

  static func list(_ reader: BodyReader) throws(WorkerProtocolError) -> [ContributionName] {
    var names: [ContributionName] = []
    for entry in try reader.objects("contributions") {
      names.append(ContributionName(try entry.kind(), try entry.string("name")))
    }
    return names
  }
}
