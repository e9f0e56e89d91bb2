import AgentJSON

/// The members that identify a schema and its draft. They are read before the draft is known.
struct SchemaIdentity {
  /// `$schema`.
  private(set) var dialect: String?
  private(set) var isRecursive = false
  private var dollarID: String?
  private var plainID: String?
  private var hasReference = false

  init(_ schema: JSONObject) {
    for (key, value) in schema {
      // The length is compared first, because hardly any key is one of these.
      switch key.utf8.count {
      case 2 where key == "id": plainID = value.string
      case 3 where key == "$id": dollarID = value.string
      case 4 where key == "$ref": hasReference = true
      case 7 where key == "$schema": dialect = value.string
      case 16 where key == "$recursiveAnchor": isRecursive = value.bool == true
      default: continue
      }
    }
  }

  /// Returns the address that starts a resource, or `nil` if there is none or it only names a
  /// place.
  func name(by rules: DialectRules) -> String? {
    guard let id = id(by: rules) else { return nil }
    return rules.namesByFragment && id.utf8.first == UInt8(ascii: "#") ? nil : id
  }

  /// Returns the name that the fragment of `$id` gives to the place in the older drafts.
  func fragment(by rules: DialectRules) -> String? {
    guard rules.namesByFragment, let id = id(by: rules),
      let fragment = URIReference(id).fragment, !fragment.isEmpty, !fragment.hasPrefix("/")
    else { return nil }
    return fragment
  }

  private func id(by rules: DialectRules) -> String? {
    // In these drafts, `$ref` disables the `$id` beside it too.
    if hasReference, rules.hidesSiblings { return nil }
    return rules.naming == .plainID ? plainID : dollarID
  }
}
