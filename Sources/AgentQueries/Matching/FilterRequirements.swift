internal import AgentJSON

/// The properties of every event that matches a filter. An index uses them for look-ups.
///
/// They are necessary and not sufficient. An event with all of them may still not match.
public struct FilterRequirements: Sendable, Hashable {
  /// A field with one of several values.
  public struct Equality: Sendable, Hashable {
    /// The field's name. Dots lead into nested objects if no member has the dotted name.
    public let field: String
    /// The values in lower case. The field equals one of them by the rule of `field:value`: a text
    /// in any case, a number in any form, or an element of a list.
    public let values: Set<String>
  }

  /// A field with a number within a range, or a list with such an element.
  public struct Between: Sendable, Hashable {
    /// The field's name, as in ``Equality/field``.
    public let field: String
    /// The least number, rounded to the nearest double. It is infinite for an open range.
    public let lower: Double
    /// The greatest number, rounded to the nearest double. It is infinite for an open range.
    public let upper: Double
    /// Whether a text with such a number matches too.
    public let isText: Bool
  }

  /// The types in lower case, one of which the event has. Nil means every type.
  public let types: Set<String>?
  /// The equalities of other fields. All of them are required.
  public let equalities: [Equality]
  /// The ranges of numeric fields. All of them are required.
  public let ranges: [Between]
  /// Whether every event of ``types`` matches. The filter then has no further conditions.
  public let areTypesAlone: Bool

  init(_ tree: FilterTree) {
    var needs = Self.needs(of: tree)
    types = needs.removeValue(forKey: "type")
    equalities = needs.map { Equality(field: $0.key, values: $0.value) }
      .sorted { ($0.values.count, $0.field) < ($1.values.count, $1.field) }
    ranges = Self.ranges(of: tree)
    areTypesAlone = Self.asksForTypesAlone(tree)
  }

  private static func asksForTypesAlone(_ tree: FilterTree) -> Bool {
    switch tree.kind {
    case .everything: true
    case .term(let term): isType(term)
    case .any(let parts): parts.allSatisfy(asksForTypesAlone)
    case .all, .not: false
    }
  }

  private static func isType(_ term: FilterTerm) -> Bool {
    guard term.field == "type", !term.isNumber, case .equal = term.match else { return false }
    return true
  }

  private static func ranges(of tree: FilterTree) -> [Between] {
    switch tree.kind {
    case .all(let parts): return parts.flatMap(ranges)
    case .term(let term):
      guard case .between(.numbers(let lower, let upper)) = term.match else { return [] }
      return [
        Between(
          field: term.field, lower: lower?.double ?? -.infinity, upper: upper?.double ?? .infinity,
          isText: term.isNumber)
      ]
    case .everything, .any, .not: return []
    }
  }

  /// Returns the values by field, one of which each field must have.
  private static func needs(of tree: FilterTree) -> [String: Set<String>] {
    switch tree.kind {
    case .everything, .not: return [:]
    case .term(let term): return needs(of: term)
    case .all(let parts):
      // Both of two sets are required. A list may satisfy them with different elements, so their
      // intersection would be wrong. The smaller set alone is also necessary.
      return parts.reduce(into: [:]) { result, part in
        result.merge(needs(of: part)) { $0.count <= $1.count ? $0 : $1 }
      }
    case .any(let parts):
      var common = parts.first.map(needs) ?? [:]
      for part in parts.dropFirst() {
        let other = needs(of: part)
        common = common.reduce(into: [:]) { result, need in
          if let values = other[need.key] { result[need.key] = need.value.union(values) }
        }
      }
      return common
    }
  }

  private static func needs(of term: FilterTerm) -> [String: Set<String>] {
    switch term.match {
    // `field#:5` also accepts the text "5.0", which isn't equal to "5".
    case .equal(let value) where !term.isNumber: [term.field: [value.lowercased()]]
    case .exact(let value) where !term.isNumber: [term.field: [value.lowercased()]]
    case .exists, .equal, .exact, .like, .between, .near: [:]
    }
  }
}
