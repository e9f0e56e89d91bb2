internal import AgentJSON
internal import AgentStore
internal import AgentText

/// A notice before it has a number.
struct NoticeDraft {
  let kind: NoticeKind
  let title: String
  let text: String
  let severity: String
  var alert: JSONObject?
  var event: JSONObject?
  var link: String?
  let agent: String

  /// Queues it for a notifier.
  /// - Returns: the delivery's number.
  @discardableResult
  func queue(
    for notifier: String, alert id: Int64?, in deliveries: any DeliveryStorage, at now: Int64,
    notBefore moment: Int64
  ) throws(StoreError) -> Int64 {
    let key = Self.key()
    return try deliveries.insert(
      DeliveryRow(
        key: key, alert: id, notifier: notifier, kind: kind.rawValue, next: moment, created: now,
        updated: now, notice: JSONValue.object(object(key, now)).bytes()))
  }

  private func object(_ key: String, _ now: Int64) -> JSONObject {
    var object: JSONObject = [
      "id": .string(key), "kind": .string(kind.rawValue), "title": .string(title),
      "text": .string(text), "severity": .string(severity), "timestamp": JSONValue(now),
      "agent": .string(agent),
    ]
    object["link"] = link.map { .string($0) }
    object["alert"] = alert.map { .object($0) }
    object["event"] = event.map { .object($0) }
    return object
  }

  /// 128 random bits.
  private static func key() -> String {
    let halves = (0..<2).map { _ in Hexadecimal.text(UInt64.random(in: 0...UInt64.max)) }
    return "ntc_" + halves.joined()
  }
}
