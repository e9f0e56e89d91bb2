// Like TrappingConversions.swift, for arithmetic that ends the process where its result doesn't fit. Times,
// sizes and counts from outside are Int64 everywhere in the product. Int counts what is in memory, which
// can't come near its bounds, but a number of JSON is an Int, too. Therefore, arithmetic of Int counts in
// the files that read such numbers (check-traps.sh).

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

extension Int {
  @available(*, deprecated, message: "trap: ends the process where the sum isn't an Int")
  public static func + (left: Int, right: Int) -> Int { left &+ right }
  @available(*, deprecated, message: "trap: ends the process where the difference isn't an Int")
  public static func - (left: Int, right: Int) -> Int { left &- right }
  @available(*, deprecated, message: "trap: ends the process where the product isn't an Int")
  public static func * (left: Int, right: Int) -> Int { left &* right }
  @available(*, deprecated, message: "trap: ends the process where the sum isn't an Int")
  public static func += (left: inout Int, right: Int) { left = left &+ right }
  @available(*, deprecated, message: "trap: ends the process where the difference isn't an Int")
  public static func -= (left: inout Int, right: Int) { left = left &- right }
  @available(*, deprecated, message: "trap: ends the process where the product isn't an Int")
  public static func *= (left: inout Int, right: Int) { left = left &* right }
  @available(*, deprecated, message: "trap: ends the process at the smallest Int")
  public static prefix func - (value: Int) -> Int { 0 &- value }
}

@available(*, deprecated, message: "trap: ends the process at the smallest Int")
func abs(_ value: Int) -> Int { 0 &- value }
@available(*, deprecated, message: "trap: ends the process at the smallest number")
func abs(_ value: Int64) -> Int64 { 0 &- value }
