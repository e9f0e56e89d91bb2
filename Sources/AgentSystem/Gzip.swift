internal import CZlib

/// Compresses and decompresses whole byte arrays in the gzip format (RFC 1952).
public enum Gzip {
  /// Why bytes can't be decompressed.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence for the person who named the file.
    public let description: String
  }

  /// `windowBits` in zlib's manual: the largest window, plus 16 for a gzip header.
  private static let format: Int32 = 15 + 16
  private static let piece = 64 << 10

  /// Compresses bytes. The same bytes give the same result.
  public static func packed(_ bytes: [UInt8]) -> [UInt8] {
    let size = Int32(clamping: MemoryLayout<z_stream>.size)
    let result = run(over: bytes) { stream in
      deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, format, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size
      )
    } step: {
      deflate($0, Z_FINISH)
    } end: {
      deflateEnd($0)
    }
    return result.bytes
  }

  /// Decompresses bytes.
  /// - Parameter limit: the maximum size of the result. A few bytes can decompress to gigabytes.
  public static func unpacked(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    let size = Int32(clamping: MemoryLayout<z_stream>.size)
    let result = run(over: bytes, limit: limit) { stream in
      inflateInit2_(stream, format, ZLIB_VERSION, size)
    } step: {
      inflate($0, Z_NO_FLUSH)
    } end: {
      inflateEnd($0)
    }
    guard result.bytes.count <= limit else {
      throw Failure(description: "it would unpack to more than \(limit) bytes.")
    }
    guard result.code == Z_STREAM_END else {
      throw Failure(description: "it isn't a gzip file, or is damaged or cut short.")
    }
    return result.bytes
  }

  /// Runs zlib over the bytes. zlib keeps the address of the stream, so the stream has a fixed
  /// place.
  private static func run(
    over bytes: [UInt8], limit: Int = .max, begin: (UnsafeMutablePointer<z_stream>) -> Int32,
    step: (UnsafeMutablePointer<z_stream>) -> Int32, end: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> (bytes: [UInt8], code: Int32) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard begin(stream) == Z_OK else { return ([], Z_MEM_ERROR) }
    defer { _ = end(stream) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: piece)
    var input = bytes
    let code = input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(clamping: input.count)
      while true {
        let (code, made) = buffer.withUnsafeMutableBufferPointer { buffer in
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(clamping: buffer.count)
          let code = step(stream)
          return (code, buffer.count - Int(stream.pointee.avail_out))
        }
        result += buffer[..<made]
        guard code == Z_OK, result.count <= limit, made > 0 || stream.pointee.avail_in > 0 else {
          return code
        }
      }
    }
    return (result, code)
  }
}
