import AgentText

extension SchemaFailure {
  /// Returns the failure of an unknown key in an object that also has keys of another schema. The
  /// intended key may be one of `keys`, or one inside an object of those.
  ///
  /// For example, a process's entry in the settings has a few keys of the host and those of the
  /// module.
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
