public import AgentJSON

extension Schema {
  /// Returns the kinds of values that the schema allows at `pointer`. Integers count as numbers.
  /// Without a restriction, it returns all kinds.
  ///
  /// With `instance`, the value at which `pointer` starts, only the sides of `if` for that value
  /// count. Without it, both sides count. `anyOf` and `oneOf` give the union of their branches.
  public func kinds(at pointer: JSONPointer, in instance: JSONNode? = nil) -> Set<JSONKind> {
    types(at: pointer, in: instance).kinds
  }

  /// Returns whether the types at `pointer` include integers, as `integer` and `number` do.
  public func acceptsInteger(at pointer: JSONPointer, in instance: JSONNode? = nil) -> Bool {
    !types(at: pointer, in: instance).isDisjoint(with: .integer)
  }

  /// Returns whether the types at `pointer` include numbers with a fraction.
  public func acceptsFraction(at pointer: JSONPointer, in instance: JSONNode? = nil) -> Bool {
    types(at: pointer, in: instance).contains(.fraction)
  }

  private func types(at pointer: JSONPointer, in instance: JSONNode?) -> TypeSet {
    SchemaWalk(program: program).types(of: 0, pointer.tokens[...], instance)
  }
}

extension SchemaWalk {
  /// Returns the types that schema `index` allows for the value at `tokens`.
  fileprivate func types(
    of index: Int, _ tokens: ArraySlice<String>, _ instance: JSONNode?
  ) -> TypeSet {
    var types = TypeSet.all
    for keyword in program.nodes[index].keywords {
      types.formIntersection(self.types(by: keyword, tokens, instance))
    }
    return types
  }

  private func types(
    by keyword: SchemaKeyword, _ tokens: ArraySlice<String>, _ instance: JSONNode?
  ) -> TypeSet {
    if let own = ownTypes(keyword) {
      if tokens.isEmpty { return own }
      // A value that is neither an object nor an array has no parts.
      return own.isDisjoint(with: [.object, .array]) ? [] : .all
    }
    switch keyword {
    case .anyOf(let targets), .oneOf(let targets):
      return union(targets.map { types(of: $0, tokens, instance) })
    case .conditional(let rule) where instance == nil:
      let sides = [rule.then, rule.otherwise].map { side in
        side.map { types(of: $0, tokens, nil) } ?? .all
      }
      return union(sides)
    default:
      let whole = applicable(keyword, to: instance).map { types(of: $0, tokens, instance) }
      return whole.reduce(partTypes(keyword, tokens: tokens, instance: instance)) {
        $0.intersection($1)
      }
    }
  }

  private func partTypes(
    _ keyword: SchemaKeyword, tokens: ArraySlice<String>, instance: JSONNode?
  ) -> TypeSet {
    guard let token = tokens.first else { return .all }
    // Without the value, a number in a pointer may be an index or a key.
    let isIndex = instance.map { $0.kind == .array } ?? (Int(token) != nil)
    var targets = parts(keyword, at: token, isIndex)
    if isIndex, instance == nil { targets += parts(keyword, at: token, false) }
    let child = instance?.node(at: JSONPointer(tokens: [token]))
    return targets.map { types(of: $0, tokens.dropFirst(), child) }
      .reduce(.all) { $0.intersection($1) }
  }

  private func ownTypes(_ keyword: SchemaKeyword) -> TypeSet? {
    switch keyword {
    case .never: []
    case .type(let types): types
    case .const(let value): TypeSet(ofAllEqualTo: value)
    case .enumeration(let choice): union(choice.values.map(TypeSet.init(ofAllEqualTo:)))
    default: nil
    }
  }

  private func union(_ sets: [TypeSet]) -> TypeSet {
    sets.reduce([]) { $0.union($1) }
  }
}
