import AgentJSON

extension FastLowering {
  mutating func addBound(
    _ bound: NumberBound, kind: FastKind, to steps: inout [FastInstruction]
  ) {
    // The exact demand is kept too, for numbers of more than 18 digits in a document.
    let exact = demand(.bound(bound))
    guard let limit = FastDecimal(bound.limit) else {
      steps.append(FastInstruction(operation: .exactNumber, b: exact))
      return
    }
    if kind == .integer, let range = bound.relation.range(limit) {
      addRange(range, exact: exact, to: &steps)
      return
    }
    let relation = NumberBound.Relation.allCases.firstIndex(of: bound.relation) ?? 0
    steps.append(
      FastInstruction(
        operation: .decimalBound, a: UInt32(parts.decimals.count), b: exact, c: UInt32(relation)))
    parts.decimals.append(limit)
  }

  /// Adds a range. Several bounds of a schema become one range with several exact demands.
  private mutating func addRange(
    _ range: ClosedRange<Int64>, exact: UInt32, to steps: inout [FastInstruction]
  ) {
    // Only if the exact demands follow one another, so that a count refers to all of them.
    if let last = steps.last, last.operation == .integerRange, last.b + last.c == exact {
      let place = Int(last.a)
      parts.integers[place] = max(parts.integers[place], range.lowerBound)
      parts.integers[place + 1] = min(parts.integers[place + 1], range.upperBound)
      steps[steps.count - 1].c += 1
      return
    }
    steps.append(
      FastInstruction(
        operation: .integerRange, a: UInt32(parts.integers.count), b: exact, c: 1))
    parts.integers += [range.lowerBound, range.upperBound]
  }

  mutating func addMultiple(
    _ divisor: JSONNumber, kind: FastKind, to steps: inout [FastInstruction]
  ) {
    // As for bounds.
    let exact = demand(.multiple(divisor))
    guard let decimal = FastDecimal(divisor) else {
      steps.append(FastInstruction(operation: .exactNumber, b: exact))
      return
    }
    // An integer divisor needs no exponents: usually one division decides.
    if kind == .integer, decimal.isInteger, let whole = decimal.floor, whole > 0 {
      steps.append(
        FastInstruction(operation: .integerMultiple, a: UInt32(parts.integers.count), b: exact))
      parts.integers.append(whole)
      return
    }
    steps.append(
      FastInstruction(operation: .decimalMultiple, a: UInt32(parts.decimals.count), b: exact))
    parts.decimals.append(decimal)
  }

  private mutating func demand(_ demand: FastExactDemand) -> UInt32 {
    parts.exact.append(demand)
    return UInt32(parts.exact.count - 1)
  }
}

extension FastDecimal {
  fileprivate init?(_ number: JSONNumber) {
    var text = number.text
    guard let value = text.withUTF8({ FastDecimal($0) }) else { return nil }
    self = value
  }
}

extension NumberBound.Relation {
  /// Returns the integers within a bound, or `nil` if its limit is beyond Int64.
  fileprivate func range(_ limit: FastDecimal) -> ClosedRange<Int64>? {
    // The step to the next lower integer must not overflow.
    guard let floor = limit.floor, floor > .min, floor < .max else { return nil }
    switch self {
    case .minimum: return (limit.isInteger ? floor : floor + 1)...(.max)
    case .exclusiveMinimum: return (floor + 1)...(.max)
    case .maximum: return .min...floor
    case .exclusiveMaximum: return .min...(limit.isInteger ? floor - 1 : floor)
    }
  }
}
