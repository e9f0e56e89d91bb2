internal import CSodium

/// The functions of libsodium that this target uses.
enum Digest {
  /// Initializes the library once a process. Every other call of it comes later.
  private static let isReady: Bool = sodium_init() >= 0

  private static func ready() { precondition(isReady, "libsodium can't be initialized") }

  /// Returns the SHA-256 digest.
  static func of(_ bytes: [UInt8]) -> [UInt8] {
    ready()
    var digest = [UInt8](repeating: 0, count: 32)
    crypto_hash_sha256(&digest, bytes, UInt64(clamping: bytes.count))
    return digest
  }

  /// Returns whether two digests are equal. The time of the comparison doesn't depend on where they
  /// differ.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    ready()
    return left.count == right.count && sodium_memcmp(left, right, left.count) == 0
  }

  /// Returns random bytes from the system.
  static func random(_ count: Int) -> [UInt8] {
    ready()
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  /// Returns a random text of letters, digits, `_` and `-`: 4 characters for 3 bytes.
  static func randomText(bytes count: Int) -> String {
    base64(random(count), sodium_base64_VARIANT_URLSAFE_NO_PADDING)
  }

  private static func base64(_ bytes: [UInt8], _ variant: Int32) -> String {
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Passwords

  /// Returns the Argon2id hash of a password with its parameters and salt, nil if memory is short.
  /// Blocks for about a tenth of a second and takes 64 MiB.
  static func password(_ password: String) -> String? {
    ready()
    var hash = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let bytes = Array(password.utf8CString)
    let status = crypto_pwhash_str(
      &hash, bytes, UInt64(clamping: bytes.count - 1),
      UInt64(clamping: crypto_pwhash_OPSLIMIT_INTERACTIVE),
      Int(crypto_pwhash_MEMLIMIT_INTERACTIVE))
    guard status == 0 else { return nil }
    return String(
      decoding: hash.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns a hash of the same form as those of ``password(_:)``. A comparison with it takes
  /// equally long. No known password has it.
  static func hashOfNothing() -> String {
    let variant = sodium_base64_VARIANT_ORIGINAL_NO_PADDING
    let memory = Int(crypto_pwhash_MEMLIMIT_INTERACTIVE) / 1024
    return "$argon2id$v=19$m=\(memory),t=\(crypto_pwhash_OPSLIMIT_INTERACTIVE),p=1"
      + "$\(base64(random(16), variant))$\(base64(random(32), variant))"
  }

  /// Returns whether a hash belongs to this password. Blocks for as long as ``password(_:)``.
  static func isPassword(_ password: String, of hash: String) -> Bool {
    ready()
    let bytes = Array(password.utf8CString)
    return hash.utf8.count < Int(crypto_pwhash_STRBYTES)
      && crypto_pwhash_str_verify(hash, bytes, UInt64(clamping: bytes.count - 1)) == 0
  }
}
