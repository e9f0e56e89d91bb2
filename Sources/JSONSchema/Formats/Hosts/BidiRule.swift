/// The six conditions of RFC 5893, section 2. They apply to every label of a name with a
/// right-to-left label.
enum BidiRule {
  /// The classes in the conditions. R includes AL, because no condition distinguishes them.
  /// `neutral` is CS, ET, ON and BN.
  private enum Direction {
    case left, right, arabicNumber, europeanNumber, mark, neutral
  }

  static func isRightToLeft(_ label: [Unicode.Scalar]) -> Bool {
    label.contains { direction(of: $0) == .right || direction(of: $0) == .arabicNumber }
  }

  static func admits(_ label: [Unicode.Scalar]) -> Bool {
    let directions = label.map(direction)
    let last = directions.last { $0 != .mark }
    switch directions.first {
    case .right:
      let mixesNumbers =
        directions.contains(.arabicNumber) && directions.contains(.europeanNumber)
      return !directions.contains(.left) && !mixesNumbers
        && (last == .right || last == .arabicNumber || last == .europeanNumber)
    case .left:
      return !directions.contains(.right) && !directions.contains(.arabicNumber)
        && (last == .left || last == .europeanNumber)
    default: return false
    }
  }

  /// Returns the class of a scalar in a label, by Unicode 17.0, extracted/DerivedBidiClass.txt. All
  /// right-to-left characters of labels are in these blocks. Future letters of these scripts will
  /// be there too.
  private static func direction(of scalar: Unicode.Scalar) -> Direction {
    switch scalar.value {
    case 0x30...0x39, 0x6F0...0x6F9: return .europeanNumber
    case 0x660...0x669, 0x10D30...0x10D39, 0x10D40...0x10D49: return .arabicNumber
    case 0xCBF, 0xCC6, 0x11A07...0x11A08, 0x11C3F: return .left
    case 0x2D, 0xB7, 0x2B9...0x2BA, 0x2C6...0x2CF, 0x2EC, 0x374...0x375, 0x200C...0x200D,
      0x2E2F, 0x30FB, 0xA67F, 0xA717...0xA71F, 0xA788:
      return .neutral
    default: break
    }
    if scalar.properties.generalCategory == .nonspacingMark { return .mark }
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDCF, 0xFDF0...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      return .right
    default: return .left
    }
  }
}
