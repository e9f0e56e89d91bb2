/// A key or an index in the form of Codable.
struct JSONCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// Codable's key for the place of an encoded superclass.
  static let superclass = JSONCodingKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  init(token: String) {
    stringValue = token
    intValue = JSONPointer.index(token)
  }
}
