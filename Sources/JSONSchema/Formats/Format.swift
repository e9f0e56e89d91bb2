import ECMARegex

/// The formats that the drafts define. `init(named:in:)` knows the formats of each draft and their
/// names. Other formats in a schema are ignored.
enum Format: Hashable, Sendable, CaseIterable {
  case dateTime
  case date
  case time
  case duration
  case email
  case idnEmail
  /// Letters, digits and hyphens, without further rules.
  case plainHostname
  /// A host name in which a label with `xn--` must be valid in another script.
  case hostname
  case idnHostname
  case ipv4
  case ipv6
  case uri
  case uriReference
  case iri
  case iriReference
  case uriTemplate
  case uuid
  case jsonPointer
  case relativeJSONPointer
  /// A relative pointer that may move to a neighbor: `0-1`.
  case adjustableJSONPointer
  case regex
}

extension Format {
  /// Checks a text in UTF-8. Any bytes are allowed; invalid UTF-8 never traps. It only allocates
  /// memory for names in other scripts and for patterns.
  /// - Throws: the fault of a text without the format.
  func check(_ bytes: Span<UInt8>) throws(FormatFault) {
    switch self {
    case .dateTime: try DateFormat.checkDateTime(bytes)
    case .date: try DateFormat.checkDate(bytes)
    case .time: try DateFormat.checkTime(bytes)
    case .duration: try DurationFormat.check(bytes)
    case .email: try EmailFormat(isInternational: false).check(bytes)
    case .idnEmail: try EmailFormat(isInternational: true).check(bytes)
    case .plainHostname: try HostnameFormat.checkPlain(bytes)
    case .hostname: try HostnameFormat.check(bytes)
    case .idnHostname: try HostnameFormat.checkInternational(bytes)
    case .ipv4: try IPAddressFormat.checkIPv4(bytes)
    case .ipv6: try IPAddressFormat.checkIPv6(bytes)
    case .uri: try URIFormat(isInternational: false).checkWhole(bytes)
    case .uriReference: try URIFormat(isInternational: false).checkReference(bytes)
    case .iri: try URIFormat(isInternational: true).checkWhole(bytes)
    case .iriReference: try URIFormat(isInternational: true).checkReference(bytes)
    case .uriTemplate: try URITemplateFormat.check(bytes)
    case .uuid: try UUIDFormat.check(bytes)
    case .jsonPointer: try PointerFormat.check(bytes)
    case .relativeJSONPointer: try PointerFormat.checkRelative(bytes, allowsAdjustment: false)
    case .adjustableJSONPointer: try PointerFormat.checkRelative(bytes, allowsAdjustment: true)
    case .regex: try checkPattern(bytes)
    }
  }

  private func checkPattern(_ bytes: Span<UInt8>) throws(FormatFault) {
    guard let text = try? UTF8Span(validating: bytes), Pattern.isWellFormed(String(copying: text))
    else { throw .pattern }
  }

  /// Returns whether a text in UTF-8 has the format.
  func admits(_ bytes: Span<UInt8>) -> Bool {
    do throws(FormatFault) {
      try check(bytes)
      return true
    } catch {
      return false
    }
  }

  /// Returns whether a text has the format.
  func admits(_ text: String) -> Bool {
    admits(text.utf8Span.span)
  }

  /// Returns the fault of a text as a sentence, or `nil` if ``expectation`` suffices.
  func reason(against text: String) -> String? {
    do throws(FormatFault) {
      try check(text.utf8Span.span)
      return nil
    } catch {
      return error.reason(in: text)
    }
  }
}
