public import AgentJSON
internal import AgentText

/// Replaces secret values and tokens of agents in a text. A value is safe from every thread.
public struct Redactor: Sendable {
  public static let replacement = "[secret]"

  /// Sorted by length, the longest first. A secret that contains another one is replaced as a
  /// whole.
  private let secrets: [SecretPattern]
  /// The bytes that a secret begins with, so that most bytes of a text need one look-up.
  private let begins: [Bool]

  /// A redactor that knows no secrets. It still replaces tokens.
  public static let none = Redactor([])

  /// Makes a redactor. It finds each value as it is, as JSON writes it and percent-encoded.
  public init(_ values: some Sequence<String>) {
    // By bytes: two forms of ü are equal texts in Swift.
    var forms: Set<[UInt8]> = []
    for value in values where !value.isEmpty {
      forms.insert(Array(value.utf8))
      // Messages cut long values, so the beginning of a long secret is a secret too.
      let beginning = String(String.UnicodeScalarView(value.unicodeScalars.prefix(60)))
      forms.insert(Array(beginning.utf8))
    }
    self.secrets = forms.sorted { $0.count > $1.count }.map(SecretPattern.init)
    var begins = [Bool](repeating: false, count: 256)
    for byte in secrets.flatMap(\.begins) { begins[Int(byte)] = true }
    self.begins = begins
  }

  /// Whether there are no secret values.
  public var isEmpty: Bool { secrets.isEmpty }

  /// Returns the value without secrets in its keys and texts.
  public func redact(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(redact(text))
    case .array(let elements): .array(elements.map(redact))
    case .object(let members):
      .object(JSONObject(members.map { (redact($0.key), redact($0.value)) }))
    case .number, .bool, .null: value
    }
  }

  /// Returns the text without secrets.
  public func redact(_ text: String) -> String {
    withoutSecrets(TokenPattern.redacted(text))
  }

  private func withoutSecrets(_ text: String) -> String {
    if secrets.isEmpty { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var kept = 0
    var position = 0
    while position < bytes.count {
      guard begins[Int(bytes[position])], let length = secret(in: bytes, at: position) else {
        position += 1
        continue
      }
      result += bytes[kept..<position]
      result += Array(Self.replacement.utf8)
      position += length
      kept = position
    }
    if kept == 0 { return text }
    return String(decoding: result + bytes[kept...], as: UTF8.self)
  }

  private func secret(in bytes: [UInt8], at position: Int) -> Int? {
    for secret in secrets {
      guard let length = secret.length(in: bytes, at: position) else { continue }
      let isLong = secret.bytes.count >= Self.shortest
      if isLong || standsAlone(position..<position + length, in: bytes) { return length }
    }
    return nil
  }

  /// A shorter secret is replaced only as a whole word. Otherwise the secret `1` would damage every
  /// number.
  private static let shortest = 4

  private func standsAlone(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    let before = range.lowerBound > 0 && Self.isLetter(bytes[range.lowerBound - 1])
    let after = range.upperBound < bytes.count && Self.isLetter(bytes[range.upperBound])
    return !before && !after
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
