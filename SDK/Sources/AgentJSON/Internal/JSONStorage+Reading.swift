extension JSONStorage {
  /// Line and column of a byte offset.
  func place(at offset: Int) -> JSONPlace {
    let bytes = bytes
    return JSONPlace(offset: offset, in: bytes.span)
  }

  /// The string that the record at `index` writes.
  func string(at index: Int) -> String {
    let record = records[index]
    guard record.mark else { return String(decoding: bytes[record.content], as: UTF8.self) }
    var content: [UInt8] = []
    let bytes = bytes
    content.appendUnescaped(bytes.span.extracting(record.content))
    return String(decoding: content, as: UTF8.self)
  }

  /// Whether the key at `index` is `key`.
  func hasKey(_ key: String, at index: Int) -> Bool {
    let record = records[index]
    if record.mark { return string(at: index).hasSameBytes(as: key) }
    let bytes = bytes
    return bytes.span.extracting(record.content).isSame(as: key.utf8.span)
  }

  /// The record of the value of `key` in the object at `container`, or nil.
  func value(of key: String, in container: Int) -> Int? {
    let hash = key.utf8.span.withUnsafeBytes { JSONKeyHash.of($0) }
    let end = Int(records[container].next)
    var index = container + 1
    while index < end {
      if records[index].next == hash, hasKey(key, at: index) { return index + 1 }
      index = Int(records[index + 1].next)
    }
    return nil
  }
}

extension JSONNumber {
  /// The number that `record` writes: as integer or double if that loses nothing, else as text.
  init(_ storage: JSONStorage, _ record: JSONRecord) {
    let bytes = storage.bytes[record.range]
    if !record.mark, let int = Int(ascii: bytes), int != 0 || bytes.count == 1 {
      self.storage = .int(Int64(int))
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if !record.mark, bytes.first != .minus, let uint = UInt64(text) {
      self.storage = .uint(uint)
    } else if let double = Double(text), double.description == text {
      self.storage = .double(double)
    } else {
      self.storage = .text(text)
    }
  }
}

extension Int {
  /// Reads an integer of the JSON grammar; nil if it doesn't fit.
  init?(ascii bytes: ArraySlice<UInt8>) {
    let isNegative = bytes.first == .minus
    var value = 0
    for byte in isNegative ? bytes.dropFirst() : bytes {
      let (product, tooBig) = value.multipliedReportingOverflow(by: 10)
      let digit = Int(byte &- .zero)
      let (sum, overflow) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if tooBig || overflow { return nil }
      value = sum
    }
    self = value
  }
}
