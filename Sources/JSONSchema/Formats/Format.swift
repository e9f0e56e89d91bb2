import ECMARegex

/// The formats that the drafts define. Which of them a draft knows, and as what, is said by
/// `init(named:in:)`; what else a schema names is ignored.
enum Format: Hashable, Sendable, CaseIterable {
  case dateTime
  case date
  case time
  case duration
  case email
  case idnEmail
  /// Letters, digits and hyphens, whatever they stand for.
  case plainHostname
  /// Where a label that begins with `xn--` has to stand for one in another script.
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
  /// A relative pointer that may step to a neighbor: `0-1`.
  case adjustableJSONPointer
  case regex
}

extension Format {
  /// Checks a text, given as its UTF-8. Any bytes may be given: those that aren't UTF-8 never trap.
  /// Memory is allocated for names in other scripts and for patterns only.
  /// - Throws: the fault of a text that doesn't have the format.
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

  /// Whether a text, as bytes of UTF-8, has the format.
  func admits(_ bytes: Span<UInt8>) -> Bool {
    do throws(FormatFault) {
      try check(bytes)
      return true
    } catch {
      return false
    }
  }

  /// Whether a text has the format.
  func admits(_ text: String) -> Bool {
    admits(text.utf8Span.span)
  }

  /// The fault of a text as a sentence; nil where ``expectation`` says everything.
  func reason(against text: String) -> String? {
    do throws(FormatFault) {
      try check(text.utf8Span.span)
      return nil
    } catch {
      return error.reason(in: text)
    }
  }
}
