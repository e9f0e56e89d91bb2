/// A place for a value that is being encoded. A class, because Codable lets several containers
/// write to one place.
final class JSONSlot {
  private enum Content {
    case empty
    case value(JSONValue)
    case array([JSONSlot])
    case object([(key: String, slot: JSONSlot)])
  }

  private var content = Content.empty

  /// What was encoded here; nil if nothing was.
  var value: JSONValue? {
    switch content {
    case .empty: nil
    case .value(let value): value
    case .array(let slots): .array(slots.map { $0.value ?? [:] })
    case .object(let members):
      .object(JSONObject(members.lazy.map { ($0.key, $0.slot.value ?? [:]) }))
    }
  }

  /// Whether nothing was encoded here.
  var isEmpty: Bool {
    if case .empty = content { true } else { false }
  }

  /// How many elements an array has so far.
  var count: Int {
    if case .array(let slots) = content { slots.count } else { 0 }
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

  /// A place for one more element.
  func element() -> JSONSlot {
    let slot = JSONSlot()
    guard case .array(var slots) = content else {
      content = .array([slot])
      return slot
    }
    content = .empty
    slots.append(slot)
    content = .array(slots)
    return slot
  }

  /// A place for the member `key`.
  func member(_ key: String) -> JSONSlot {
    let slot = JSONSlot()
    guard case .object(var members) = content else {
      content = .object([(key, slot)])
      return slot
    }
    // Emptied meanwhile, so that the array isn't copied.
    content = .empty
    members.append((key, slot))
    content = .object(members)
    return slot
  }
}
