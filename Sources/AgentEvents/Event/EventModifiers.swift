internal import AgentJSON

/// The members of an event that control its treatment.
struct EventModifiers: Sendable {
  /// `__skipstorage`: the event is delivered and not stored.
  var skipsStorage = false
  /// `__skiprealtime`: the event is stored and not delivered.
  var skipsRealtime = false
  /// `__overwrite`: the event replaces the stored one of the same type and key. The member names
  /// the field of the key, or several fields. `true` stands for `id`.
  var overwriteKey: String?

  init() {}

  init(of object: JSONObject, type: String) throws(EventError) {
    skipsStorage = try Self.flag("__skipstorage", in: object, type)
    skipsRealtime = try Self.flag("__skiprealtime", in: object, type)
    overwriteKey = try Self.key(in: object, type)
    if overwriteKey != nil, skipsStorage {
      throw EventError(
        message:
          "\(type) has __overwrite and __skipstorage, but an event that isn't stored can't replace "
          + "another."
      )
    }
  }

  private static func flag(
    _ name: String, in object: JSONObject, _ type: String
  ) throws(EventError) -> Bool {
    switch object[name] {
    case .none, .bool(false): return false
    case .bool(true): return true
    case .some(let other):
      throw EventError(message: "\"\(name)\" is true or false; \(type) has \(other.text()).")
    }
  }

  private static func key(in object: JSONObject, _ type: String) throws(EventError) -> String? {
    switch object["__overwrite"] {
    case .none, .bool(false): return nil
    case .bool(true): return try key(of: ["id"], in: object, type)
    case .string(let field): return try key(of: [field], in: object, type)
    case .array(let fields) where !fields.isEmpty && fields.allSatisfy({ $0.string != nil }):
      return try key(of: fields.compactMap(\.string), in: object, type)
    case .some(let other):
      throw EventError(
        message: "\"__overwrite\" is true, a field's name or a list of names; \(type) has "
          + "\(other.text()).")
    }
  }

  /// Returns the key: the text of one value, or several values as a JSON list.
  private static func key(
    of fields: [String], in object: JSONObject, _ type: String
  ) throws(EventError) -> String {
    var values: [JSONValue] = []
    for field in fields {
      guard let value = object[field], value.string ?? value.number?.text != nil else {
        throw EventError(
          message:
            "\"__overwrite\" names the field \"\(field)\"; \(type) has none that is a string "
            + "or a number.")
      }
      values.append(value)
    }
    if values.count == 1, let value = values.first { return value.string ?? value.text() }
    return JSONValue.array(values).text()
  }
}
