/// Delivers notifications, such as by e-mail, chat or telephone.
public protocol Notifier: Contribution {
  /// Delivers a notice. Throw when it could not be delivered: the host tries again according to its
  /// policy, with the same ``Notice/id``.
  func deliver(_ notice: Notice) async throws -> DeliveryReceipt
}

/// A notification to deliver.
public struct Notice: Sendable, Hashable {
  /// How much it matters.
  public typealias Severity = AgentKit.Severity

  /// Identifies the notice; a repeated delivery has the same id.
  public var id: String
  /// One line.
  public var title: String
  /// The text.
  public var text: String
  /// How much it matters.
  public var severity: Severity
  /// The recipient, in the notifier's own terms; `nil` for the one in its settings.
  public var recipient: String?

  /// Makes a notice.
  public init(
    id: String, title: String, text: String, severity: Severity = .info, recipient: String? = nil
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.severity = severity
    self.recipient = recipient
  }
}

extension Notice {
  init(_ node: JSONNode) throws(ModuleError) {
    guard let id = node["id"]?.string, let text = node["text"]?.string else {
      throw ModuleError(.invalidArgument, "A notification needs an \"id\" and a \"text\".")
    }
    self.init(
      id: id, title: node["title"]?.string ?? "", text: text,
      severity: node["severity"]?.string.flatMap(Severity.init) ?? .info,
      recipient: node["recipient"]?.string)
  }
}

/// The result of a delivery.
public struct DeliveryReceipt: Sendable, Hashable {
  /// The message's identifier in the other system, for finding it there.
  public var reference: String?

  /// Makes a receipt.
  public init(reference: String? = nil) {
    self.reference = reference
  }

  var json: JSONValue {
    var object = JSONObject()
    object["reference"] = reference.map(JSONValue.string)
    return .object(object)
  }
}
