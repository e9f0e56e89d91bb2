extension JSONValue {
  /// This value changed by a merge patch (RFC 7396): members of `patch` replace those of the same
  /// key, objects within objects likewise, null removes; anything but an object replaces the whole.
  public func merging(patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members = object ?? JSONObject()
    for (key, change) in changes {
      members[key] = change.isNull ? nil : (members[key] ?? .null).merging(patch: change)
    }
    return .object(members)
  }
}
