// Like TrappingConversions.swift, for subscripts that end the process outside of a collection's bounds.

extension Array {
  @available(*, deprecated, message: "trap: ends the process outside of the bounds")
  public subscript(index: Int) -> Element {
    get { self[index] }
    set { self[index] = newValue }
  }
  @available(*, deprecated, message: "trap: ends the process outside of the bounds")
  public subscript(bounds: Range<Int>) -> ArraySlice<Element> {
    get { self[bounds] }
    set { self[bounds] = newValue }
  }
}

extension ArraySlice {
  @available(*, deprecated, message: "trap: ends the process outside of the bounds")
  public subscript(index: Int) -> Element {
    get { self[index] }
    set { self[index] = newValue }
  }
}
