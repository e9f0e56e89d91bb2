import AgentJSON
import AgentModules
import AgentSettings
import Testing

/// `notifications`: rules and notifiers.
@Suite struct NotificationSettingsTests {
  private func load(_ rule: String, notifiers: String = "{}") throws -> SettingsResult {
    try SettingsFixture().load(
      """
      {"notifications": {"notifiers": \(notifiers), "rules": [
      \(rule)]}}
      """, strict: false)
  }

  private static func problems(_ result: SettingsResult) -> [String] {
    result.problems.map(\.description)
  }

  @Test func `an omitted member has the schema's default`() throws {
    let result = try load(#"{"name": "a", "when": {"event": "alert"}, "to": ["log"]}"#)
    let settings = try #require(result.settings?.notifications)
    #expect(settings.keepDays == 90 && settings.notifiers == [])
    let rule = try #require(settings.rules.first)
    #expect(rule.when == .event("alert") && rule.until == nil && rule.to == ["log"])
    #expect(rule.group == ["source", "key"] && rule.groupWaitMs == 0 && rule.repeatMs == nil)
    #expect(rule.severity == .init() && rule.quietHours == nil)
    func value(_ path: String) throws -> JSONValue? {
      result.composedSchema.value(at: try JSONPointer("/$defs/\(path)/default"))
    }
    #expect(try value("rule/properties/group") == .array(rule.group.map { .string($0) }))
    #expect(try value("severity_source/properties/least")?.string == rule.severity.least)
    #expect(try value("severity_source/properties/field")?.string == rule.severity.field)
    #expect(try value("severity_source/properties/default")?.string == rule.severity.fallback)
    let plain = NotifierSettings(name: "n", kind: .command(["x"], environment: [:]))
    #expect(try value("notifier/properties/attempts")?.int == plain.attempts)
    #expect(try value("notifier/properties/concurrency")?.int == plain.concurrency)
    #expect(try value("notifier/properties/timeout")?.string == "\(plain.timeoutMs / 1000)s")
    #expect(try SettingsFixture().load("{}").settings?.notifications == NotificationSettings())
  }

  @Test func `every given member is taken`() throws {
    let result = try load(
      """
      {"name": "a", "when": {"query": "reading => count() every minute"},
       "until": {"event": "up"}, "to": ["webhook:ops", "pager"], "repeat": "30m",
       "severity": {"least": "warning", "field": "level", "map": {"error": "critical"},
                    "default": "info"},
       "quiet_hours": {"from": "22:00", "to": "07:30", "except": "critical"},
       "group": ["source", "type"], "group_wait": "1500ms",
       "template": {"title": "{process}", "text": "{error} {link}"}}
      """,
      notifiers: """
        {"ops": {"type": "webhook", "url": "https://example.org/x", "secret": "${secret:HOOK}",
          "headers": {"X-A": "b"}, "allow_private": true, "redirects": 3, "timeout": "2s",
          "attempts": 4, "backoff": {"initial": "1s", "max": "1m"}, "concurrency": 1},
         "pager": {"type": "command", "command": ["/bin/page", "-v"], "environment": {"A": "b"}}}
        """)
    #expect(Self.problems(result).allSatisfy { $0.contains("HOOK isn't set") })
    let settings = try #require(result.settings?.notifications)
    let rule = try #require(settings.rules.first)
    #expect(rule.when == .query("reading => count() every minute") && rule.until == .event("up"))
    #expect(rule.to == ["ops", "pager"] && rule.repeatMs == 1_800_000 && rule.groupWaitMs == 1500)
    #expect(rule.severity.map == ["error": "critical"] && rule.severity.fallback == "info")
    #expect(rule.quietHours?.from == 1320 && rule.quietHours?.to == 450)
    #expect(rule.quietHours?.timeZone == "UTC" && rule.quietHours?.except == "critical")
    #expect(rule.group == ["source", "type"] && rule.title == "{process}")
    let ops = try #require(settings.notifiers.first)
    #expect(ops.timeoutMs == 2000 && ops.attempts == 4 && ops.concurrency == 1)
    #expect(ops.initialBackoffMs == 1000 && ops.maxBackoffMs == 60_000)
    guard case .webhook(let webhook) = ops.kind else { throw CancellationError() }
    #expect(webhook.allowsPrivate && webhook.redirects == 3 && webhook.headers == ["X-A": "b"])
    #expect(
      settings.notifiers.last?.kind == .command(["/bin/page", "-v"], environment: ["A": "b"]))
  }

  @Test(arguments: [
    (
      #"{"name": "a", "when": {"query": "* => count("}, "to": ["log"]}"#,
      "2:33: notifications.rules[0].when.query: at 1:"
    ),
    (#"{"name": "a", "when": {"event": "a => b"}, "to": ["log"]}"#, "when.event: at 1:"),
    (#"{"name": "a", "when": {}, "to": ["log"]}"#, "write either an \"event\" or a \"query\""),
    (
      #"{"name": "a", "when": {"event": "x"}, "to": ["consol"]}"#,
      "there is no notifier \"consol\". Did you mean \"console\"?"
    ),
    (
      #"{"name": "a", "when": {"event": "x"}, "to": ["talk/mail"]}"#,
      "no enabled module offers a notifier \"talk/mail\"."
    ),
    (
      #"{"name": "a", "when": {"event": "x"}, "to": ["log"], "repeat": "30 minutes"}"#,
      "a length of time is a number and a unit"
    ),
    (
      #"{"name": "a", "when": {"event": "x"}, "to": ["log"], "severity": "high"}"#, "severity"
    ),
    (
      #"{"name": "a", "when": {"event": "x"}, "to": ["log"], "template": {"title": "{a"}}"#,
      "template.title: {a has no }. Write {{ for the sign itself."
    ),
    (
      """
      {"name": "a", "when": {"event": "x"}, "to": ["log"],
       "quiet_hours": {"from": "25:00", "to": "07:00"}}
      """, "a time of day has the form HH:MM"
    ),
    (
      """
      {"name": "a", "when": {"event": "x"}, "to": ["log"],
       "quiet_hours": {"from": "22:00", "to": "22:00"}}
      """, "the quiet hours begin and end at the same time"
    ),
    (
      """
      {"name": "a", "when": {"event": "x"}, "to": ["log"],
       "quiet_hours": {"from": "22:00", "to": "07:00", "time_zone": "../Berlin"}}
      """, "this machine knows no time zone \"../Berlin\""
    ),
    (
      """
      {"name": "a", "when": {"event": "x"}, "to": ["log"]},
      {"name": "a", "when": {"event": "y"}, "to": ["log"]}
      """, "there is a rule \"a\" already"
    ),
  ])
  func `a mistake in a rule is reported with its place`(_ rule: String, message: String) throws {
    let result = try load(rule)
    #expect(result.settings == nil)
    let problems = Self.problems(result)
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test(arguments: [
    (#"{"a": {"type": "webhook"}}"#, "notifications.notifiers.a: missing key \"url\""),
    (#"{"a": {"type": "webhook", "url": "ftp://x"}}"#, "expected an address such as"),
    (#"{"a": {"type": "webhook", "url": "http://u:p@x"}}"#, "Put it into \"headers\""),
    (#"{"a": {"type": "command"}}"#, "notifications.notifiers.a: missing key \"command\""),
    (#"{"a": {"type": "webhok", "url": "http://x"}}"#, "notifications.notifiers.a.type"),
    (#"{"log": {"type": "command", "command": ["x"]}}"#, "\"log\" is built in"),
    (
      #"{"a": {"type": "module", "notifier": "x/y"}}"#,
      "no enabled module offers a notifier \"x/y\""
    ),
    (#"{"a": {"type": "command", "command": ["x"], "redirects": 4}}"#, "redirects"),
  ])
  func `a mistake in a notifier is reported with its place`(
    _ notifiers: String, message: String
  ) throws {
    let problems = Self.problems(try load("", notifiers: notifiers))
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test func `notifiers' secrets are known, however they are written`() throws {
    let result = try load(
      "",
      notifiers: """
        {"a": {"type": "webhook", "url": "https://example.org/", "secret": "hush-hush",
               "headers": {"Authorization": "Bearer letmein"}}}
        """)
    let redactor = try #require(result.settings?.redactor)
    #expect(redactor.redact("hush-hush Bearer letmein") == "[secret] [secret]")
  }
}
