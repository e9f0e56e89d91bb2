extension JSONStorage {
  /// Returns the line and column of a byte offset.
  func place(at offset: Int) -> JSONPlace {
    let bytes = bytes
    return JSONPlace(offset: offset, in: bytes.span)
  }

  /// Returns the string of the record at `index`.
  func string(at index: Int) -> String {
    let record = records[index]
    guard record.mark else {
      return withBytes(record.content) { String(decoding: $0, as: UTF8.self) }
    }
    var content: [UInt8] = []
    let bytes = bytes
    content.appendUnescaped(bytes.span.extracting(record.content))
    return String(decoding: content, as: UTF8.self)
  }

  /// Calls `body` with a part of the text.
  @inline(__always)
  func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result)
    -> Result
  {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Returns whether the key at `index` is `key`.
  func hasKey(_ key: String, at index: Int) -> Bool {
    let record = records[index]
    if record.mark { return string(at: index).hasSameBytes(as: key) }
    let bytes = bytes
    return bytes.span.extracting(record.content).isSame(as: key.utf8.span)
  }

  /// Returns the record for the value of `key` in the object at `container`, or `nil`.
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
