internal import AgentAssignment
internal import AgentJSON

/// Counts the registered bots of each owner, and the bytes of their definitions. The limits protect
/// the memory of the host, which keeps all definitions.
struct BotShares {
  /// The bots and bytes of one owner.
  struct Share: Hashable {
    var bots = 0
    var bytes = 0
  }

  private(set) var total = 0
  private var shares: [String: Share] = [:]

  /// The share of an owner. Nil stands for the host.
  subscript(owner: String?) -> Share { shares[owner ?? ""] ?? Share() }

  /// Counts a new bot whose definition has this many bytes.
  mutating func add(_ bytes: Int, of owner: String?) {
    total += 1
    let share = self[owner]
    shares[owner ?? ""] = Share(bots: share.bots + 1, bytes: share.bytes + bytes)
  }

  /// Stops counting a bot whose definition has this many bytes.
  mutating func remove(_ bytes: Int, of owner: String?) {
    total -= 1
    let share = self[owner]
    put(Share(bots: share.bots - 1, bytes: share.bytes - bytes), of: owner)
  }

  /// Bytes by which a definition will grow.
  struct Growth {
    let owner: String?
    let bytes: Int
  }

  /// Counts bytes that no definition has yet.
  mutating func reserve(_ growth: Growth) { change(0, to: growth.bytes, of: growth.owner) }

  /// Stops counting reserved bytes.
  mutating func release(_ growth: Growth) { change(growth.bytes, to: 0, of: growth.owner) }

  /// Counts another size of a bot's definition.
  mutating func change(_ former: Int, to bytes: Int, of owner: String?) {
    let share = self[owner]
    put(Share(bots: share.bots, bytes: share.bytes - former + bytes), of: owner)
  }

  private mutating func put(_ share: Share, of owner: String?) {
    // Otherwise the dictionary would keep an entry for every former owner.
    shares[owner ?? ""] = share == Share() ? nil : share
  }
}

extension BotDefinition {
  /// The size of the definition as JSON.
  var bytes: Int { JSONValue.object(json).bytes().count }

  /// The size of the metadata and the contact as JSON.
  var dataBytes: Int {
    JSONValue.object(metadata).bytes().count + JSONValue.object(contactInfo).bytes().count
  }

  /// Removes the metadata and the contact if they exceed the limit. Former versions had no limit.
  /// - Returns: whether they were removed.
  mutating func dropLargeData() -> Bool {
    guard dataBytes > BotPlan.maxDataBytes else { return false }
    // `user` decides who owns the inbox. Without it, the bot's name would decide.
    let user = metadata["user"]?.string.map { $0.utf8.count <= 1_000 ? $0 : "" }
    (metadata, contactInfo) = ([:], [:])
    metadata["user"] = user.map(JSONValue.string)
    return true
  }
}
