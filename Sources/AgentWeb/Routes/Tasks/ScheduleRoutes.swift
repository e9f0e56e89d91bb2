internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import AgentScheduler
internal import AgentStore
internal import AgentTasks
internal import HTTPTypes
internal import Hummingbird

/// Routes of schedules.
struct ScheduleRoutes {
  let host: HostApplication

  var routes: [APIRoute] { looking + times + changing + acting }

  private static let id = APIParameter.path("schedule", "the schedule, by its number or name")
  private static let limit = APIParameter.query(
    "limit", .integer(1...1000), summary: "maximum number of results; 100 by default")
  private static let count = APIParameter.query(
    "n", .integer(1...1000), summary: "number of fire times; 10 by default")
  private static let position = APIParameter.Kind.integer(0...APIParameter.maxNumber)

  // MARK: Looking

  private var looking: [APIRoute] {
    [
      APIRoute(
        .get, "schedules", operation: "list_schedules", summary: "Lists schedules by number.",
        tag: .schedules,
        for: .read,
        parameters: [
          .query(
            "status", .choice(ScheduleRow.State.allCases.map(\.rawValue)),
            summary: "only schedules in this state"),
          .query("source", .choice(["settings"]), summary: "only schedules from the settings"),
          .query("q", .text, summary: "only schedules with this text in the name"),
          .query("after", Self.position, summary: "the \"next\" of the previous page"),
          Self.limit,
        ], replies: [.ok(.schedules)]
      ) { [host] call in
        try await TaskRoutes.reply {
          let selection = ScheduleSelection(
            state: call.text("status").flatMap(ScheduleRow.State.init),
            source: call.text("source"), text: call.text("q"),
            after: Int64(call.integer("after") ?? 0), limit: call.integer("limit") ?? 100)
          let found = try await host.schedules.schedules(selection)
          var page: JSONObject = [
            "schedules": .array(found.rows.map { .object(ScheduleReport($0).json) })
          ]
          page["next"] = found.after.map { JSONValue($0) }
          return .object(page)
        }
      },
      APIRoute(
        .get, "schedules/{schedule}", operation: "get_schedule",
        summary: "Returns a schedule and its next fire times.",
        tag: .schedules, for: .read, parameters: [Self.id], replies: [.ok(.scheduleReport)]
      ) { [host] call in
        try await TaskRoutes.reply {
          let row = try await host.schedules.schedule(call.path("schedule"))
          var object = ScheduleReport(row).json
          let times = try await host.schedules.upcoming("\(row.id)", 5)
          object["next_fire_times"] = .array(times.map { JSONValue($0) })
          return .object(object)
        }
      },
    ]
  }

  // MARK: Times

  private var times: [APIRoute] {
    [
      APIRoute(
        .get, "schedules/{schedule}/fires", operation: "list_schedule_fires",
        summary: "Lists the past fire times of a schedule and their outcomes, latest first.",
        tag: .schedules, for: .read,
        parameters: [
          Self.id, .query("before", Self.position, summary: "the \"next\" of the previous page"),
          Self.limit,
        ], replies: [.ok(.scheduleFires)]
      ) { [host] call in
        try await TaskRoutes.reply {
          let limit = call.integer("limit") ?? 100
          let fires = try await host.schedules.fires(
            of: call.path("schedule"), before: call.integer("before").map(Int64.init),
            limit: limit)
          var page: JSONObject = ["fires": .array(fires.map { .object($0.json) })]
          if fires.count == limit { page["next"] = fires.last.map { JSONValue($0.time) } }
          return .object(page)
        }
      },
      APIRoute(
        .get, "schedules/{schedule}/upcoming", operation: "list_upcoming_fire_times",
        summary: "Lists the next fire times of a schedule.", tag: .schedules, for: .read,
        parameters: [Self.id, Self.count], replies: [.ok(.fireTimes)]
      ) { [host] call in
        try await TaskRoutes.reply {
          let row = try await host.schedules.schedule(call.path("schedule"))
          let times = try await host.schedules.upcoming("\(row.id)", call.integer("n") ?? 10)
          return Self.times(times, ScheduleReport(row).json["words"]?.string ?? "")
        }
      },
      APIRoute(
        .get, "schedule-preview", operation: "preview_schedule",
        summary: "Computes the next fire times of an expression without storing it.",
        tag: .schedules,
        for: .read,
        parameters: [
          .query("cron", .text, summary: "a cron expression"),
          .query("every", .text, summary: "an interval"),
          .query("at", .text, summary: "a date"),
          .query("zone", .text, summary: "a time zone; UTC by default"),
          .query("start", .text, summary: "a date"), .query("end", .text, summary: "a date"),
          Self.count,
        ], replies: [.ok(.fireTimes)]
      ) { [host] call in
        try await TaskRoutes.reply {
          var object = JSONObject()
          for key in ["cron", "every", "at", "zone", "start", "end"] {
            object[key] = call.text(key).map(JSONValue.string)
          }
          let definition = try ScheduleDefinition(json: object)
          let times = try await host.schedules.preview(definition, call.integer("n") ?? 10)
          return Self.times(times, definition.words)
        }
      },
    ]
  }

  private static func times(_ times: [Int64], _ words: String) -> JSONValue {
    ["words": .string(words), "next_fire_times": .array(times.map { JSONValue($0) })]
  }

  // MARK: Changing

  private var changing: [APIRoute] {
    [
      APIRoute(
        .post, "schedules", operation: "create_schedule",
        summary: "Creates a schedule, which creates a task at each fire time.", tag: .schedules,
        for: .operate, body: .json(.newSchedule), replies: [.json(.created, .schedule)],
        options: .repeatable
      ) { [host] call in
        try await TaskRoutes.answer {
          let draft = ScheduleDraft(
            name: call.body["name"]?.string ?? "",
            try ScheduleDefinition(json: call.body.object ?? [:]))
          let row = try await host.schedules.create(draft, by: call.authority)
          return Response(.object(ScheduleReport(row).json), status: .created)
        }
      },
      APIRoute(
        .post, "tasks/{id}/schedule", operation: "schedule_task",
        summary: "Creates a schedule that creates tasks like an existing one.", tag: .schedules,
        for: .operate, parameters: [TaskRoutes.id], body: .json(.taskSchedule),
        replies: [.json(.created, .scheduledResult)], options: .repeatable
      ) { [host] call in
        try await TaskRoutes.answer {
          var object = call.body.object ?? [:]
          object["cron"] = object["cron_expression"] ?? object["cron"]
          let row = try await host.schedules.create(
            like: call.number("id"), try ScheduleDefinition(json: object),
            named: object["name"]?.string, by: call.authority)
          return Response(
            [
              "schedule_id": .string("\(row.id)"), "name": .string(row.name),
              "next_fire_time": JSONValue(row.next ?? 0),
            ], status: .created)
        }
      },
      APIRoute(
        .patch, "schedules/{schedule}", operation: "update_schedule",
        summary: "Changes the given fields of a schedule. A null removes a field.", tag: .schedules,
        for: .operate,
        parameters: [Self.id], body: .json(.scheduleEdit), replies: [.ok(.schedule)]
      ) { [host] call in
        try await TaskRoutes.reply {
          var patch = call.body.object ?? [:]
          let version = patch["version"]?.int.map(Int64.init)
          patch["version"] = nil
          let row = try await host.schedules.edit(
            call.path("schedule"), patch, version: version, by: call.authority)
          return .object(ScheduleReport(row).json)
        }
      },
      act(.delete, "", operation: "delete_schedule", summary: "Deletes a schedule. Its tasks stay.")
      {
        scheduler, name, _ in
        try await scheduler.delete(name)
      },
    ]
  }

  // MARK: Acting

  private var acting: [APIRoute] {
    [
      act(.post, "/pause", operation: "pause_schedule", summary: "Pauses a schedule.") {
        scheduler, name, _ in
        try await scheduler.pause(name)
      },
      act(
        .post, "/resume", operation: "resume_schedule", summary: "Resumes a schedule from now on."
      ) {
        try await $0.resume($1, by: $2)
      },
      APIRoute(
        .post, "schedules/{schedule}/trigger", operation: "trigger_schedule",
        summary: "Creates a run now, in addition to the schedule's fire times.", tag: .schedules,
        for: .operate,
        parameters: [Self.id], replies: [.ok(.scheduleFire)], options: .repeatable
      ) { [host] call in
        try await TaskRoutes.reply {
          let fire = try await host.schedules.trigger(
            call.path("schedule"), by: call.authority)
          return .object(fire.json)
        }
      },
    ]
  }

  private func act(
    _ method: HTTPRequest.Method, _ verb: String, operation: String, summary: String,
    work: @escaping @Sendable (Scheduler, String, TaskAuthority) async throws -> ScheduleRow
  ) -> APIRoute {
    APIRoute(
      method, "schedules/{schedule}\(verb)", operation: operation, summary: summary,
      tag: .schedules, for: .operate,
      parameters: [Self.id], replies: [.ok(.schedule)]
    ) { [host] call in
      try await TaskRoutes.reply {
        let row = try await work(host.schedules, call.path("schedule"), call.authority)
        return .object(ScheduleReport(row).json)
      }
    }
  }
}
