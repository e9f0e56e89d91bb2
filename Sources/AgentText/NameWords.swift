/// The words that a name is made of: `forSeconds`, `for-seconds` and `FOR_SECONDS` are all
/// `for seconds`.
package enum NameWords {
  package static func of(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for letter in name {
      let isGreat = letter.isUppercase
      if letter == "_" || letter == "-" || letter == " " || letter == "." || (isGreat && wasSmall) {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      wasSmall = letter.isLowercase || letter.isNumber
      if letter.isLetter || letter.isNumber || letter == "%" { word += letter.lowercased() }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
