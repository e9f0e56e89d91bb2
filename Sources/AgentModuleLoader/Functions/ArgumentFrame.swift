import AgentJSON
import Glibc

/// The arguments of one call in C's form. Each takes eight bytes, and may point to further memory.
///
/// It is a class so that its memory has a fixed address and is freed however the call ends.
final class ArgumentFrame {
  private(set) var values: [UnsafeMutableRawPointer?] = []
  private var owned: [UnsafeMutableRawPointer] = []
  private var buffers: [(name: String, start: UnsafeMutableRawPointer, count: Int)] = []

  /// The largest buffer of a call, in bytes.
  static let maxBuffer = 64 << 20

  init(_ function: ForeignFunction, _ input: JSONNode) throws(ModuleFailure) {
    for parameter in function.parameters {
      try add(parameter, of: function, from: input)
    }
  }

  deinit {
    for memory in owned { free(memory) }
  }

  /// The contents of the buffers that the function wrote, by parameter.
  var outputs: [(name: String, bytes: [UInt8])] {
    buffers.map { buffer in
      let bytes = UnsafeRawBufferPointer(start: buffer.start, count: buffer.count)
      return (buffer.name, Array(bytes))
    }
  }

  private func add(
    _ parameter: ForeignFunction.Parameter, of function: ForeignFunction, from input: JSONNode
  ) throws(ModuleFailure) {
    if parameter.type == .bytesOut {
      return try addBuffer(parameter, input[parameter.size ?? ""])
    }
    guard let value = input[parameter.name] else {
      throw ModuleFailure(
        .invalidArgument,
        "\(function.name) needs \"\(parameter.name)\", \(parameter.type.expected).")
    }
    guard try addValue(parameter.type, value) else {
      throw ModuleFailure(
        .invalidArgument,
        "\(parameter.name): expected \(parameter.type.expected), found \(value.value.text()).")
    }
  }

  private func addValue(_ type: ValueType, _ value: JSONNode) throws(ModuleFailure) -> Bool {
    switch type {
    case .int8: try store(value.number?.integer(Int8.self))
    case .int16: try store(value.number?.integer(Int16.self))
    case .int32: try store(value.number?.integer(Int32.self))
    case .int64: try store(value.number?.integer(Int64.self))
    case .uint8: try store(value.number?.integer(UInt8.self))
    case .uint16: try store(value.number?.integer(UInt16.self))
    case .uint32: try store(value.number?.integer(UInt32.self))
    case .uint64: try store(value.number?.integer(UInt64.self))
    case .float: try store(value.double.map { Float($0) })
    case .double: try store(value.double)
    case .bool: try store(value.bool.map { $0 ? UInt8(1) : 0 })
    case .string: try storeText(value.string)
    case .bytes: try storeBytes(value.string.flatMap { JSONBase64.decode($0) })
    case .bytesOut, .void: false
    }
  }

  private func store<Value>(_ value: Value?) throws(ModuleFailure) -> Bool {
    guard let value else { return false }
    try memory(8).storeBytes(of: value, as: Value.self)
    values.append(owned.last)
    return true
  }

  private func storeText(_ text: String?) throws(ModuleFailure) -> Bool {
    // A C string would end at the first zero byte.
    guard let text, !text.utf8.contains(0) else { return false }
    return try storeBytes(Array(text.utf8) + [0])
  }

  private func storeBytes(_ bytes: [UInt8]?) throws(ModuleFailure) -> Bool {
    guard let bytes else { return false }
    let copy = try memory(bytes.count)
    bytes.withUnsafeBytes { source in
      if let start = source.baseAddress { copy.copyMemory(from: start, byteCount: source.count) }
    }
    return try store(Optional(copy))
  }

  private func addBuffer(
    _ parameter: ForeignFunction.Parameter, _ size: JSONNode?
  ) throws(ModuleFailure) {
    guard let count = size?.int, (0...Self.maxBuffer).contains(count) else {
      throw ModuleFailure(
        .invalidArgument,
        "\(parameter.size ?? ""): expected a size from 0 to \(Self.maxBuffer) bytes for "
          + "\"\(parameter.name)\".")
    }
    let buffer = try memory(count)
    buffers.append((parameter.name, buffer, count))
    _ = try store(Optional(buffer))
  }

  private func memory(_ count: Int) throws(ModuleFailure) -> UnsafeMutableRawPointer {
    // The memory is zeroed, so that a function that fills only a part of a buffer returns no other
    // data. It has at least eight bytes, because calloc may return NULL for none.
    guard let memory = calloc(max(8, count), 1) else {
      throw ModuleFailure(.failed, "There is no memory for \(count) bytes.")
    }
    owned.append(memory)
    return memory
  }
}
