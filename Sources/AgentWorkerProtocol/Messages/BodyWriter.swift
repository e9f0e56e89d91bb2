import AgentJSON

/// Writes the body of a frame, which is an object. Values that are JSON already are inserted
/// unchanged.
struct BodyWriter {
  private var writer = JSONWriter()

  init() {
    writer.beginObject()
  }

  /// Ends the object and returns its bytes.
  mutating func finish() -> [UInt8] {
    writer.endObject()
    return writer.bytes
  }

  mutating func string(_ key: String, _ value: String?) {
    guard let value else { return }
    writer.key(key)
    writer.string(value)
  }

  mutating func int(_ key: String, _ value: Int?) {
    guard let value else { return }
    writer.key(key)
    writer.number(JSONNumber(value))
  }

  mutating func bool(_ key: String, _ value: Bool) {
    writer.key(key)
    writer.bool(value)
  }

  mutating func raw(_ key: String, _ json: [UInt8]?) {
    guard let json else { return }
    writer.key(key)
    if json.isEmpty { writer.null() } else { writer.raw(json) }
  }

  mutating func strings(_ key: String, _ values: [String]) {
    writer.key(key)
    writer.beginArray()
    for value in values { writer.string(value) }
    writer.endArray()
  }

  mutating func ints(_ key: String, _ values: [Int]) {
    writer.key(key)
    writer.beginArray()
    for value in values { writer.number(JSONNumber(value)) }
    writer.endArray()
  }

  mutating func object(_ key: String, _ body: BodyWriter?) {
    guard var body else { return }
    raw(key, body.finish())
  }

  mutating func objects(_ key: String, _ bodies: [BodyWriter]) {
    writer.key(key)
    writer.beginArray()
    for var body in bodies { writer.raw(body.finish()) }
    writer.endArray()
  }
}
