#define _GNU_SOURCE
#include "said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* `,"key":{"name":"…"}`: a text stands for one member of the object that it could have been. */
static char *party(json output, const char *key, const char *bare) {
  json value = json_member(output, key);
  if (!value.ptr) return strdup("");
  int length = (int)value.len;
  const char *text = (const char *)value.ptr;
  if (*text != '"') return format(",\"%s\":%.*s", key, length, text);
  return format(",\"%s\":{\"%s\":%.*s}", key, bare, length, text);
}

/* A chat message, where there is a room to say it in. */
static char *message(json output, const char *quoted, const char *people, long long now) {
  if (!json_member(output, "room").ptr) return strdup("");
  unsigned char bytes[16];
  char uid[33];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return NULL;
  for (int i = 0; i < 16; i++) snprintf(uid + 2 * i, 3, "%02x", bytes[i]);
  return format(",{\"type\":\"__message\",\"uid\":\"%s\",\"createdAt\":%lld,\"message\":%s%s}", uid,
                now, quoted, people);
}

/* A value of the channel that `message_event` names. */
static char *channel(json output, const char *quoted) {
  json event = json_member(output, "message_event");
  json type = json_member(event, "event_type"), mnemonic = json_member(event, "mnemonic");
  if (!type.ptr || !mnemonic.ptr) return strdup("");
  return format(",{\"type\":%.*s,%.*s:{\"value\":%s}}", (int)type.len, (const char *)type.ptr,
                (int)mnemonic.len, (const char *)mnemonic.ptr, quoted);
}

char *said_alert(json output, const char *text, const char *fields, long long now) {
  char *type = json_string(json_member(output, "event_type"), "alert");
  char *kind = type ? json_quoted(type) : NULL, *quoted = json_quoted(text);
  char *author = party(output, "author", "name"), *room = party(output, "room", "id");
  char *people = author && room ? format("%s%s", author, room) : NULL;
  char *said = quoted && people ? message(output, quoted, people, now) : NULL;
  char *value = quoted ? channel(output, quoted) : NULL;
  char *events = NULL;
  if (kind && said && value) {
    events = format("[{\"type\":%s,\"state\":\"raised\",\"severity\":\"warning\",\"text\":%s,%s%s}%s%s]",
                    kind, quoted, fields, people, said, value);
  }
  free(type), free(kind), free(quoted), free(author), free(room), free(people), free(said);
  free(value);
  return events;
}
