internal import AgentJSON

/// The groups of a pipe in the order in which they came.
struct GroupTable<Group> {
  private let key: RowKey?
  private let limit: Int
  private let memory: MemoryAccount
  /// What a group costs beside its panes and its key.
  private static var groupBytes: Int { 240 }
  private let make: (JSONValue) -> Group
  private var byKey: [JSONValue: Group] = [:]
  private(set) var all: [Group] = []

  /// - Parameters:
  ///   - key: by what rows are grouped; nil where all are one group, which is there at once.
  ///   - context: says how many groups there may be, and counts what they cost.
  init(by key: RowKey?, context: StageContext, make: @escaping (JSONValue) -> Group) {
    self.key = key
    limit = context.limits.groups
    memory = context.memory
    self.make = make
    if key == nil { all = [make(.null)] }
  }

  /// Whether rows are grouped.
  var isGrouped: Bool { key != nil }

  /// The group of a row; nil where it would be one too many.
  mutating func group(of row: JSONObject, at time: Int64) -> Group? {
    guard let key else { return all.first }
    let value = key(row, at: time)
    if let group = byKey[value] { return group }
    guard all.count < limit else { return nil }
    let group = make(value)
    memory.add(Self.groupBytes + value.heldBytes)
    byKey[value] = group
    all.append(group)
    return group
  }

  /// Forgets the groups for which `isEmpty` is true.
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
    if kept.count < all.count { all = kept }
  }
}
