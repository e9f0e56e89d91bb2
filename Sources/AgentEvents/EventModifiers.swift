internal import AgentJSON

/// What an event says about how it is to be treated.
struct EventModifiers: Sendable {
  /// `__skipstorage`: it is delivered, and not kept.
  var skipsStorage = false
  /// `__skiprealtime`: it is kept, and not delivered.
  var skipsRealtime = false
  /// `__overwrite`: it takes the place of the stored event of the same type and key. The key is the
  /// modifier's value, or for `true` the event's `id`.
  var overwriteKey: String?

  init() {}

  init(of object: JSONObject, type: String) throws(EventError) {
    skipsStorage = try Self.flag("__skipstorage", in: object, type)
    skipsRealtime = try Self.flag("__skiprealtime", in: object, type)
    overwriteKey = try Self.key(in: object, type)
    if overwriteKey != nil, skipsStorage {
      throw EventError(
        message: "\(type) has __overwrite and __skipstorage: what isn't stored replaces nothing.")
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
    case .string(let key) where !key.isEmpty: return key
    case .number(let number): return number.text
    case .bool(true):
      if let id = object["id"], id.string != nil || id.number != nil {
        return id.string ?? id.text()
      }
      throw EventError(
        message: "\"__overwrite\": true takes the event's \"id\" for its key; \(type) has none "
          + "that is a string or a number.")
    case .some(let other):
      throw EventError(
        message: "\"__overwrite\" is the key of the event to replace, or true for its \"id\"; "
          + "\(type) has \(other.text()).")
    }
  }
}
