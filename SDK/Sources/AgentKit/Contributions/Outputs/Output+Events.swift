extension Output {
  /// The events of an alert: the alert, and its sentence for the output's room and channel.
  public func events(_ alert: Alert, at now: Int64) -> [Event] {
    let message = Message(alert.sentence, timestamp: alert.timestamp)
    return [alert.event(self, at: now)] + events(message, at: now)
  }

  /// The events of a message: the message if there is a room, and a value of the channel that
  /// ``messageEvent`` names. Empty when there is neither.
  public func events(_ message: Message, at now: Int64) -> [Event] {
    var events: [Event] = []
    if message.room ?? room != nil { events.append(message.event(self, at: now)) }
    if let messageEvent {
      events.append(
        Event(
          messageEvent.eventType, timestamp: message.timestamp ?? now,
          fields: [messageEvent.mnemonic: ["value": .string(message.text)]]))
    }
    return events
  }

  /// The event of an annotation.
  public func events(_ annotation: Annotation, at now: Int64) -> [Event] {
    [annotation.event(self, at: now)]
  }
}

extension Events {
  /// Publishes an alert, and its sentence to the room and the channel of the output.
  public func publish(_ alert: Alert, to output: Output? = nil) async throws {
    try await publish((output ?? Output()).events(alert, at: services.now()))
  }

  /// Publishes a message in a room, and on the output's channel.
  public func publish(_ message: Message, to output: Output? = nil) async throws {
    try await publish((output ?? Output()).events(message, at: services.now()))
  }

  /// Publishes a note on a time span.
  public func publish(_ annotation: Annotation, to output: Output? = nil) async throws {
    try await publish((output ?? Output()).events(annotation, at: services.now()))
  }
}
