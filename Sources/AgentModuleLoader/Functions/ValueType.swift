import CFFI

/// A type of a declared function's parameter or result.
enum ValueType: String {
  case int8, int16, int32, int64, uint8, uint16, uint32, uint64
  case float, double, bool, string, bytes
  case bytesOut = "bytes_out"
  case void

  /// The corresponding type of libffi.
  var foreign: UnsafeMutablePointer<ffi_type> {
    switch self {
    case .int8: cffi_sint8()
    case .int16: cffi_sint16()
    case .int32: cffi_sint32()
    case .int64: cffi_sint64()
    case .uint8, .bool: cffi_uint8()
    case .uint16: cffi_uint16()
    case .uint32: cffi_uint32()
    case .uint64: cffi_uint64()
    case .float: cffi_float()
    case .double: cffi_double()
    case .string, .bytes, .bytesOut: cffi_pointer()
    case .void: cffi_void()
    }
  }

  var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: true
    default: false
    }
  }

  /// The expected JSON value, for a message.
  var expected: String {
    switch self {
    case .int8: "an integer from -128 to 127"
    case .int16: "an integer from -32768 to 32767"
    case .int32: "an integer from -2147483648 to 2147483647"
    case .int64: "an integer of 64 bits"
    case .uint8: "an integer from 0 to 255"
    case .uint16: "an integer from 0 to 65535"
    case .uint32: "an integer from 0 to 4294967295"
    case .uint64: "an integer of 64 bits that isn't negative"
    case .float, .double: "a number"
    case .bool: "true or false"
    case .string: "a string without zero bytes"
    case .bytes: "bytes as base64 text"
    case .bytesOut, .void: "nothing"
    }
  }
}
