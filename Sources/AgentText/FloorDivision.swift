extension FixedWidthInteger {
  /// Returns the quotient, rounded towards minus infinity.
  /// - Parameter divisor: positive.
  @inlinable
  package func dividedDown(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Returns the remainder of that division, from 0 to below `divisor`.
  @inlinable
  package func modulo(_ divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
