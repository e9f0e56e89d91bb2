import AgentJSON

/// Reads the members of a frame's body. An error names the missing or invalid member.
struct BodyReader {
  private let frame: String
  private let document: JSONDocument
  private let node: JSONNode

  init(
    _ frame: String, _ body: [UInt8], limits: JSONLimits = JSONLimits()
  ) throws(WorkerProtocolError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: body, limits: limits)
    } catch {
      throw WorkerProtocolError(
        code: .body, message: "The body of \(frame) isn't JSON.", cause: "\(error)")
    }
    self.init(frame: frame, document: document, node: document.root)
    guard node.kind == .object else { throw .body(frame, "isn't an object") }
  }

  private init(frame: String, document: JSONDocument, node: JSONNode) {
    self.frame = frame
    self.document = document
    self.node = node
  }

  func string(_ key: String) throws(WorkerProtocolError) -> String {
    guard let value = node[key]?.string else { throw .body(frame, "lacks \"\(key)\", a string") }
    return value
  }

  func optionalString(_ key: String) throws(WorkerProtocolError) -> String? {
    try optional(key, expected: "a string") { $0.string }
  }

  func int(_ key: String) throws(WorkerProtocolError) -> Int {
    guard let value = node[key]?.int else { throw .body(frame, "lacks \"\(key)\", an integer") }
    return value
  }

  func optionalInt(_ key: String) throws(WorkerProtocolError) -> Int? {
    try optional(key, expected: "an integer") { $0.int }
  }

  func optionalBool(_ key: String) throws(WorkerProtocolError) -> Bool? {
    try optional(key, expected: "true or false") { $0.bool }
  }

  func strings(_ key: String) throws(WorkerProtocolError) -> [String] {
    guard let array = node[key], array.kind == .array else { return [] }
    var strings: [String] = []
    for element in array.elements {
      guard let string = element.string else {
        throw .body(frame, "has something other than strings in \"\(key)\"")
      }
      strings.append(string)
    }
    return strings
  }

  func ints(_ key: String) throws(WorkerProtocolError) -> [Int] {
    var ints: [Int] = []
    for element in try array(key).elements {
      guard let int = element.int else {
        throw .body(frame, "has something other than integers in \"\(key)\"")
      }
      ints.append(int)
    }
    return ints
  }

  /// Returns a value as it was written, for passing it on unchanged.
  func raw(_ key: String) throws(WorkerProtocolError) -> [UInt8] {
    guard let value = optionalRaw(key) else { throw .body(frame, "lacks \"\(key)\"") }
    return value
  }

  func optionalRaw(_ key: String) -> [UInt8]? {
    node[key].map { Array(document.bytes[$0.range]) }
  }

  func array(_ key: String) throws(WorkerProtocolError) -> JSONNode {
    guard let value = node[key], value.kind == .array else {
      throw .body(frame, "lacks \"\(key)\", an array")
    }
    return value
  }

  func object(_ key: String) throws(WorkerProtocolError) -> BodyReader? {
    guard let value = node[key], value.kind != .null else { return nil }
    guard value.kind == .object else { throw .body(frame, "has a \"\(key)\" that isn't an object") }
    return BodyReader(frame: frame, document: document, node: value)
  }

  /// Returns the elements of an array of objects.
  func objects(_ key: String) throws(WorkerProtocolError) -> [BodyReader] {
    try array(key).elements.map { BodyReader(frame: frame, document: document, node: $0) }
  }

  func kind(_ key: String = "kind") throws(WorkerProtocolError) -> WireKind {
    let name = try string(key)
    guard let kind = WireKind(name: name) else {
      throw .body(frame, "names a kind of contribution that doesn't exist, \"\(name)\"")
    }
    return kind
  }

  /// Returns a member that has one of several values.
  func choice<Choice: CaseIterable & RawRepresentable>(
    _ key: String
  ) throws(WorkerProtocolError) -> Choice? where Choice.RawValue == String {
    guard let word = try optionalString(key) else { return nil }
    guard let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .body(frame, "has a \"\(key)\" that is none of \(words)")
    }
    return choice
  }

  /// Refuses members that have no meaning beside another one.
  func refuse(_ key: String, beside others: String...) throws(WorkerProtocolError) {
    for other in others {
      guard let value = node[other], value.kind != .null else { continue }
      throw .body(frame, "has a \"\(other)\" beside a \"\(key)\", which has no use for it")
    }
  }

  private func optional<Value>(
    _ key: String, expected: String, read: (JSONNode) -> Value?
  ) throws(WorkerProtocolError) -> Value? {
    guard let value = node[key], value.kind != .null else { return nil }
    guard let read = read(value) else {
      throw .body(frame, "has a \"\(key)\" that isn't \(expected)")
    }
    return read
  }
}
