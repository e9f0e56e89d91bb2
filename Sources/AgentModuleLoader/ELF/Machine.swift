/// The names of processors by their ELF numbers, for messages.
enum Machine {
  /// The processor of this program.
  static var own: UInt16 {
    #if arch(x86_64)
      62
    #elseif arch(arm64)
      183
    #else
      0
    #endif
  }

  static func name(_ machine: UInt16, elfClass: UInt8) -> String {
    let name =
      switch machine {
      case 3: "x86"
      case 40: "arm"
      case 62: "x86-64"
      case 183: "aarch64"
      case 243: "riscv"
      default: "machine \(machine)"
      }
    return "\(name), \(elfClass == 1 ? 32 : 64)-bit"
  }
}
