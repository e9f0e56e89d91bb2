internal import AgentJSON

/// What every event that passes a filter has for certain: what an index may look up.
///
/// Necessary, not sufficient: an event that meets them may still not pass.
public struct FilterRequirements: Sendable, Hashable {
  /// A field that has one of a few values.
  public struct Equality: Sendable, Hashable {
    /// The field's name; dots lead into nested objects where no member has the dotted name.
    public let field: String
    /// The values in lower case, one of which the field equals as `field:value` does: text in any
    /// case, a number however it is written, or one of a list's elements.
    public let values: Set<String>
  }

  /// A field that is a number between two others, or a list with such an element.
  public struct Between: Sendable, Hashable {
    /// The field's name, as in ``Equality/field``.
    public let field: String
    /// The least number, rounded to the nearest double; infinite where the range is open.
    public let lower: Double
    /// The greatest number, rounded to the nearest double; infinite where the range is open.
    public let upper: Double
    /// Whether a text that writes such a number will do.
    public let isText: Bool
  }

  /// The types in lower case, one of which the event has; nil where every type may pass.
  public let types: Set<String>?
  /// What the other fields equal; all of them hold.
  public let equalities: [Equality]
  /// The ranges of numbers in which fields are; all of them hold.
  public let ranges: [Between]
  /// Whether every event of one of ``types``, or of any where that is nil, passes: nothing else is
  /// asked.
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

  /// Values by field, of which each field must have one.
  private static func needs(of tree: FilterTree) -> [String: Set<String>] {
    switch tree.kind {
    case .everything, .not: return [:]
    case .term(let term): return needs(of: term)
    case .all(let parts):
      // Both of two sets must be met; a list may meet them with different elements, so they aren't
      // intersected: the smaller one alone is as necessary.
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
