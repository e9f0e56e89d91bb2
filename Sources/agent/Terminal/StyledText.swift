internal import AgentText

/// Text with marks where it changes its colour.
///
/// The marks are noncharacters (Unicode, section 23.7), which `VisibleText` takes out of what others
/// have worded: so no text can colour, or hide, what isn't its own.
enum StyledText {
  /// Behind this one come the marks of the styles. Rationale: made from its number, because the
  /// compiler takes no noncharacter in a text.
  private static let firstMark: UInt32 = 0xFDD0
  private static let end = scalar(0)
  private static let marks: [(mark: Unicode.Scalar, style: Terminal.Style)] = [
    (scalar(1), .bad), (scalar(2), .doubtful), (scalar(3), .quiet),
  ]

  private static func scalar(_ offset: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(firstMark + offset) ?? "\u{FFFD}"
  }

  /// The text with its marks.
  static func marked(_ text: String, _ style: Terminal.Style) -> String {
    guard let mark = marks.first(where: { $0.style == style })?.mark else { return text }
    return "\(mark)\(text)\(end)"
  }

  /// The text as it is printed: the marks as the terminal has them, and nothing else that it obeys.
  static func shown(_ text: String, hasColours: Bool) -> String {
    pieces(of: text).map { piece, mark in
      VisibleText.block(piece) + (hasColours ? mark.map(sequence) ?? "" : "")
    }.joined()
  }

  /// The text on one line, with its marks.
  static func onOneLine(_ text: String) -> String {
    pieces(of: text).map { piece, mark in
      VisibleText.line(piece) + (mark.map { String(Character($0)) } ?? "")
    }.joined()
  }

  /// How many places a text takes.
  static func width(of text: String) -> Int {
    pieces(of: text).reduce(0) { $0 + $1.text.count }
  }

  private static func sequence(_ mark: Unicode.Scalar) -> String {
    let code = marks.first { $0.mark == mark }?.style.rawValue ?? "0"
    return "\u{1B}[\(code)m"
  }

  /// What stands between the marks, each with the mark behind it.
  private static func pieces(of text: String) -> [(text: String, mark: Unicode.Scalar?)] {
    // The first byte of all marks.
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
