import AgentText

extension SchemaFailure {
  /// The same failure of an unknown key, where the object also has keys that another schema
  /// describes: one of `keys` may be meant, or one inside an object of those.
  ///
  /// A process's entry in the settings is such an object: a few keys are the host's, the others the
  /// module's.
  public func knowing(_ keys: [String], inside objects: [String: [String]] = [:]) -> SchemaFailure {
    guard isOfUnknownKey, let key, nearestKey.map({ !NameSuggestion.isSlip(key, of: $0) }) ?? true,
      settledKeys.isEmpty
    else { return self }
    let holders = objects.filter { $0.value.contains(key) }.keys.sorted()
    var failure = self
    if let near = NameSuggestion.of(key, among: keys),
      nearestKey == nil || NameSuggestion.isSlip(key, of: near)
    {
      failure.suggestion = "Did you mean \(FoundText.quoted(near))?"
      failure.nearestKey = near
    } else if !holders.isEmpty {
      failure.suggestion = "It belongs into \(FoundText.choice(holders.map(FoundText.quoted)))."
    } else {
      return self
    }
    failure.message = Explanation.unknownKey(key, failure.suggestion)
    return failure
  }
}
