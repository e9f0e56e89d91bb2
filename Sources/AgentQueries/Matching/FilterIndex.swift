public import AgentJSON

/// An index of many filters. It finds the filters that match an event without a test of each.
///
/// Filters are found by the type that they name, then by a value that they require (`field:value`)
/// or by a range of numbers (`field:[1 TO 2]`). Only the filters found are tested. A filter without
/// any of these is tested for every event. The cost of an event grows with the filters that it
/// finds, not with the number of all filters.
public struct FilterIndex<ID: Hashable & Sendable>: Sendable {
  private var entries: [FilterIndexEntry?] = []
  private var ids: [ID?] = []
  private var free: [Int] = []
  private var slots: [ID: Int] = [:]
  private var ofEveryType = FilterIndexGroup()
  private var byType: [Int: FilterIndexGroup] = [:]

  public init() {}

  /// The number of filters.
  public var count: Int { slots.count }

  /// Inserts a filter. It replaces one with the same id.
  public mutating func insert(_ filter: EventFilter, id: ID) {
    remove(id)
    // A free slot is used again, so that the arrays don't grow with each change of a subscription.
    let slot = free.popLast() ?? entries.count
    let types = filter.requirements.types
    let hashes = types.map { Set($0.flatMap(FilterCandidates.hashes(ofWanted:))) }
    let groups: [Int?] = hashes.map(Array.init) ?? [nil]
    if slot == entries.count {
      entries.append(nil)
      ids.append(nil)
    }
    entries[slot] = FilterIndexEntry(filter, groups)
    ids[slot] = id
    slots[id] = slot
    for group in groups {
      change(group) { $0.insert(slot, filter.requirements) }
    }
  }

  /// Removes a filter. Returns whether it was there.
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    guard let slot = slots.removeValue(forKey: id), let entry = entries[slot] else { return false }
    for group in entry.groups { change(group) { $0.remove(slot) } }
    entries[slot] = nil
    ids[slot] = nil
    free.append(slot)
    return true
  }

  /// Returns the ids of the filters that match an event, in any order.
  public func matching(_ object: JSONObject) -> [ID] {
    var candidates = FilterCandidates()
    ofEveryType.candidates(for: object, into: &candidates)
    if !byType.isEmpty, let type = object["type"] {
      // A list of types can find the same filter by several of them.
      if case .array = type { candidates.mayRepeat = true }
      FilterCandidates.forEachHash(of: type) { hash in
        byType[hash]?.candidates(for: object, into: &candidates)
      }
    }
    if candidates.mayRepeat { candidates.removeRepeated() }
    var found: [ID] = []
    for slot in candidates.slots {
      if entries[slot]?.filter.matches(object) == true, let id = ids[slot] { found.append(id) }
    }
    return found
  }

  /// Whether some filter may match an event of this type, whatever else the event has.
  public func mayMatch(type: String) -> Bool {
    if !ofEveryType.isEmpty { return true }
    var isFound = false
    FilterCandidates.forEachHash(of: .string(type)) { isFound = isFound || byType[$0] != nil }
    return isFound
  }

  private mutating func change(_ group: Int?, _ body: (inout FilterIndexGroup) -> Void) {
    guard let group else { return body(&ofEveryType) }
    body(&byType[group, default: FilterIndexGroup()])
    if byType[group]?.isEmpty == true { byType[group] = nil }
  }
}

/// A filter of an index. It is a class, because it is read for each event and a copy would be
/// expensive.
private final class FilterIndexEntry: Sendable {
  let filter: EventFilter
  /// The groups that hold it, by the hash of the type. Nil stands for every type.
  let groups: [Int?]

  init(_ filter: EventFilter, _ groups: [Int?]) {
    self.filter = filter
    self.groups = groups
  }
}
