import AgentKit

/// What a rule has said comes back to it where its query finds alerts or messages. Without a look
/// at that, a rule without a cooldown would answer itself for ever.
struct RuleEcho: Sendable {
  /// How many rules may stand behind one another, each about what the one before has said.
  static let most = 3

  let output: Output?

  /// Whether a row is an event that the rule, or a chain of rules, has made itself.
  func isHeard(in row: JSONObject) -> Bool {
    guard let type = row["type"]?.string else { return false }
    if type == Message.eventType { return isOwn(row["author"]) }
    return depth(row) >= Self.most
  }

  private func isOwn(_ author: JSONValue?) -> Bool {
    guard let own = output?.author, let author = author?.object else { return false }
    return author["name"]?.string == own.name && author["id"] == own.id
  }

  /// A rule puts the row that it is about among the fields of what it publishes.
  private func depth(_ row: JSONObject) -> Int {
    var depth = 0
    var inner = row
    while depth < Self.most, let next = inner["row"]?.object, inner["type"] != nil {
      inner = next
      depth += 1
    }
    return depth
  }
}
