/// What is said once of all series of a name.
struct FamilyDescription: Sendable, Hashable {
  let name: String
  let kind: MetricKind
  let help: String
  var bounds: [Double] = []

  /// The names that Prometheus makes of a histogram's; another family may have none of them.
  private static let derived = ["_bucket", "_count", "_sum"]

  /// The family that can't be there beside this one, because one is part of the other.
  /// - Parameter kind: of the family of a name, where there is one.
  func clash(_ kind: (String) -> MetricKind?) -> String? {
    for suffix in Self.derived {
      if self.kind == .histogram {
        if kind(name + suffix) != nil { return name + suffix }
      } else if name.hasSuffix(suffix) {
        let base = String(name.dropLast(suffix.count))
        if kind(base) == .histogram { return base }
      }
    }
    return nil
  }

  /// Checks the name and the bounds.
  ///
  /// Rationale: https://prometheus.io/docs/concepts/data_model; that a counter ends with `_total`
  /// is asked for by OpenMetrics, so that both forms can be written of the same family.
  func check() throws(MetricError) {
    guard Self.isName(name, colons: true), name.utf8.count <= 200 else {
      throw MetricError(
        .invalid,
        "\"\(name)\" is no name for a metric: letters, digits, _ and : only, no digit first.")
    }
    guard (kind == .counter) == name.hasSuffix("_total") else {
      throw MetricError(
        .invalid,
        kind == .counter
          ? "The counter \"\(name)\" must end with _total."
          : "\"\(name)\" ends with _total, which only counters do.")
    }
    guard bounds.count <= 64, bounds.allSatisfy(\.isFinite),
      zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw MetricError(
        .invalid, "The buckets of \"\(name)\" must be at most 64 finite numbers that rise.")
    }
  }

  func check(_ labels: MetricLabels) throws(MetricError) {
    var last: String?
    for label in labels.pairs {
      guard Self.isName(label.name, colons: false), !label.name.hasPrefix("__"),
        !(kind == .histogram && label.name == "le")
      else {
        throw MetricError(
          .invalid,
          "\"\(label.name)\" is no name for a label of \"\(name)\": letters, digits and _ only, no "
            + "digit first, not __ first\(kind == .histogram ? ", not le" : "").")
      }
      guard label.name != last else {
        throw MetricError(.invalid, "\"\(name)\" has the label \"\(label.name)\" twice.")
      }
      guard label.value.utf8.count <= 256 else {
        throw MetricError(
          .invalid,
          "The label \"\(label.name)\" of \"\(name)\" has a value of more than 256 bytes.")
      }
      last = label.name
    }
    guard labels.pairs.count <= 16 else {
      throw MetricError(.invalid, "\"\(name)\" has more than 16 labels.")
    }
  }

  private static func isName(_ text: String, colons: Bool) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      case UInt8(ascii: ":"): colons
      default: false
      }
    }
  }
}
