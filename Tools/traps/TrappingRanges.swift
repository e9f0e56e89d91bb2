// Like TrappingConversions.swift, for ranges whose lower bound may be above the upper one, and for lengths that
// may be negative. without-literals.awk leaves out what can't be wrong by its text alone, such as `0..<list.count`.

extension Comparable {
  @available(
    *, deprecated, message: "trap: ends the process where the bounds are in the wrong order"
  )
  public static func ..< (low: Self, high: Self) -> Range<Self> {
    Range(uncheckedBounds: (low, max(low, high)))
  }
  @available(
    *, deprecated, message: "trap: ends the process where the bounds are in the wrong order"
  )
  public static func ... (low: Self, high: Self) -> ClosedRange<Self> {
    ClosedRange(uncheckedBounds: (low, max(low, high)))
  }
}

extension Collection {
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public __consuming func prefix(_ length: Int) -> SubSequence { self[startIndex...] }
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public __consuming func dropFirst(_ length: Int = 1) -> SubSequence { self[startIndex...] }
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public __consuming func dropLast(_ length: Int = 1) -> SubSequence { self[startIndex...] }
}

extension BidirectionalCollection {
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public __consuming func suffix(_ length: Int) -> SubSequence { self[startIndex...] }
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public __consuming func dropLast(_ length: Int = 1) -> SubSequence { self[startIndex...] }
}

extension RangeReplaceableCollection {
  @available(*, deprecated, message: "trap: ends the process where there are fewer")
  public mutating func removeFirst(_ length: Int) {}
  @available(*, deprecated, message: "trap: ends the process where there is none")
  @discardableResult
  public mutating func removeFirst() -> Element { self[startIndex] }
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public init(repeating value: Element, count: Int) { self.init() }
}

extension RangeReplaceableCollection where Self: BidirectionalCollection {
  @available(*, deprecated, message: "trap: ends the process where there are fewer")
  public mutating func removeLast(_ length: Int) {}
  @available(*, deprecated, message: "trap: ends the process where there is none")
  @discardableResult
  public mutating func removeLast() -> Element { self[startIndex] }
}

extension Array {
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public init(repeating value: Element, count: Int) { self.init() }
  @available(*, deprecated, message: "trap: ends the process outside of the bounds")
  public mutating func remove(at index: Int) -> Element { self[index] }
  @available(*, deprecated, message: "trap: ends the process outside of the bounds")
  public mutating func insert(_ value: __owned Element, at index: Int) {}
  @available(*, deprecated, message: "trap: ends the process outside of the bounds")
  public mutating func swapAt(_ first: Int, _ second: Int) {}
}

extension ContiguousArray {
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public init(repeating value: Element, count: Int) { self.init() }
}

extension ArraySlice {
  @available(*, deprecated, message: "trap: ends the process where there is none")
  @discardableResult
  public mutating func removeFirst() -> Element { self[startIndex] }
  @available(*, deprecated, message: "trap: ends the process where there are fewer")
  public mutating func removeFirst(_ length: Int) {}
  @available(*, deprecated, message: "trap: ends the process where there is none")
  @discardableResult
  public mutating func removeLast() -> Element { self[startIndex] }
  @available(*, deprecated, message: "trap: ends the process where there are fewer")
  public mutating func removeLast(_ length: Int) {}
}

extension Substring {
  @available(*, deprecated, message: "trap: ends the process where there is none")
  @discardableResult
  public mutating func removeFirst() -> Element { self[startIndex] }
  @available(*, deprecated, message: "trap: ends the process where there are fewer")
  public mutating func removeFirst(_ length: Int) {}
  @available(*, deprecated, message: "trap: ends the process where there is none")
  @discardableResult
  public mutating func removeLast() -> Element { self[startIndex] }
  @available(*, deprecated, message: "trap: ends the process where there are fewer")
  public mutating func removeLast(_ length: Int) {}
}

extension UnsafeMutableRawPointer {
  @available(*, deprecated, message: "trap: ends the process where the size is negative")
  public static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
    fatalError("\(byteCount)")
  }
}

extension String {
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public init(repeating text: String, count: Int) { self = text }
  @available(*, deprecated, message: "trap: ends the process where the length is negative")
  public init(repeating character: Character, count: Int) { self.init(character) }
}

extension UnsafeMutablePointer {
  @available(*, deprecated, message: "trap: ends the process where the capacity is negative")
  public static func allocate(capacity: Int) -> UnsafeMutablePointer<Pointee> {
    fatalError("\(capacity)")
  }
}

extension UnsafeMutableBufferPointer {
  @available(*, deprecated, message: "trap: ends the process where the capacity is negative")
  public static func allocate(capacity: Int) -> UnsafeMutableBufferPointer<Element> {
    fatalError("\(capacity)")
  }
}

extension UnsafeMutableRawBufferPointer {
  @available(*, deprecated, message: "trap: ends the process where the size is negative")
  public static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawBufferPointer {
    fatalError("\(byteCount)")
  }
}
