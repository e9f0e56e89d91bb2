public import AgentJSON

/// Many standing filters, of which an event finds its own without asking each.
///
/// Filters are looked up by the type that they name, then by a value that they ask for
/// (`field:value`) or else a range of numbers (`field:[1 TO 2]`); those found are asked themselves.
/// A filter that names none of these is asked about every event. An event costs about as much as
/// the filters it finds, however many there are.
public struct FilterIndex<ID: Hashable & Sendable>: Sendable {
  private var entries: [FilterIndexEntry?] = []
  private var ids: [ID?] = []
  private var free: [Int] = []
  private var slots: [ID: Int] = [:]
  private var ofEveryType = FilterIndexGroup()
  private var byType: [Int: FilterIndexGroup] = [:]

  /// An index without filters.
  public init() {}

  /// How many filters there are.
  public var count: Int { slots.count }

  /// Puts a filter in; one of the same id is replaced.
  public mutating func insert(_ filter: EventFilter, id: ID) {
    remove(id)
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

  /// Takes a filter out; returns whether there was one.
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool {
    guard let slot = slots.removeValue(forKey: id), let entry = entries[slot] else { return false }
    for group in entry.groups { change(group) { $0.remove(slot) } }
    entries[slot] = nil
    ids[slot] = nil
    free.append(slot)
    return true
  }

  /// The ids of the filters that an event passes, in no particular order.
  public func matching(_ object: JSONObject) -> [ID] {
    var candidates = FilterCandidates()
    ofEveryType.candidates(for: object, into: &candidates)
    if !byType.isEmpty, let type = object["type"] {
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

  private mutating func change(_ group: Int?, _ body: (inout FilterIndexGroup) -> Void) {
    guard let group else { return body(&ofEveryType) }
    body(&byType[group, default: FilterIndexGroup()])
    if byType[group]?.isEmpty == true { byType[group] = nil }
  }
}

/// A filter of an index. A class, because it is looked at for each event and copying one is dear.
private final class FilterIndexEntry: Sendable {
  let filter: EventFilter
  /// The groups in which it is, by the hash of the type; nil for every type.
  let groups: [Int?]

  init(_ filter: EventFilter, _ groups: [Int?]) {
    self.filter = filter
    self.groups = groups
  }
}
