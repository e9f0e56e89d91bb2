// Like TrappingArithmetic.swift, for divisions: they end the process by zero, and at the smallest number by −1.
// without-literals.awk leaves out those by a literal.

extension Int {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: Int, right: Int) -> Int { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: Int, right: Int) -> Int { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout Int, right: Int) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout Int, right: Int) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: Int) -> (quotient: Int, remainder: Int) {
    (right, 0)
  }
}

extension Int64 {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: Int64, right: Int64) -> Int64 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: Int64, right: Int64) -> Int64 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout Int64, right: Int64) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout Int64, right: Int64) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: Int64) -> (quotient: Int64, remainder: Int64) {
    (right, 0)
  }
}

extension Int32 {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: Int32, right: Int32) -> Int32 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: Int32, right: Int32) -> Int32 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout Int32, right: Int32) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout Int32, right: Int32) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: Int32) -> (quotient: Int32, remainder: Int32) {
    (right, 0)
  }
}

extension UInt64 {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: UInt64, right: UInt64) -> UInt64 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: UInt64, right: UInt64) -> UInt64 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout UInt64, right: UInt64) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout UInt64, right: UInt64) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: UInt64) -> (
    quotient: UInt64, remainder: UInt64
  ) { (right, 0) }
}

extension UInt32 {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: UInt32, right: UInt32) -> UInt32 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: UInt32, right: UInt32) -> UInt32 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout UInt32, right: UInt32) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout UInt32, right: UInt32) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: UInt32) -> (
    quotient: UInt32, remainder: UInt32
  ) { (right, 0) }
}

extension UInt16 {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: UInt16, right: UInt16) -> UInt16 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: UInt16, right: UInt16) -> UInt16 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout UInt16, right: UInt16) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout UInt16, right: UInt16) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: UInt16) -> (
    quotient: UInt16, remainder: UInt16
  ) { (right, 0) }
}

extension UInt8 {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: UInt8, right: UInt8) -> UInt8 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: UInt8, right: UInt8) -> UInt8 { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout UInt8, right: UInt8) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout UInt8, right: UInt8) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: UInt8) -> (quotient: UInt8, remainder: UInt8) {
    (right, 0)
  }
}

extension UInt {
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func / (left: UInt, right: UInt) -> UInt { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func % (left: UInt, right: UInt) -> UInt { left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func /= (left: inout UInt, right: UInt) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public static func %= (left: inout UInt, right: UInt) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process by zero")
  public func quotientAndRemainder(dividingBy right: UInt) -> (quotient: UInt, remainder: UInt) {
    (right, 0)
  }
}
