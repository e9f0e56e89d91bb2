extension [FastInstruction] {
  /// Sorts the steps of a body by cost.
  mutating func sortByCost() {
    // An insertion sort keeps the order of equal steps, and is fast for the few steps of a body.
    for index in indices.dropFirst() {
      var place = index
      while place > 0, self[place].operation.cost < self[place - 1].operation.cost {
        swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}

extension FastInstruction.Operation {
  /// The rank of a step, roughly by time. The steps that need marks come last.
  fileprivate var cost: Int {
    switch self {
    case .accept, .reject, .isString, .isAnyString, .count: 0
    case .length, .integral, .integerRange, .integerMultiple: 1
    case .decimalBound, .decimalMultiple, .exactNumber, .equalsAny, .isAnyValue: 2
    case .keysPresent, .keyNeedsKey: 2
    case .members, .elements: 3
    case .format, .pattern, .content: 4
    case .anyMembers, .call, .jump, .choice, .keyNeedsBody, .keysNeedBodies, .contains: 5
    case .anyOf, .oneOf, .noneOf, .either, .unique, .fresh: 6
    case .coverElements, .coverContained, .coverAnyOf, .coverOneOf, .coverEither: 7
    // The rank isn't the cost: every step before them may set the marks that they need.
    case .uncoveredElements, .uncoveredMembers: 8
    }
  }
}
