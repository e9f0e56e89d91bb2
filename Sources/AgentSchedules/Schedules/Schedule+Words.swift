extension Schedule: CustomStringConvertible {
  /// The meaning of the schedule, for people: `At 02:00 on Monday, Europe/Berlin` or `every 1 hour
  /// from 2026-01-01T00:00:00, UTC`.
  public var description: String {
    switch timing {
    case .cron(let expression): "\(expression), \(zone)"
    case .every(let interval): "\(interval) from \(zone.localTime(at: start)), \(zone)"
    case .at(let time): "once at \(zone.localTime(at: time)), \(zone)"
    }
  }
}
