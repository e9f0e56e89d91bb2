/// The name, kind, help and bounds that all series of a family share.
struct FamilyDescription: Sendable, Hashable {
  let name: String
  let kind: MetricKind
  let help: String
  var bounds: [Double] = []

  /// The endings that Prometheus appends to a histogram's name for its samples. Another family with
  /// such a name would clash.
  private static let derived = ["_bucket", "_count", "_sum"]

  /// Returns the name of a family that excludes this one, or `nil`. A histogram excludes families
  /// whose names are those of its samples.
  /// - Parameter kind: returns the kind of the family with a name, or `nil` if there is none.
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
  /// Rationale: the characters of a name are those of
  /// https://prometheus.io/docs/concepts/data_model. OpenMetrics requires that a counter ends with
  /// `_total`, so both text forms can be written for each family. The lengths and the number of
  /// buckets are limits of this host.
  func check() throws(MetricError) {
    guard Self.isName(name, colons: true), name.utf8.count <= 200 else {
      throw MetricError(
        .invalid,
        "\"\(name)\" isn't a valid name for a metric. Use letters, digits, _ and :, but no "
          + "digit at the beginning.")
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

  /// Checks the names, the values and the number of the labels, which are sorted by name.
  func check(_ labels: MetricLabels) throws(MetricError) {
    var last: String?
    for label in labels.pairs {
      guard Self.isName(label.name, colons: false), !label.name.hasPrefix("__"),
        !(kind == .histogram && label.name == "le")
      else {
        throw MetricError(
          .invalid,
          "\"\(label.name)\" isn't a valid name for a label of \"\(name)\". Use letters, digits and "
            + "_. Don't begin with a digit or __\(kind == .histogram ? ", and don't use le" : "").")
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
