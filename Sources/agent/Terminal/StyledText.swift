internal import AgentText

/// Text with marks for its colors.
///
/// The marks are noncharacters (Unicode, section 23.7). `VisibleText` removes them from texts of
/// others. Such a text therefore can't color or hide other text.
enum StyledText {
  /// The number before the marks of the styles. Rationale: marks are made from numbers, because the
  /// compiler accepts no noncharacter in a literal.
  private static let firstMark: UInt32 = 0xFDD0
  private static let end = scalar(0)
  private static let marks: [(mark: Unicode.Scalar, style: Terminal.Style)] = [
    (scalar(1), .bad), (scalar(2), .doubtful), (scalar(3), .quiet),
  ]

  private static func scalar(_ offset: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(firstMark + offset) ?? "\u{FFFD}"
  }

  /// Returns the text between the marks of a style.
  static func marked(_ text: String, _ style: Terminal.Style) -> String {
    guard let mark = marks.first(where: { $0.style == style })?.mark else { return text }
    return "\(mark)\(text)\(end)"
  }

  /// Returns the text as it is printed. The marks become color codes, and all other control
  /// characters are removed.
  static func shown(_ text: String, hasColors: Bool) -> String {
    pieces(of: text).map { piece, mark in
      VisibleText.block(piece) + (hasColors ? mark.map(sequence) ?? "" : "")
    }.joined()
  }

  /// Returns the text on one line, with its marks.
  static func onOneLine(_ text: String) -> String {
    pieces(of: text).map { piece, mark in
      VisibleText.line(piece) + (mark.map { String(Character($0)) } ?? "")
    }.joined()
  }

  /// Returns the number of columns that a text takes.
  static func width(of text: String) -> Int {
    pieces(of: text).reduce(0) { $0 + $1.text.count }
  }

  private static func sequence(_ mark: Unicode.Scalar) -> String {
    let code = marks.first { $0.mark == mark }?.style.rawValue ?? "0"
    return "\u{1B}[\(code)m"
  }

  /// Splits a text at its marks. Each piece has the mark behind it.
  private static func pieces(of text: String) -> [(text: String, mark: Unicode.Scalar?)] {
    // All marks begin with this byte. Most texts don't hold it.
    guard text.utf8.contains(0xEF) else { return [(text, nil)] }
    var pieces: [(text: String, mark: Unicode.Scalar?)] = []
    var piece = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == end || marks.contains(where: { $0.mark == scalar }) {
        pieces.append((String(piece), scalar))
        piece = String.UnicodeScalarView()
      } else {
        piece.append(scalar)
      }
    }
    return pieces + [(String(piece), nil)]
  }
}
