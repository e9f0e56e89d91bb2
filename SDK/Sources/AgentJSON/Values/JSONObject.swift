/// The members of a JSON object, in their written order.
///
/// A key occurs once. Keys are compared by bytes. Equality ignores the order.
public struct JSONObject: Sendable {
  var members: [(key: String, value: JSONValue)] = []
  /// The positions by key. It is only kept for objects so large that a linear search takes longer.
  private var index: [ByteKey: Int]?

  private static let largestWithoutIndex = 16

  /// Creates an object without members.
  public init() {}

  /// Creates an object from `members`. If a key occurs twice, the later member counts.
  public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
    for (key, value) in members { self[key] = value }
  }

  /// Creates an object from members whose keys are known to differ.
  init(distinct members: [(key: String, value: JSONValue)]) {
    self.members = members
    buildIndex()
  }

  /// Reserves memory for `count` members, which avoids repeated reallocation.
  public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// The number of members.
  public var count: Int { members.count }

  /// Whether the object is empty.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }

  /// The values in order.
  public var values: [JSONValue] { members.map(\.value) }

  /// The value of `key`. Setting it replaces the value in its place, or appends a member. Setting
  /// `nil` removes the member.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// The value of `key`, or `defaultValue` if there is none.
  public subscript(key: String, default defaultValue: @autoclosure () -> JSONValue) -> JSONValue {
    get { self[key] ?? defaultValue() }
    set { self[key] = newValue }
  }

  private func position(of key: String) -> Int? {
    if let index { return index[ByteKey(text: key)] }
    return members.firstIndex { $0.key.hasSameBytes(as: key) }
  }

  private mutating func append(_ key: String, _ value: JSONValue) {
    members.append((key, value))
    if index == nil {
      buildIndex()
    } else {
      index?[ByteKey(text: key)] = members.count - 1
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    buildIndex()
  }

  private mutating func buildIndex() {
    guard members.count > Self.largestWithoutIndex else {
      index = nil
      return
    }
    var index: [ByteKey: Int] = Dictionary(minimumCapacity: members.count)
    for position in members.indices { index[ByteKey(text: members[position].key)] = position }
    self.index = index
  }
}

extension JSONObject: Sequence {
  /// The members in order.
  public func makeIterator() -> IndexingIterator<[(key: String, value: JSONValue)]> {
    members.makeIterator()
  }

  /// The number of members.
  public var underestimatedCount: Int { count }
}

extension JSONObject: Hashable {
  /// Returns whether both have equal values for the same keys, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  /// Feeds values that don't depend on the order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in members {
      var member = Hasher()
      key.hashBytes(into: &member)
      member.combine(value)
      sum &+= member.finalize()
    }
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object from a dictionary literal. If a key occurs twice, the later member counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (key, value) in elements { self[key] = value }
  }
}

extension JSONObject: CustomStringConvertible {
  /// The object as compact JSON.
  public var description: String { JSONValue.object(self).text() }
}

extension JSONObject {
  /// Returns a member by its name, or by a path with dots through nested objects (`cpu.load`). A
  /// member whose own name contains the dots takes precedence.
  public func field(_ path: String) -> JSONValue? {
    if let value = self[path] { return value }
    guard path.utf8.contains(UInt8(ascii: ".")) else { return nil }
    var value = JSONValue.object(self)
    for key in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard let next = value.object?[String(key)] else { return nil }
      value = next
    }
    return value
  }
}
