/// Writes a value and creates its records at the same time, so that no parsing is necessary.
struct JSONDocumentBuilder {
  private var writer = JSONWriter()
  private(set) var records: [JSONRecord] = []

  var bytes: [UInt8] { writer.bytes }

  mutating func add(_ value: JSONValue) {
    switch value {
    case .null: addScalar(.null) { $0.null() }
    case .bool(let bool): addScalar(.bool, mark: bool) { $0.bool(bool) }
    case .number(let number):
      addScalar(.number, mark: !number.isWrittenAsInteger) { $0.number(number) }
    case .string(let string): addScalar(.string, mark: string.needsEscapes) { $0.string(string) }
    case .array(let values): add(values)
    case .object(let members): add(members)
    }
  }

  private mutating func add(_ values: [JSONValue]) {
    let index = open(.array)
    writer.beginArray()
    for value in values {
      records[index].countOneMore()
      add(value)
    }
    writer.endArray()
    close(index)
  }

  private mutating func add(_ members: JSONObject) {
    let index = open(.object)
    writer.beginObject()
    for (key, value) in members {
      records[index].countOneMore()
      addScalar(.string, mark: key.needsEscapes) { $0.key(key) }
      records[records.count - 1].end -= 1
      records[records.count - 1].next = key.utf8.span.withUnsafeBytes { JSONKeyHash.of($0) }
      add(value)
    }
    writer.endObject()
    close(index)
  }

  private mutating func addScalar(
    _ kind: JSONKind, mark: Bool = false, _ write: (inout JSONWriter) -> Void
  ) {
    let start = start
    write(&writer)
    records.append(
      JSONRecord(
        kind, start: start, end: bytes.count, next: UInt32(clamping: records.count + 1),
        mark: mark))
  }

  /// The offset of the next value, after a comma if the writer will write one.
  private var start: Int { bytes.count + (writer.willSeparate ? 1 : 0) }

  private mutating func open(_ kind: JSONKind) -> Int {
    records.append(JSONRecord(kind, start: start, end: 0, next: 0))
    return records.count - 1
  }

  private mutating func close(_ index: Int) {
    records[index].end = UInt32(clamping: bytes.count)
    records[index].next = UInt32(clamping: records.count)
  }
}

extension JSONNumber {
  fileprivate var isWrittenAsInteger: Bool {
    switch storage {
    case .int, .uint: true
    case .double: false
    case .text(let text): text.utf8.allSatisfy { $0.isDigit || $0 == .minus }
    }
  }
}
