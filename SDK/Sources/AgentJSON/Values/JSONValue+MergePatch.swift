extension JSONValue {
  /// Returns this value changed by a merge patch (RFC 7396). Members of `patch` replace members
  /// with the same key, and objects are merged in the same way. Null removes a member. A patch that
  /// isn't an object replaces the whole value.
  public func merging(patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members = object ?? JSONObject()
    for (key, change) in changes {
      members[key] = change.isNull ? nil : (members[key] ?? .null).merging(patch: change)
    }
    return .object(members)
  }
}
