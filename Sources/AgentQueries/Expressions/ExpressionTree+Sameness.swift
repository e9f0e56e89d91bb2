extension ExpressionTree {
  /// Returns whether both compute the same, wherever they are in the text.
  ///
  /// Filters and records are the same only if they are at the same place.
  func isSame(as other: ExpressionTree) -> Bool {
    switch (kind, other.kind) {
    case (.member(let left, let name), .member(let right, let otherName)):
      name == otherName && left.isSame(as: right)
    case (.unary(let left, _), .unary(let right, _)):
      left == right && Self.areSame(kind.children, other.kind.children)
    case (.binary(let left, left: _, right: _), .binary(let right, left: _, right: _)):
      left == right && Self.areSame(kind.children, other.kind.children)
    case (.element, .element), (.list, .list):
      Self.areSame(kind.children, other.kind.children)
    case (.call(let left, _), .call(let right, _)):
      left == right && Self.areSame(kind.children, other.kind.children)
    case (.aggregation(let left), .aggregation(let right)): left.isSame(as: right)
    default: kind == other.kind
    }
  }

  static func areSame(_ left: [ExpressionTree], _ right: [ExpressionTree]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
  }
}
