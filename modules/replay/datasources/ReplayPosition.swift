import AgentKit

/// How far a file was replayed. Kept by the host, so that a new worker goes on there.
struct ReplayPosition: Codable, Sendable, Hashable {
  /// The file, as `Recording.identity` names it.
  var file: String
  /// Where the next line begins, in bytes.
  var offset: Int64 = 0
  /// How many lines there are before it.
  var line = 0
  /// How long the replay has lasted up to the last event, in milliseconds.
  var elapsed: Double = 0
  /// When the last event was recorded.
  var last: Int64?

  init(file: String) { self.file = file }

  /// ``elapsed``, whatever somebody has written there.
  var milliseconds: Int64 { Int64(min(max(elapsed, 0), 1e15)) }

  /// Takes in the time of the next event, by the speed of the replay.
  ///
  /// It doesn't wait for events that were recorded out of order.
  /// - Parameters:
  ///   - speed: nil for as fast as it is taken.
  ///   - longest: the longest pause that counts, in milliseconds of the recording.
  mutating func advance(to time: Int64, speed: Double?, longest: Double?) {
    defer { last = max(time, last ?? time) }
    guard let last, let speed, time > last else { return }
    elapsed += min(Double(time) - Double(last), longest ?? .infinity) / speed
  }
}
