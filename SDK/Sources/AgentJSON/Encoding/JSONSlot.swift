/// A place for a value that is being encoded. A class, because Codable lets several containers
/// write to one place.
final class JSONSlot {
  private enum Content {
    case empty
    case value(JSONValue)
    case array([Item])
    case object([(key: String, item: Item)])
  }

  /// A finished value, or a place where one is being made.
  private enum Item {
    case value(JSONValue)
    case slot(JSONSlot)

    var value: JSONValue {
      switch self {
      case .value(let value): value
      case .slot(let slot): slot.value
      }
    }
  }

  private var content = Content.empty

  /// The encoded value; an empty object if nothing was encoded.
  var value: JSONValue {
    switch content {
    case .empty: [:]
    case .value(let value): value
    case .array(let items): .array(items.map(\.value))
    case .object(let members):
      .object(JSONObject(members.lazy.map { ($0.key, $0.item.value) }))
    }
  }

  /// How many elements the array has until now.
  var count: Int {
    if case .array(let items) = content { items.count } else { 0 }
  }

  func set(_ value: JSONValue) {
    content = .value(value)
  }

  func becomeArray() {
    if case .array = content { return }
    content = .array([])
  }

  func becomeObject() {
    if case .object = content { return }
    content = .object([])
  }

  /// Adds a finished element.
  func append(_ value: JSONValue) {
    append(.value(value))
  }

  /// A place for one more element.
  func element() -> JSONSlot {
    let slot = JSONSlot()
    append(.slot(slot))
    return slot
  }

  /// Sets a finished member.
  func set(_ value: JSONValue, forKey key: String) {
    append(.value(value), forKey: key)
  }

  /// A place for the member `key`.
  func member(_ key: String) -> JSONSlot {
    let slot = JSONSlot()
    append(.slot(slot), forKey: key)
    return slot
  }

  private func append(_ item: Item) {
    var items: [Item] = []
    if case .array(let present) = content { items = present }
    // Emptied meanwhile, so that the array isn't copied.
    content = .empty
    items.append(item)
    content = .array(items)
  }

  private func append(_ item: Item, forKey key: String) {
    var members: [(key: String, item: Item)] = []
    if case .object(let present) = content { members = present }
    content = .empty
    members.append((key, item))
    content = .object(members)
  }
}
