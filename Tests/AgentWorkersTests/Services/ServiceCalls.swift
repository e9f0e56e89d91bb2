import AgentJSON
import TestSupport

/// A call of a service, as CALL has it.
struct ServiceCall: Sendable {
  let service: String
  let method: String
  let input: [UInt8]
  /// The member whose value was replaced, if one was.
  var changed: String?

  var description: String {
    "\(service) \(method) \(String(decoding: input.prefix(500), as: UTF8.self))"
  }
}

/// Makes calls of every service by numbers that a seed gives: calls as a module makes them, on what
/// earlier calls have made, and the same with one value replaced, left out or spoiled.
struct ServiceCalls {
  private var random: SeededGenerator
  /// Ids of tasks and assignments, and of bots, that answers have named.
  private var numbers: [JSONValue] = [1]
  private var bots: [JSONValue] = ["bot-1"]
  private let extremes = Extreme.values.filter { $0.text.utf8.count < 10_000 }

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Remembers what an answer names, so that later calls concern it.
  mutating func learn(_ answer: JSONValue) {
    guard let id = answer["id"] else { return }
    if id.string != nil {
      bots = bots.suffix(20) + [id]
    } else {
      numbers = numbers.suffix(50) + [id]
    }
  }

  mutating func next() -> ServiceCall {
    let (service, method, input) = usual()
    switch random.below(10) {
    case 0..<3: return ServiceCall(service: service, method: method, input: input.bytes())
    case 3..<8: return replaced(service, method: method, input: input)
    // A wait without its time lasts a minute.
    case 8 where method != "wait_for_task":
      return ServiceCall(service: service, method: method, input: spoiled(input.bytes()))
    default:
      let service = random.pick([service, "state/1", "tasks/2", "", "\u{0}"], else: "")
      let method = random.pick([method, "", "write", "\u{0}", name()], else: "")
      return ServiceCall(
        service: service, method: method == "wait_for_task" ? "" : method, input: input.bytes())
    }
  }

  // MARK: Changes

  private mutating func replaced(
    _ service: String, method: String, input: JSONValue
  ) -> ServiceCall {
    var changed: String?
    let marked = mark(input, at: &changed)
    let text = String(decoding: marked.bytes(), as: UTF8.self)
    let value =
      random.below(200) == 0 ? "\"\(name())\"" : random.pick(extremes, else: extremes[0]).text
    return ServiceCall(
      service: service, method: method,
      input: Array(text.replacing("\"@here@\"", with: value).utf8), changed: changed)
  }

  /// The value with one part of it replaced by a mark. The time of a wait stays.
  private mutating func mark(_ value: JSONValue, at place: inout String?) -> JSONValue {
    if place != nil, random.percent(30) { return "@here@" }
    if var object = value.object, !object.isEmpty {
      let keys = object.map(\.key).filter { $0 != "wait_ms" }
      let key = random.pick(keys, else: "other")
      place = key
      object[key] = mark(object[key] ?? .null, at: &place)
      return .object(object)
    }
    if var array = value.array, !array.isEmpty {
      let index = random.below(array.count)
      array[index] = mark(array[index], at: &place)
      return .array(array)
    }
    return "@here@"
  }

  private mutating func spoiled(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    if random.percent(30) { return Array(bytes.prefix(random.below(bytes.count + 1))) }
    guard !bytes.isEmpty else { return bytes }
    for _ in 0...random.below(3) {
      bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
    }
    return bytes
  }

  // MARK: Usual calls

  private mutating func name() -> String {
    String(repeating: "n", count: 1 << random.below(18))
  }

  private mutating func key() -> JSONValue { .string("k\(random.below(40))") }
  private mutating func number() -> JSONValue { random.pick(numbers, else: 1) }
  private mutating func bot() -> JSONValue { random.pick(bots, else: "bot-1") }

  private mutating func usual() -> (service: String, method: String, input: JSONValue) {
    switch random.below(5) {
    case 0: state()
    case 1: metrics()
    case 2:
      (
        "events/1", "query",
        [
          "query": random.pick(
            ["tick", "tick n > 5", "* and not tick", "source:\"p\" text", "n:1..2", "a(("],
            else: "tick"),
          "window_ms": 1000, "limit": 10,
        ]
      )
    case 3: tasks()
    default: assignments()
    }
  }

  private mutating func state() -> (String, String, JSONValue) {
    switch random.below(6) {
    case 0: ("state/1", "get", ["keys": [key(), key()]])
    case 1: ("state/1", "list", ["prefix": "k", "after": key(), "limit": 10, "values": true])
    case 2: ("state/1", "history", ["key": key()])
    case 3: ("state/1", "limits", [:])
    default:
      (
        "state/1", "write",
        [
          "changes": [
            ["key": key(), "value": ["n": [1, "two", ["three": 3]]]],
            ["key": .string("x\(random.below(40))"), "remove": true],
            ["key": .string("y\(random.below(40))"), "expected": 0],
          ]
        ]
      )
    }
  }

  private mutating func metrics() -> (String, String, JSONValue) {
    (
      "metrics/1", "report",
      [
        "metrics": [
          ["name": .string("m\(random.below(150))"), "set": 1, "labels": ["l": key()]],
          ["name": "c_total", "add": 1, "help": "Counts."],
          ["name": "h", "observe": [0.5, 2], "bounds": [1, 2]],
          ["name": "b", "counts": [1, 2, 3], "sum": 4, "bounds": [1, 2]],
        ],
        "health": [["component": key(), "state": "degraded", "reason": "slow"]],
      ]
    )
  }

  private mutating func tasks() -> (String, String, JSONValue) {
    let id = number()
    let methods: [(String, JSONValue)] = [
      (
        "create_task",
        [
          "name": "wall", "type": "paint", "status": "queued", "input": ["red"], "priority": 5,
          "tags": ["a"], "timeout_ms": 60_000, "retries": 2, "concurrency_key": "k",
        ]
      ),
      (
        "create_task",
        ["name": "later", "type": "echo", "run_at": 1_800_000_000_000, "depends_on": [id]]
      ),
      ("create_task", ["name": "wall", "type": "paint", "status": "queued"]),
      ("get_task", ["id": id]), ("explain_task", ["id": id]),
      ("list_tasks", ["status": ["queued"], "type": "paint", "limit": 5, "sort": "created"]),
      ("wait_for_task", ["id": id, "wait_ms": 0]),
      ("execute_task", ["id": id, "data": ["a": 1]]),
      ("cancel_task", ["id": id, "force": true, "note": "no"]),
      ("get_task_logs", ["id": id, "after": 0, "limit": 10]), ("list_task_types", [:]),
    ]
    let (method, input) = random.pick(methods, else: ("list_task_types", [:]))
    return ("tasks/1", method, input)
  }

  private mutating func assignments() -> (String, String, JSONValue) {
    let (id, bot) = (number(), bot())
    let painter: JSONObject = [
      "name": .string("Painter \(random.below(20))"),
      "capabilities": [["name": "paints", "task_types": ["paint"]]],
    ]
    var update = painter
    update["id"] = bot
    let methods: [(String, JSONValue)] = [
      ("register_bot", .object(painter)), ("update_bot", .object(update)),
      ("set_bot_status", ["id": bot, "status": "online"]), ("bot_heartbeat", ["id": bot]),
      ("unregister_bot", ["id": bot]), ("list_bots", ["task_type": "paint", "limit": 5]),
      ("get_bot", ["id": bot]), ("get_bot_stats", ["id": bot]), ("get_bots_stats", [:]),
      ("get_assignment_strategy", [:]),
      ("set_assignment_strategy", ["assignment_strategy": "round_robin"]),
      ("assign_task", ["task_id": id, "bot_id": bot]), ("explain_assignment", ["id": id]),
      ("list_assignments", ["bot": bot, "task": id, "limit": 5]), ("get_assignment", ["id": id]),
      ("get_bot_assignments", ["id": bot, "wait_ms": 0, "after": 0]),
      ("accept_assignment", ["id": id, "lease_ms": 60_000]),
      ("reject_assignment", ["id": id, "reason": "busy"]),
      ("complete_assignment", ["id": id, "result": "done"]),
      (
        "assignment_heartbeat",
        ["id": id, "progress": ["percent": 5], "logs": [["stream": "stdout", "text": "t"]]]
      ),
    ]
    let (method, input) = random.pick(methods, else: ("get_bots_stats", [:]))
    return ("tasks/1", method, input)
  }
}
