/// A merge patch does what the pseudocode of RFC 7396 does; once or twice is the same.
@Sendable func fuzzMergePatches(_ input: [UInt8]) {
  let parts = parts(input)
  guard parts.count == 2, let target = try? JSONValue(parsing: Array(parts[0])),
    let patch = try? JSONValue(parsing: Array(parts[1]))
  else { return }
  let merged = target.merging(patch: patch)
  check(
    merged == reference(target, patch), "the RFC says \(reference(target, patch))", input: input)
  check(merged.merging(patch: patch) == merged, "the second time does something", input: input)
  check(
    (try? JSONValue(parsing: merged.bytes())) == merged, "the result isn't written", input: input)
}

/// MergePatch of RFC 7396, section 2, on a list of members that is searched from the start.
private func reference(_ target: JSONValue, _ patch: JSONValue) -> JSONValue {
  guard case .object(let changes) = patch else { return patch }
  var members: [(key: String, value: JSONValue)] = []
  if case .object(let present) = target { members = Array(present) }
  for (name, value) in changes {
    let position = members.firstIndex { Array($0.key.utf8) == Array(name.utf8) }
    if value == .null {
      if let position { members.remove(at: position) }
    } else if let position {
      members[position].value = reference(members[position].value, value)
    } else {
      members.append((name, reference(.null, value)))
    }
  }
  return .object(JSONObject(members))
}
