/// A grid of characters for drawing lines. A fine canvas draws with Braille dots, eight in each
/// character.
struct PlotCanvas {
  /// The appearance of a line.
  enum Pen {
    /// Braille dots, two across and four down in each character, in an ANSI color.
    case dots(color: Int?)
    /// One character for each place. It distinguishes lines without colors.
    case mark(Character)
  }

  private struct Cell {
    /// The set dots, as an offset from U+2800, the first Braille pattern of Unicode.
    var dots: UInt32 = 0
    var mark: Character?
    var color: Int?
  }

  /// The bit of each dot in a Braille pattern, by row and column.
  private static let bits: [[UInt32]] = [
    [0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80],
  ]

  let columns: Int
  let rows: Int
  /// Whether a place is a dot. Otherwise, it is a character.
  let isFine: Bool
  private var cells: [Cell]

  init(columns: Int, rows: Int, isFine: Bool) {
    self.columns = columns
    self.rows = rows
    self.isFine = isFine
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  /// The number of places across. ``height`` is the number of places down.
  var width: Int { isFine ? columns * 2 : columns }
  var height: Int { isFine ? rows * 4 : rows }

  /// Draws a straight line between two places, counted from the top left. Parts outside the canvas
  /// are left out.
  mutating func line(from: (x: Int, y: Int), to: (x: Int, y: Int), _ pen: Pen) {
    let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let x = Double(from.x) + Double(to.x - from.x) * part
      let y = Double(from.y) + Double(to.y - from.y) * part
      set(x: Int(x.rounded()), y: Int(y.rounded()), to: pen)
    }
  }

  private mutating func set(x: Int, y: Int, to pen: Pen) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    switch pen {
    case .dots(let color):
      let index = y / 4 * columns + x / 2
      cells[index].dots |= Self.bits[y % 4][x % 2]
      cells[index].color = color
    case .mark(let mark): cells[y * columns + x].mark = mark
    }
  }

  /// Returns a row as text with its ANSI colors, without the blanks at its end.
  func text(ofRow row: Int) -> String {
    var text = ""
    var color: Int?
    var blanks = 0
    for cell in cells[row * columns..<(row + 1) * columns] {
      guard let character = Self.character(cell) else {
        blanks += 1
        continue
      }
      if color != cell.color, color != nil { text += "\u{1B}[0m" }
      text += String(repeating: " ", count: blanks)
      blanks = 0
      if color != cell.color, let new = cell.color { text += "\u{1B}[\(new)m" }
      color = cell.color
      text.append(character)
    }
    return color == nil ? text : text + "\u{1B}[0m"
  }

  private static func character(_ cell: Cell) -> Character? {
    if let mark = cell.mark { return mark }
    return cell.dots == 0 ? nil : Unicode.Scalar(0x2800 + cell.dots).map { Character($0) }
  }
}
