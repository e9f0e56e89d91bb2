/* A part of agent_json.h: what a writer does. */
#ifndef AGENT_JSON_WRITING_H
#define AGENT_JSON_WRITING_H

#ifndef AGENT_JSON_H
#error "Include agent_json.h."
#endif

/* Appends bytes as they are, and keeps a NUL behind them. */
static inline void agent_json_append(agent_json_writer *writer, const void *bytes, size_t count) {
  if (writer->failed || count == 0) return;
  if (count >= SIZE_MAX / 4 - writer->length) {
    writer->failed = true;
    return;
  }
  size_t needed = writer->length + count + 1;
  if (needed > writer->capacity) {
    char *text = (char *)realloc(writer->text, needed * 2);
    writer->failed = !text;
    if (!text) return;
    writer->text = text;
    writer->capacity = needed * 2;
  }
  memcpy(writer->text + writer->length, bytes, count);
  writer->length += count;
  writer->text[writer->length] = 0;
}

static inline void agent_json_append_text(agent_json_writer *writer, const char *text) {
  agent_json_append(writer, text, strlen(text));
}

static inline void agent_json_quote(agent_json_writer *writer, agent_bytes text) {
  size_t size = 0;
  agent_json_append_text(writer, "\"");
  for (size_t at = 0; at < text.len; at += size) {
    char escape[8];
    int32_t character = agent_json_utf8(text, at, &size);
    if (character < 0) {
      agent_json_append_text(writer, "\xef\xbf\xbd");
    } else if (character == '"' || character == '\\') {
      snprintf(escape, sizeof escape, "\\%c", (char)character);
      agent_json_append_text(writer, escape);
    } else if (character < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)character);
      agent_json_append_text(writer, escape);
    } else {
      agent_json_append(writer, text.ptr + at, size);
    }
  }
  agent_json_append_text(writer, "\"");
}

/* Fails where it is no JSON, or too long for its length to be an `int`. */
static inline void agent_json_append_value(agent_json_writer *writer, int length,
                                           const char *text) {
  agent_bytes given = {(const uint8_t *)text, length > 0 ? (size_t)length : 0};
  agent_json value = agent_json_parse(text ? given : agent_text("null"));
  if (!value.ptr) writer->failed = true;
  agent_json_append(writer, value.ptr, value.len);
}

static inline void agent_json_append_double(agent_json_writer *writer, double number) {
  char digits[48] = "null";
  bool is_finite = number >= -DBL_MAX && number <= DBL_MAX;
  agent_json_append(writer, digits, is_finite ? agent_json_write_double(number, digits) : 4);
}

/* One conversion, from behind its percent sign; returns its last character. */
static inline const char *agent_json_convert(agent_json_writer *writer, const char *c,
                                             va_list *arguments) {
  char digits[24] = "";
  int longs = 0;
  bool has_length = c[0] == '.' && c[1] == '*';
  if (has_length) c += 2;
  if (*c == 'z') longs = (int)sizeof(size_t) / (int)sizeof(long), c++;
  else while (*c == 'l' && longs < 2) longs++, c++;
  if (*c == 's' && has_length) {
    int length = va_arg(*arguments, int);
    agent_json_append_value(writer, length, va_arg(*arguments, const char *));
  } else if (*c == 's' && longs == 0) {
    agent_bytes text = agent_text(va_arg(*arguments, const char *));
    if (text.ptr) agent_json_quote(writer, text);
    else agent_json_append_text(writer, "null");
  } else if (*c == 'd' && !has_length) {
    long long number = longs == 0   ? va_arg(*arguments, int)
                       : longs == 1 ? va_arg(*arguments, long)
                                    : va_arg(*arguments, long long);
    snprintf(digits, sizeof digits, "%lld", number);
  } else if (*c == 'u' && !has_length) {
    unsigned long long number = longs == 0   ? va_arg(*arguments, unsigned)
                                : longs == 1 ? va_arg(*arguments, unsigned long)
                                             : va_arg(*arguments, unsigned long long);
    snprintf(digits, sizeof digits, "%llu", number);
  } else if (*c == 'g' && !has_length && longs == 0) {
    agent_json_append_double(writer, va_arg(*arguments, double));
  } else if (*c == '%' && !has_length && longs == 0) {
    agent_json_append_text(writer, "%");
  } else {
    writer->failed = true;
  }
  agent_json_append_text(writer, digits);
  return c;
}

static inline void agent_json_print(agent_json_writer *writer, const char *pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  for (const char *c = pattern; !writer->failed && *c; c++) {
    if (*c == '%') c = agent_json_convert(writer, c + 1, &arguments);
    else agent_json_append(writer, *c == '\'' ? "\"" : c, 1);
  }
  va_end(arguments);
}

static inline agent_json agent_json_written(const agent_json_writer *writer) {
  agent_bytes text = {(const uint8_t *)writer->text, writer->failed ? 0 : writer->length};
  return agent_json_parse(text);
}

static inline void agent_json_reset(agent_json_writer *writer) {
  agent_json_writer empty = {NULL, 0, 0, false};
  free(writer->text);
  *writer = empty;
}

#endif
