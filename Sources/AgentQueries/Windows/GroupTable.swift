internal import AgentJSON

/// The groups of a pipe, in the order of their first rows.
struct GroupTable<Group> {
  private let key: RowKey?
  private let limit: Int
  private let memory: MemoryAccount
  private let meter: WorkMeter
  /// The size of a group without its panes and its key.
  private static var groupBytes: Int { 240 }
  private let make: (JSONValue) -> Group
  private var byKey: [JSONValue: Group] = [:]
  private(set) var all: [Group] = []

  /// - Parameters:
  ///   - key: the key of the groups. Nil means that all rows are one group, which exists from the
  ///     start.
  ///   - context: limits the number of groups and counts their size.
  init(by key: RowKey?, context: StageContext, make: @escaping (JSONValue) -> Group) {
    self.key = key
    limit = context.limits.groups
    (memory, meter) = (context.memory, context.meter)
    self.make = make
    if key == nil { all = [make(.null)] }
  }

  /// Whether rows are grouped.
  var isGrouped: Bool { key != nil }

  /// Returns the group of a row. Nil means that it exceeds the maximum number of groups.
  mutating func group(of row: JSONObject, at time: Int64) -> Group? {
    guard let key else { return all.first }
    let value = key(row, at: time, meter)
    if let group = byKey[value] { return group }
    guard all.count < limit else { return nil }
    let group = make(value)
    memory.add(Self.groupBytes + value.heldBytes)
    byKey[value] = group
    all.append(group)
    return group
  }

  /// Removes the groups for which `isEmpty` returns true.
  mutating func expire(where isEmpty: (Group) -> Bool, key: (Group) -> JSONValue) {
    guard isGrouped else { return }
    var kept: [Group] = []
    for group in all {
      if isEmpty(group) {
        let value = key(group)
        memory.add(-Self.groupBytes - value.heldBytes)
        byKey[value] = nil
      } else {
        kept.append(group)
      }
    }
    // An unchanged array isn't assigned, because its release would visit each group.
    if kept.count < all.count { all = kept }
  }
}
