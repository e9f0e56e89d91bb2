internal import AgentDiagnostics
internal import AgentJSON
internal import AgentWorkers

/// The shapes of the runtime's own bodies.
extension Shape {
  private static let integerOrNull: JSONValue = ["type": ["integer", "null"]]
  private static let textOrNull: JSONValue = ["type": ["string", "null"]]
  private static let text: JSONValue = ["type": "string"]
  private static let flag: JSONValue = ["type": "boolean"]
  private static let integer: JSONValue = ["type": "integer"]

  /// Returns the schema of an enumeration's words.
  private static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ type: Word.Type
  ) -> JSONValue {
    ["enum": .array(type.allCases.map { .string($0.rawValue) })]
  }

  /// Returns the shape of an object with a list in one member.
  static func list(_ name: String, _ member: String, of item: Shape) -> Shape {
    .object(
      name, required: [member], [member: ["type": "array", "items": item.reference]], uses: [item])
  }

  static let process = Shape.object(
    "Process", required: ["name", "module", "type", "enabled", "state"],
    [
      "name": text, "module": text, "type": text, "enabled": flag,
      "state": words(ProcessState.self),
      "pid": integerOrNull, "started_at": integerOrNull, "ready_at": ["type": ["number", "null"]],
      "restarts": integer, "last_exit": textOrNull, "reason": textOrNull,
      "sandbox": ["enum": ["full", "partial", "none", .null]], "sandbox_detail": textOrNull,
      "isolation": ["enum": ["worker", "host"]],
      "held": [
        "type": ["object", "null"],
        "properties": [
          "publishing_bytes": integer, "call_bytes": integer, "outbound_bytes": integer,
          "inbound_bytes": integer, "subscription_bytes": integer,
        ],
      ],
      "refused": [
        "type": ["object", "null"], "additionalProperties": integer,
        "description":
          "how often the host has refused something to the worker, by what it asked for",
      ],
    ])

  static let processes = Shape.list("Processes", "processes", of: .process)

  static let listener = Shape.object(
    "Listener", required: ["name", "address", "state"],
    [
      "name": text, "address": text, "state": words(ListenerState.self),
      "problem": textOrNull, "connections": integer, "accepted": integer, "refused": integer,
    ])

  static let status = Shape.object(
    "Status", required: ["agent", "version", "folder", "pid", "ready", "processes"],
    [
      "agent": text, "version": text, "folder": text, "pid": integer, "started_at": integer,
      "socket": text, "url": textOrNull, "ready": flag,
      "database": [
        "type": "object", "required": ["state"],
        "properties": [
          "state": words(DatabaseState.self),
          "since": integerOrNull, "problem": textOrNull,
        ],
      ],
      "processes": ["type": "array", "items": Shape.process.reference],
      "listeners": ["type": "array", "items": Shape.listener.reference],
      "held": [
        "type": "object", "description": "what the host holds in memory for clients, by part",
        "additionalProperties": [
          "type": "object", "required": ["bytes", "max_bytes"],
          "properties": ["bytes": integer, "max_bytes": integer],
        ],
      ],
      "stored": [
        "type": "object",
        "description": "what is stored of nouns with limits of bytes, at the last check",
        "additionalProperties": [
          "type": "object", "required": ["bytes", "max_bytes"],
          "properties": ["bytes": integer, "max_bytes": integer],
        ],
      ],
      "safe_mode": [
        "type": ["object", "null"], "required": ["reason", "causes"],
        "description": "why only the API runs; null outside safe mode",
        "properties": ["reason": text, "causes": ["type": "array", "items": text]],
      ],
      "change": [
        "type": ["object", "null"], "required": ["what", "since"],
        "description": "the change of the settings in progress",
        "properties": ["what": text, "since": integer],
      ],
    ], uses: [.process, .listener])

  /// The effects of a change of the settings.
  static let changes = Shape.object(
    "Changes", required: ["dry_run", "changes", "warnings"],
    [
      "dry_run": flag, "warnings": ["type": "array", "items": text],
      "changes": [
        "type": "array",
        "items": [
          "type": "object", "required": ["process", "action", "reason"],
          "properties": [
            "process": text, "reason": text, "problem": text,
            "action": ["enum": ["start", "stop", "restart", "apply", "restart_needed"]],
          ],
        ],
      ],
    ])

  /// A process to add.
  static let newProcess = Shape.object(
    "NewProcess", as: "a process", required: ["name", "type"],
    [
      "name": ["type": "string", "minLength": 1, "description": "name of the process"],
      "type": [
        "type": "string", "minLength": 1,
        "description": "type of process that an enabled module offers",
      ],
    ])

  /// A question to the logic adapters.
  static let message = Shape.object(
    "Question", as: "a message", required: ["text"],
    [
      "text": ["type": "string", "minLength": 1, "description": "the question"],
      "author": text, "room": text,
    ], open: true)

  static let answer = Shape.object(
    "Answer", required: ["text", "adapter"],
    [
      "text": textOrNull, "adapter": textOrNull, "confidence": ["type": "number"], "data": [:],
      "candidates": ["type": "array", "items": ["type": "object"]],
    ])

  /// An event, or a list of events.
  static let events = Shape(
    "NewEvents", phrase: "an event, or a list of events",
    schema: ["anyOf": [event, ["type": "array", "items": event]]])

  private static let event: JSONValue = [
    "type": "object", "required": ["type"],
    "properties": [
      "type": ["type": "string", "minLength": 1], "source": text,
      "timestamp": [
        "type": "integer", "description": "Unix milliseconds; now by default",
      ],
    ],
  ]

  static let accepted = Shape.object("Accepted", required: ["accepted"], ["accepted": integer])
}
