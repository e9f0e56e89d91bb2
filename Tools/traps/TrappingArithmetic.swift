// Like TrappingConversions.swift, for arithmetic that ends the process where its result doesn't fit. Times,
// sizes and counts from outside are Int64 everywhere in the product; Int counts what is in memory,
// which can't come near its bounds.

extension Int64 {
  @available(*, deprecated, message: "trap: ends the process where the sum doesn't fit")
  public static func + (left: Int64, right: Int64) -> Int64 { left &+ right }
  @available(*, deprecated, message: "trap: ends the process where the difference doesn't fit")
  public static func - (left: Int64, right: Int64) -> Int64 { left &- right }
  @available(*, deprecated, message: "trap: ends the process where the product doesn't fit")
  public static func * (left: Int64, right: Int64) -> Int64 { left &* right }
  @available(*, deprecated, message: "trap: ends the process where the sum doesn't fit")
  public static func += (left: inout Int64, right: Int64) { left = left &+ right }
  @available(*, deprecated, message: "trap: ends the process where the difference doesn't fit")
  public static func -= (left: inout Int64, right: Int64) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process where the product doesn't fit")
  public static func *= (left: inout Int64, right: Int64) { left = left &* right }
  @available(*, deprecated, message: "trap: ends the process at the smallest number")
  public static prefix func - (value: Int64) -> Int64 { 0 &- value }
}
