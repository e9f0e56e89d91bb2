internal import AgentJSON
internal import AgentSchedules
internal import AgentSystem
internal import ArgumentParser
internal import NIOHTTP1

/// Shows the next fire times of an expression or of a schedule.
struct ScheduleNext: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Show the next fire times of an expression or a schedule.",
    discussion: """
      An expression is a cron expression, an interval from now or a date, and needs no agent. Any \
      other text is the name of a schedule of the running agent.

      Example: agent schedule next "0 2 * * *" --zone Europe/Berlin
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: "An expression, or a schedule's number or name.")
  var expression: String

  @Option(help: "The time zone.")
  var zone = "UTC"

  @Option(name: [.customShort("n"), .long], help: "Number of fire times, 1 to 1000.")
  var count = 10

  func run() async throws {
    guard (1...1000).contains(count) else {
      throw Failure("--count must be a number from 1 to 1000; found \(count).", exit: .usage)
    }
    let rules: TimeZoneRules
    do {
      rules = try TimeZoneDatabase().zone(named: zone)
    } catch {
      throw Failure("--zone: \(error)", exit: .usage)
    }
    if let schedule = try schedule(in: rules) {
      let times = schedule.upcoming(count, after: Timestamp.now())
      show("\(schedule)", times, in: rules)
      return
    }
    let path = "schedules/\(HostClient.escaped(expression))/upcoming?n=\(count)"
    let answer = try await common.runningHost().request(.GET, path)
    let times = answer["next_fire_times"]?.array?.compactMap { $0.int.map(Int64.init) } ?? []
    show(answer["words"]?.string ?? "", times, in: rules)
  }

  /// Returns the schedule that the words describe. Nil means that they are a schedule's name.
  private func schedule(in rules: TimeZoneRules) throws -> Schedule? {
    let now = Timestamp.now()
    if let interval = try? Interval(expression) {
      return try Schedule(id: "", timing: .every(interval), zone: rules, start: now)
    }
    if let date = try? ScheduleDate(expression) {
      return try Schedule(id: "", timing: .at(date.time(in: rules)), zone: rules)
    }
    do throws(CronError) {
      let cron = try CronExpression(expression)
      return try? Schedule(id: "", timing: .cron(cron), zone: rules)
    } catch {
      let isCron = expression.hasPrefix("@") || expression.split(separator: " ").count >= 4
      if isCron { throw Failure("\(error)", exit: .usage) }
      return nil
    }
  }

  private func show(_ words: String, _ times: [Int64], in rules: TimeZoneRules) {
    let answer: JSONValue = [
      "words": .string(words), "next_fire_times": .array(times.map { JSONValue($0) }),
    ]
    common.show(answer) { _ in
      let lines = times.map { time in
        let offset = rules.offset(at: time)
        let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
        let zone = offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + two(hours) + ":" + two(minutes)
        return "  \(rules.localTime(at: time))\(zone)"
      }
      return ([words] + (lines.isEmpty ? ["  never again"] : lines)).joined(separator: "\n")
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
