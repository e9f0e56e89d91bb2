internal import AgentJSON
internal import AgentModules
internal import AgentWorkers
internal import JSONSchema

/// The plan of a check. It is derived from the manifest alone.
struct CheckPlan {
  /// Settings, with the name of their source.
  struct Variant {
    let name: String
    let settings: JSONValue
  }

  /// A contribution under test.
  struct Subject {
    let contribution: Contribution
    /// Settings that match its schema, the most realistic ones first. Empty if none could be
    /// generated.
    let variants: [Variant]
    /// Settings in which every member has the wrong type.
    let wrong: JSONValue
    /// An input that the contribution should accept. `nil` if none could be generated.
    let input: JSONValue?
    /// The schemas that its answers must match.
    let outputs: [JSONValue]

    /// The input for tests with many calls. It is empty for a notifier, because each valid message
    /// would reach people.
    var inputToRepeat: JSONValue {
      contribution.kind == .notifier ? [:] : input ?? [:]
    }

    /// The name in findings: `monitor "x"`.
    var name: String { "\(contribution.wireName)" }
  }

  let subjects: [Subject]

  init(_ manifest: Manifest) {
    subjects = manifest.offers.map { offer in
      Subject(
        contribution: offer, variants: Self.variants(of: offer), wrong: Self.wrong(for: offer),
        input: Self.input(of: offer),
        outputs: [KindSchemas.output(of: offer.kind), offer.kind == .route ? nil : offer.output]
          .compactMap { $0 })
    }
  }

  /// The contributions that run in a worker of their own.
  var processes: [Subject] { subjects.filter { $0.contribution.kind.isProcess } }
  /// The contributions that share the module's service worker.
  var services: [Subject] { subjects.filter { !$0.contribution.kind.isProcess } }

  // MARK: Settings

  private static func variants(of offer: Contribution) -> [Variant] {
    var variants: [Variant] = []
    if offer.kind.isProcess, let example = offer.example {
      variants.append(Variant(name: "the manifest's example", settings: example))
    }
    variants += [
      Variant(
        name: "the required keys", settings: SchemaSample(of: offer.settings, .required).value),
      Variant(name: "every key", settings: SchemaSample(of: offer.settings, .all).value),
    ]
    var seen: Set<JSONValue> = []
    return variants.compactMap { variant in
      let base = variant.settings.object == nil ? [:] : variant.settings
      let settings = offer.settingsSchema.defaults(for: base)
      guard offer.settingsSchema.isValid(settings), seen.insert(settings).inserted else {
        return nil
      }
      return Variant(name: variant.name, settings: settings)
    }
  }

  private static func wrong(for offer: Contribution) -> JSONValue {
    var object = JSONObject()
    for (key, schema) in offer.settings["properties"]?.object ?? [:] {
      object[key] = schema["type"]?.string == "string" ? 12_345 : "of the wrong type"
    }
    object["no_such_key"] = [[:], .null]
    return .object(object)
  }

  // MARK: Inputs

  private static func input(of offer: Contribution) -> JSONValue? {
    switch offer.kind {
    case .datasource, .monitor: nil
    case .logicAdapter: ["text": offer.example ?? "hello", "session": "check"]
    case .notifier: ["id": "check", "text": "agent module check", "severity": "info"]
    case .strategy:
      ["task": ["id": "check", "type": "check"], "candidates": [["id": "a"], ["id": "b"]]]
    case .action: actionInput(offer)
    case .route: routeInput(offer)
    }
  }

  /// Returns a request that follows the manifest's example. Missing parameters of the path and a
  /// missing body are generated.
  private static func routeInput(_ offer: Contribution) -> JSONValue? {
    guard let route = offer.route else { return nil }
    var parameters: [String: String] = [:]
    var path: [String] = []
    for segment in route.path.segments {
      switch segment {
      case .literal(let text): path.append(text)
      case .parameter(let name), .rest(let name):
        let value = offer.example?["parameters"]?[name]?.string ?? "check"
        parameters[name] = value
        path.append(value)
      }
    }
    let body = offer.example?["body"] ?? (offer.input == nil ? nil : actionInput(offer))
    if offer.input != nil, body == nil { return nil }
    let query = offer.example?["query"]?.object ?? [:]
    let request = ModuleRequest(
      method: route.method, path: path.joined(separator: "/"),
      query: query.map { ($0.key, $0.value.string ?? "") },
      headers: body == nil ? [] : [("content-type", "application/json")],
      principal: "agent module check", body: body?.bytes() ?? [])
    return request.json(parameters: parameters)
  }

  private static func actionInput(_ offer: Contribution) -> JSONValue? {
    if offer.kind == .action, let example = offer.example { return example }
    guard let schema = offer.input else { return [:] }
    let sample = SchemaSample(of: schema, .required).value
    guard let compiled = try? Schema(schema, registry: SharedSchemas.registry) else { return nil }
    return compiled.isValid(sample) ? sample : nil
  }

  /// Inputs that no contribution can use. None of them may end the process.
  static let badInputs: [(name: String, json: [UInt8])] = [
    ("null", Array("null".utf8)),
    ("an empty object", Array("{}".utf8)),
    ("an array", Array("[1,\"a\",null]".utf8)),
    ("members of wrong types", Array(#"{"text":[],"id":{},"task":1,"candidates":"x"}"#.utf8)),
    ("60 levels", nested(60)),
    ("500 levels", nested(500)),
    ("a text of 2 MiB", [0x22] + [UInt8](repeating: 0x61, count: 2 << 20) + [0x22]),
  ]

  private static func nested(_ depth: Int) -> [UInt8] {
    [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
  }
}
