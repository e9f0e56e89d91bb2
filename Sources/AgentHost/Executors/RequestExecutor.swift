internal import AgentJSON
internal import AgentNotifications
internal import AgentSettings
internal import AgentTasks
internal import AgentText

/// Runs tasks by a request to a web server.
struct RequestExecutor: TaskExecutor {
  /// Statuses from 400 to 499 that another attempt may change (RFC 9110, 15.5.9; RFC 8470; RFC
  /// 6585).
  private static let passing: Set<Int> = [408, 425, 429]

  /// The request of the settings, with the input as its body; nil when each task describes its own.
  var fixed: TaskTypeSettings.Request?
  var allowsPrivate = false
  /// The value of a secret.
  var secret: @Sendable (String) -> String?
  /// Makes a function that replaces these values, and the secrets of the settings, in a text.
  var redacting: @Sendable ([String]) -> @Sendable (String) -> String

  /// The schema of the input where there is nothing fixed.
  static let schema: JSONValue = [
    "type": "object", "required": ["url"], "additionalProperties": false,
    "properties": [
      "url": ["type": "string", "minLength": 1, "description": "The URL, http or https."],
      "method": ["type": "string", "default": "GET", "description": "GET, POST or another one."],
      "headers": [
        "type": "object", "additionalProperties": ["type": "string"],
        "description": "Header fields; ${secret:NAME} is replaced by a secret that the task names.",
      ],
      "body": ["description": "The body: a string as it is, any other value as JSON."],
    ],
  ]

  /// Checks a task and returns the problems in sentences. Empty when there are none.
  func problems(with definition: TaskDefinition) -> [String] {
    let call = call(definition)
    var problems = [WebCall.problem(with: call.url)].compactMap(\.self)
    let isMethod = call.method.utf8.allSatisfy(\.isASCIILetter)
    if call.method.isEmpty || !isMethod {
      problems.append("\"\(call.method)\" isn't a method, such as GET or POST.")
    }
    for (name, value) in call.headers {
      // No control characters: a line end in a value would begin a header field of its own.
      let isField =
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x3a }
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
      if !isField { problems.append("The header field \"\(name)\" can't be sent.") }
    }
    for name in definition.secrets where secret(name) == nil {
      problems.append(
        "secrets: There is no secret \(name). Add it to .env, and reload the settings.")
    }
    return problems
  }

  private func call(_ definition: TaskDefinition) -> WebCall {
    let input = definition.input
    if let fixed {
      var call = WebCall(url: fixed.url)
      (call.method, call.headers) = (fixed.method, fixed.headers)
      call.allowsPrivate = fixed.allowsPrivate || allowsPrivate
      // A body has no meaning in GET and HEAD (RFC 9110, 9.3.1 and 9.3.2).
      if !["GET", "HEAD"].contains(fixed.method), !input.isNull { call.send(input) }
      return call
    }
    var call = WebCall(url: input["url"]?.string ?? "")
    call.method = input["method"]?.string ?? "GET"
    call.allowsPrivate = allowsPrivate
    for (name, value) in input["headers"]?.object ?? [:] {
      // Only the secrets that the task names: a task that names some needs the scope
      // `administer`.
      call.headers[name] = definition.secrets.reduce(value.string ?? "") { text, name in
        text.replacing("${secret:\(name)}", with: secret(name) ?? "")
      }
    }
    if let body = input["body"] { call.send(body) }
    return call
  }

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    // Again: a secret that was there when the task was created may be gone.
    let problems = problems(with: work.definition)
    if !problems.isEmpty {
      return .failed(error: problems.joined(separator: " "), isFinal: true)
    }
    var call = call(work.definition)
    call.timeout = work.definition.timeouts.run ?? call.timeout
    // A server may send back what it was sent, the secrets included.
    let redact = redacting(work.definition.secrets.compactMap(secret))
    do {
      let answer = try await call.send()
      return outcome(of: answer, redact)
    } catch let error as DeliveryFailure {
      return .failed(error: redact(error.message), isFinal: error.isFinal)
    }
  }

  private func outcome(
    of answer: WebCall.Answer, _ redact: (String) -> String
  ) -> TaskOutcome {
    let output = output(of: answer, redact)
    switch answer.status {
    case 200..<300: return .succeeded(output)
    case 300..<400:
      return .failed(
        error: "The server answered with a redirect (\(answer.status)), which isn't followed. Use "
          + "the address that it names.", output: output, isFinal: true)
    default:
      let isFinal = answer.status < 500 && !Self.passing.contains(answer.status)
      return .failed(
        error: "The server answered \(answer.status).", output: output, isFinal: isFinal)
    }
  }

  /// `{status, headers, body}`: JSON where the answer is JSON, a text otherwise.
  private func output(of answer: WebCall.Answer, _ redact: (String) -> String) -> JSONValue {
    let text = redact(String(decoding: answer.body, as: UTF8.self))
    let isJSON = answer.headers["content-type"]?.contains("json") == true
    // A body that was cut, or isn't what it is called, stays a text.
    let value = isJSON ? try? JSONValue(parsing: text) : nil
    var object: JSONObject = [
      "status": JSONValue(Int64(answer.status)),
      "headers": .object(
        answer.headers.reduce(into: JSONObject()) { $0[$1.key] = .string(redact($1.value)) }),
      "body": value ?? .string(text),
    ]
    if answer.isCut { object["is_cut"] = true }
    return .object(object)
  }
}

extension WebCall {
  fileprivate mutating func send(_ body: JSONValue) {
    self.body = body.string.map { Array($0.utf8) } ?? body.bytes()
    let says = headers.keys.contains { $0.lowercased() == "content-type" }
    if body.string == nil, !says { headers["content-type"] = "application/json" }
  }
}
