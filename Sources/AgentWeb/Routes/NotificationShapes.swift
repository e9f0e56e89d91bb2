internal import AgentJSON

/// The shapes of alerts, deliveries and notifiers.
extension Shape {
  private static let text: JSONValue = ["type": "string"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let severity: JSONValue = ["enum": ["info", "warning", "critical"]]

  /// Returns the shape of a list with the begin of the next page.
  static func page(_ name: String, _ member: String, of item: Shape) -> Shape {
    .object(
      name, required: [member],
      [
        member: ["type": "array", "items": item.reference],
        "next": ["type": "string", "description": "value for \"before\"; absent on the last page"],
      ], uses: [item])
  }

  private static let alertFields: JSONObject = [
    "id": integer, "rule": text, "state": ["enum": ["open", "acknowledged", "resolved"]],
    "severity": severity, "title": text, "text": text, "count": integer, "opened": integer,
    "updated": integer, "notified": integer, "due": integer, "closed": integer,
  ]

  private static let alertKeys = [
    "id", "rule", "state", "severity", "title", "text", "count", "opened", "updated",
  ]

  static let alert = Shape.object("Alert", required: alertKeys, alertFields)

  static let alertReport: Shape = {
    var fields = alertFields
    fields["event"] = ["type": "object"]
    fields["link"] = text
    fields["history"] = [
      "type": "array",
      "items": [
        "type": "object", "required": ["timestamp", "what", "actor", "note"],
        "properties": ["timestamp": integer, "what": text, "actor": text, "note": text],
      ],
    ]
    fields["deliveries"] = ["type": "array", "items": Shape.delivery.reference]
    return .object(
      "AlertReport", required: alertKeys + ["event", "history", "deliveries"], fields,
      uses: [.delivery])
  }()

  static let alertNote = Shape.object(
    "AlertNote", as: "a note",
    ["note": ["type": "string", "maxLength": 10_000, "description": "a note for others"]])

  static let delivery = Shape.object(
    "Delivery",
    required: ["id", "notice", "notifier", "kind", "state", "attempts", "created", "updated"],
    [
      "id": integer, "notice": text, "notifier": text, "alert": integer, "attempts": integer,
      "kind": ["enum": ["opened", "escalated", "repeated", "resolved", "test"]],
      "state": ["enum": ["queued", "sending", "delivered", "failed", "given_up"]],
      "created": integer, "updated": integer, "next": integer, "error": text, "title": text,
    ])

  static let notifier = Shape.object(
    "Notifier", required: ["name", "type", "target", "rules", "deliveries"],
    [
      "name": text, "target": text, "rules": ["type": "array", "items": text],
      "type": ["enum": ["log", "console", "webhook", "command", "module"]],
      "deliveries": ["type": "object", "additionalProperties": integer],
    ])
}
