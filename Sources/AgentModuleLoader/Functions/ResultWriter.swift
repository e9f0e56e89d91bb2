import AgentJSON

/// Writes the returned value of a function as the member `result`.
enum ResultWriter {
  typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void

  static func write(
    _ word: UInt64, _ type: ValueType, release: UnsafeMutableRawPointer?,
    to writer: inout JSONWriter
  ) {
    if type == .void { return }
    writer.key("result")
    switch type {
    case .int8: writer.number(Int8(truncatingIfNeeded: word))
    case .int16: writer.number(Int16(truncatingIfNeeded: word))
    case .int32: writer.number(Int32(truncatingIfNeeded: word))
    case .int64: writer.number(Int64(truncatingIfNeeded: word))
    case .uint8: writer.number(UInt8(truncatingIfNeeded: word))
    case .uint16: writer.number(UInt16(truncatingIfNeeded: word))
    case .uint32: writer.number(UInt32(truncatingIfNeeded: word))
    case .uint64: writer.number(word)
    case .float: writer.number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: word))))
    case .double: writer.number(Double(bitPattern: word))
    case .bool: writer.bool(UInt8(truncatingIfNeeded: word) != 0)
    case .string, .bytes, .bytesOut, .void: text(word, release, to: &writer)
    }
  }

  private static func text(
    _ word: UInt64, _ release: UnsafeMutableRawPointer?, to writer: inout JSONWriter
  ) {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: UInt(word)) else {
      return writer.null()
    }
    writer.string(String(cString: pointer.assumingMemoryBound(to: CChar.self)))
    if let release { unsafeBitCast(release, to: Release.self)(pointer) }
  }
}
