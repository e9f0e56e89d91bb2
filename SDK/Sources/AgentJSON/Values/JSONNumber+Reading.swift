extension JSONNumber {
  /// Creates the number at `record`: as an integer or a double if that is exact, otherwise as text.
  init(_ storage: JSONStorage, _ record: JSONRecord) {
    self = storage.withBytes(record.range) { JSONNumber(valid: $0) }
  }

  private init(valid bytes: UnsafeBufferPointer<UInt8>) {
    if let short = JSONShortNumber(bytes) {
      if let int = short.int, int != 0 || !short.isNegative {
        self.init(storage: .int(int))
        return
      }
      if short.isWrittenAsDouble, let double = short.double {
        self.init(storage: .double(double))
        return
      }
    }
    self.init(long: String(decoding: bytes, as: UTF8.self))
  }

  private init(long text: String) {
    if let int = Int64(text), int != 0 {
      self.init(storage: .int(int))
    } else if let uint = UInt64(text), uint != 0 {
      self.init(storage: .uint(uint))
    } else if let double = Double(text), double.description == text {
      self.init(storage: .double(double))
    } else {
      self.init(storage: .text(text))
    }
  }
}

extension JSONStorage {
  /// Returns the number at `index` as an integer, or `nil` if it has a fraction or doesn't fit.
  func int(at index: Int) -> Int? {
    let record = records[index]
    let short = withBytes(record.range) { JSONShortNumber($0)?.int }
    return short.map { Int($0) } ?? JSONNumber(self, record).int
  }

  /// Returns the number at `index` as the nearest double.
  func double(at index: Int) -> Double {
    let record = records[index]
    return withBytes(record.range) { JSONShortNumber($0)?.double }
      ?? JSONNumber(self, record).double
  }
}
