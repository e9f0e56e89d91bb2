internal import AgentText

/// Hashes of passwords in their stored form: `$argon2id$v=19$m=65536,t=2,p=1$SALT$HASH`.
public enum PasswordHash {
  /// The maximum memory of a hash, in KiB. Without it a line of the settings could use up the
  /// machine's memory.
  private static let maxMemory = 1 << 20
  private static let maxPasses = 16

  /// Returns the hash of a password. Blocks for a tenth of a second and takes 64 MiB. It is for
  /// programs without other work.
  /// - Parameter user: the name of the future user, if it is known.
  /// - Throws: `invalid` for a password or a user's name that isn't allowed.
  public static func of(_ password: String, for user: String? = nil) throws(AccessError) -> String {
    if let user { try UserRegistry.check(user, password: password) } else { try check(password) }
    guard let hash = Digest.password(password) else {
      throw AccessError(.busy, "There isn't enough memory to hash a password now.")
    }
    return hash
  }

  /// - Throws: `invalid` for a password that isn't allowed.
  static func check(_ password: String) throws(AccessError) {
    guard (8...1024).contains(password.utf8.count) else {
      throw AccessError(.invalid, "A password has 8 to 1024 bytes.")
    }
  }

  /// Returns whether a text is a hash that this program can compare with a password.
  public static func isOne(_ text: String) -> Bool {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard text.utf8.count < 128, parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id",
      parts[2] == "v=19", isBase64(parts[4], from: 11), isBase64(parts[5], from: 22)
    else { return false }
    let numbers = parts[3].split(separator: ",").map { $0.split(separator: "=") }
    guard numbers.map(\.first) == ["m", "t", "p"], numbers.allSatisfy({ $0.count == 2 }) else {
      return false
    }
    let bounds = [8...maxMemory, 1...maxPasses, 1...1]
    return zip(numbers, bounds).allSatisfy { number, range in
      number.last.flatMap { Int($0) }.map(range.contains) ?? false
    }
  }

  private static func isBase64(_ text: Substring, from least: Int) -> Bool {
    text.utf8.count >= least
      && text.utf8.allSatisfy {
        $0.isASCIIAlphanumeric || $0 == 0x2B || $0 == 0x2F
      }
  }
}
