internal import AgentJSON

/// The groups of a pipe in the order in which they came.
struct GroupTable<Group> {
  private let key: RowKey?
  private let limit: Int
  private let make: (JSONValue) -> Group
  private var byKey: [JSONValue: Group] = [:]
  private(set) var all: [Group] = []

  /// - Parameters:
  ///   - key: by what rows are grouped; nil where all are one group, which is there at once.
  ///   - limit: how many groups there may be.
  init(by key: RowKey?, limit: Int, make: @escaping (JSONValue) -> Group) {
    self.key = key
    self.limit = limit
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
    byKey[value] = group
    all.append(group)
    return group
  }

  /// Forgets the groups for which `isEmpty` is true.
  mutating func expire(where isEmpty: (Group) -> Bool, key: (Group) -> JSONValue) {
    guard isGrouped else { return }
    for group in all where isEmpty(group) { byKey[key(group)] = nil }
    all.removeAll(where: isEmpty)
  }
}
