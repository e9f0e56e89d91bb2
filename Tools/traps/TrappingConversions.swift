// Compiled beside a target's own files by check-traps.sh, never into a program. A declaration of a
// module hides the one of the standard library with the same signature, so each conversion that ends
// the process when the value doesn't fit is reported by the compiler, which knows the types.
// Conversions that always fit are declared once more without the mark.

extension Int {
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init(_ value: Double) { self = Int(exactly: value) ?? 0 }
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init<T: BinaryInteger>(_ value: T) { self.init(clamping: value) }
  public init(_ value: UInt8) { self.init(clamping: value) }
  public init(_ value: UInt16) { self.init(clamping: value) }
  public init(_ value: UInt32) { self.init(clamping: value) }
  public init(_ value: Int8) { self.init(clamping: value) }
  public init(_ value: Int16) { self.init(clamping: value) }
  public init(_ value: Int32) { self.init(clamping: value) }
  public init(_ value: Int64) { self.init(clamping: value) }
  public init(_ value: Int) { self = value }
}

extension Int64 {
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init(_ value: Double) { self = Int64(exactly: value) ?? 0 }
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init<T: BinaryInteger>(_ value: T) { self.init(clamping: value) }
  public init(_ value: UInt8) { self.init(clamping: value) }
  public init(_ value: UInt16) { self.init(clamping: value) }
  public init(_ value: UInt32) { self.init(clamping: value) }
  public init(_ value: Int8) { self.init(clamping: value) }
  public init(_ value: Int16) { self.init(clamping: value) }
  public init(_ value: Int32) { self.init(clamping: value) }
  public init(_ value: Int) { self.init(clamping: value) }
  public init(_ value: Int64) { self = value }
}

extension Int32 {
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init(_ value: Double) { self = Int32(exactly: value) ?? 0 }
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init<T: BinaryInteger>(_ value: T) { self.init(clamping: value) }
  public init(_ value: UInt8) { self.init(clamping: value) }
  public init(_ value: UInt16) { self.init(clamping: value) }
  public init(_ value: Int16) { self.init(clamping: value) }
  public init(_ value: Int32) { self = value }
}

extension UInt64 {
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init(_ value: Double) { self = UInt64(exactly: value) ?? 0 }
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init<T: BinaryInteger>(_ value: T) { self.init(clamping: value) }
  public init(_ value: UInt8) { self.init(clamping: value) }
  public init(_ value: UInt16) { self.init(clamping: value) }
  public init(_ value: UInt32) { self.init(clamping: value) }
  public init(_ value: UInt) { self.init(clamping: value) }
  public init(_ value: UInt64) { self = value }
}

extension UInt32 {
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init(_ value: Double) { self = UInt32(exactly: value) ?? 0 }
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init<T: BinaryInteger>(_ value: T) { self.init(clamping: value) }
  public init(_ value: UInt8) { self.init(clamping: value) }
  public init(_ value: UInt16) { self.init(clamping: value) }
  public init(_ value: UInt32) { self = value }
}

extension UInt16 {
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init<T: BinaryInteger>(_ value: T) { self.init(clamping: value) }
  public init(_ value: UInt8) { self.init(clamping: value) }
  public init(_ value: UInt16) { self = value }
}

extension UInt8 {
  @available(*, deprecated, message: "trap: ends the process where the number doesn't fit")
  public init<T: BinaryInteger>(_ value: T) { self.init(clamping: value) }
  public init(_ value: UInt8) { self = value }
}
