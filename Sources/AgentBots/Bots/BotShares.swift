internal import AgentAssignment
internal import AgentJSON

/// How many bots each owner has registered, and the bytes of their definitions: the host keeps all
/// of them in memory, also after its next start.
struct BotShares {
  /// What one owner has.
  struct Share: Hashable {
    var bots = 0
    var bytes = 0
  }

  private(set) var total = 0
  private var shares: [String: Share] = [:]

  /// What an owner has registered; nil is the host.
  subscript(owner: String?) -> Share { shares[owner ?? ""] ?? Share() }

  /// Counts a bot of this many bytes.
  mutating func add(_ bytes: Int, of owner: String?) {
    total += 1
    let share = self[owner]
    shares[owner ?? ""] = Share(bots: share.bots + 1, bytes: share.bytes + bytes)
  }

  /// Counts a bot no more.
  mutating func remove(_ bytes: Int, of owner: String?) {
    total -= 1
    let share = self[owner]
    let rest = Share(bots: share.bots - 1, bytes: share.bytes - bytes)
    // An entry for every owner that there ever was would stay for good.
    shares[owner ?? ""] = rest.bots > 0 ? rest : nil
  }

  /// Counts a bot with another definition.
  mutating func change(_ former: Int, to bytes: Int, of owner: String?) {
    let share = self[owner]
    shares[owner ?? ""] = Share(bots: share.bots, bytes: share.bytes - former + bytes)
  }
}

extension BotDefinition {
  /// The bytes of the definition as JSON.
  var bytes: Int { JSONValue.object(json).bytes().count }

  /// The bytes of what its owner keeps with it.
  var dataBytes: Int {
    JSONValue.object(metadata).bytes().count + JSONValue.object(contactInfo).bytes().count
  }

  /// Leaves out data that a former version took and this one wouldn't.
  /// - Returns: whether there was too much.
  mutating func dropLargeData() -> Bool {
    guard dataBytes > BotPlan.maxDataBytes else { return false }
    // Whose inbox it is: without it, the bot would be that of the person of its name.
    let user = metadata["user"]?.string.map { $0.utf8.count <= 1_000 ? $0 : "" }
    (metadata, contactInfo) = ([:], [:])
    metadata["user"] = user.map(JSONValue.string)
    return true
  }
}
