import AgentKit

/// The settings of a replay, as the manifest describes them.
struct ReplaySettings: Decodable, Sendable {
  /// How fast it goes.
  enum Speed: Decodable, Sendable {
    case times(Double)
    case greatest

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self = (try? value.decode(Double.self)).map { .times($0) } ?? .greatest
    }

    /// How many times as fast as it was recorded; nil for as fast as it is taken.
    var factor: Double? {
      if case .times(let factor) = self { factor } else { nil }
    }
  }

  /// What becomes of recorded times.
  enum Timestamps: String, Decodable, Sendable {
    case shift, keep
  }

  var file: String
  var speed: Speed
  var loops: Bool
  var from: Int64?
  var until: Int64?
  var longestGap: Double?
  var eventType: String?
  var timestampField: String
  var timestamps: Timestamps
  var resumes: Bool

  enum CodingKeys: String, CodingKey {
    case file, speed, from, until, timestamps
    case loops = "loop"
    case longestGap = "max_gap_seconds"
    case eventType = "event_type"
    case timestampField = "timestamp_field"
    case resumes = "resume"
  }
}
