internal import AgentJSON
internal import AgentScheduler
internal import AgentSchedules

/// The shapes of schedules.
extension Shape {
  private static let text: JSONValue = ["type": "string"]
  private static let integer: JSONValue = ["type": "integer"]
  private static let moment: JSONValue = ["type": "integer", "description": "Unix milliseconds"]
  private static let moments: JSONValue = ["type": "array", "items": moment]
  private static let number: JSONValue = ["type": "string", "pattern": "^[1-9][0-9]{0,15}$"]

  private static func words(_ description: String, most: Int = 1_000) -> JSONValue {
    [
      "type": "string", "minLength": 1, "maxLength": JSONValue(most),
      "description": .string(description),
    ]
  }

  /// Returns the members of a definition. In an edit null removes a member.
  private static func definition(isEdit: Bool) -> JSONObject {
    var fields: JSONObject = [
      "cron": words("a cron expression of five or six fields, or @daily and the like"),
      "every": words("an interval: 15m, 1h30m"), "at": words("a date, for one run"),
      "zone": words("time zone of the schedule; UTC by default"),
      "start": words("earliest time at which it may fire: a date"),
      "end": words("time from which it may no longer fire: a date"),
      "jitter": words("longest delay of a run after its fire time: an interval"),
      "misfire": words("how missed fire times are handled: skip, once (the default), all, all:N"),
      "overlap": [
        "enum": .array(OverlapPolicy.allCases.map { .string($0.rawValue) }),
        "description": "what happens while an earlier run has not ended; skip by default",
      ],
      "description": ["type": "string", "maxLength": 10_000],
    ]
    if isEdit {
      for key in fields.keys {
        fields[key] = ["anyOf": [fields[key] ?? .null, ["type": "null"]]]
      }
    }
    return fields
  }

  private static func with(_ fields: JSONObject, isEdit: Bool = false) -> JSONObject {
    var all = definition(isEdit: isEdit)
    for (key, value) in fields { all[key] = value }
    return all
  }

  private static let name = words("name of the schedule; not a number", most: 200)

  static let newSchedule = Shape.object(
    "NewSchedule", as: "a schedule", required: ["name", "task"],
    with([
      "name": name, "task": scheduledTask.reference,
      "paused": ["type": "boolean", "description": "whether it is created paused"],
    ]), uses: [scheduledTask])

  static let scheduleEdit = Shape.object(
    "ScheduleEdit", as: "a change of a schedule",
    with(
      [
        "name": name, "task": scheduledTask.reference,
        "version": ["type": "integer", "description": "change only this version"],
      ], isEdit: true), uses: [scheduledTask]
  ).with(["minProperties": 1])

  /// The schedule of an existing task.
  static let taskSchedule = Shape.object(
    "TaskSchedule", as: "a schedule for a task",
    with([
      "cron_expression": words("the same as cron"),
      "name": words("name of the schedule; by default the task's name", most: 200),
    ]))

  static let scheduledResult = Shape.object(
    "ScheduledResult", required: ["schedule_id", "next_fire_time"],
    ["schedule_id": number, "next_fire_time": moment, "name": text])

  private static let keys = [
    "id", "name", "status", "source", "zone", "misfire", "overlap", "words", "handled", "created",
    "updated", "version",
  ]

  private static let fields: JSONObject = with([
    "id": number, "name": text, "status": ["enum": ["active", "paused", "ended"]],
    "source": ["enum": ["api", "settings"]], "task": ["type": "object"],
    "words": ["type": "string", "description": "when it fires, in words"],
    "handled": ["type": "integer", "description": "time up to which all fire times are processed"],
    "next_fire_time": moment, "created": moment, "updated": moment, "version": integer,
  ])

  static let schedule = Shape.object("Schedule", required: keys, fields)

  static let scheduleReport: Shape = {
    var fields = Shape.fields
    fields["next_fire_times"] = moments
    return .object("ScheduleReport", required: keys + ["next_fire_times"], fields)
  }()

  static let schedules = Shape.object(
    "Schedules", required: ["schedules"],
    [
      "schedules": ["type": "array", "items": schedule.reference],
      "next": ["type": "integer", "description": "value for \"after\"; absent on the last page"],
    ], uses: [schedule])

  static let scheduleFire = Shape.object(
    "ScheduleFire", required: ["schedule_id", "fire_time", "decided", "outcome"],
    [
      "schedule_id": number, "fire_time": moment, "decided": moment,
      "outcome": ["enum": .array(ScheduleOutcome.allCases.map { .string($0.rawValue) })],
      "task_id": number, "note": text,
    ])

  static let scheduleFires = Shape.object(
    "ScheduleFires", required: ["fires"],
    [
      "fires": ["type": "array", "items": scheduleFire.reference],
      "next": ["type": "integer", "description": "value for \"before\"; absent on the last page"],
    ], uses: [scheduleFire])

  static let fireTimes = Shape.object(
    "FireTimes", required: ["words", "next_fire_times"],
    ["words": text, "next_fire_times": moments])
}
