#define _GNU_SOURCE
#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t skip_blanks(json text, size_t at) {
  while (at < text.len && strchr(" \t\r\n", text.ptr[at])) at++;
  return at;
}

/* The offset behind the string that begins at `at`. */
static size_t skip_string(json text, size_t at) {
  for (at++; at < text.len && text.ptr[at] != '"'; at++) {
    if (text.ptr[at] == '\\') at++;
  }
  return at < text.len ? at + 1 : text.len;
}

/* The offset behind the value that begins at `at`. */
static size_t skip_value(json text, size_t at) {
  size_t depth = 0;
  while (at < text.len) {
    uint8_t c = text.ptr[at];
    if (c == '"') {
      at = skip_string(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (depth == 0 && strchr(",]} \t\r\n", c)) return at;
    if (c == '{' || c == '[') depth++;
    if (c == '}' || c == ']') depth--;
    at++;
    if (depth == 0 && (c == '}' || c == ']')) return at;
  }
  return at;
}

static json part(json text, size_t from, size_t to) {
  json found = {text.ptr + from, to - from};
  return found;
}

static const json none = {NULL, 0};

json json_member(json object, const char *key) {
  size_t at = object.ptr ? skip_blanks(object, 0) : 0;
  if (at >= object.len || object.ptr[at] != '{') return none;
  at = skip_blanks(object, at + 1);
  while (at < object.len && object.ptr[at] == '"') {
    size_t end = skip_string(object, at);
    bool found = end - at == strlen(key) + 2 && !memcmp(object.ptr + at + 1, key, strlen(key));
    size_t value = skip_blanks(object, skip_blanks(object, end) + 1);
    if (value >= object.len) return none;
    end = skip_value(object, value);
    if (found) return part(object, value, end);
    at = skip_blanks(object, skip_blanks(object, end) + 1);
  }
  return none;
}

json json_element(json array, size_t index) {
  size_t at = array.ptr ? skip_blanks(array, 0) : 0;
  if (at >= array.len || array.ptr[at] != '[') return none;
  at = skip_blanks(array, at + 1);
  while (at < array.len && array.ptr[at] != ']') {
    size_t end = skip_value(array, at);
    if (end == at) return none;
    if (index-- == 0) return part(array, at, end);
    at = skip_blanks(array, skip_blanks(array, end) + 1);
  }
  return none;
}

long long json_integer(json value, long long otherwise) {
  char digits[24] = {0};
  if (!value.ptr || value.len >= sizeof digits) return otherwise;
  memcpy(digits, value.ptr, value.len);
  char *end;
  long long number = strtoll(digits, &end, 10);
  return end == digits ? otherwise : number;
}

bool json_is_true(json value) { return value.len == 4 && !memcmp(value.ptr, "true", 4); }

static size_t put_scalar(char *out, unsigned c) {
  if (c < 0x80) return *out = (char)c, 1;
  if (c < 0x800) {
    out[0] = (char)(0xc0 | c >> 6);
    out[1] = (char)(0x80 | (c & 0x3f));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    return 3;
  }
  out[0] = (char)(0xf0 | c >> 18);
  out[1] = (char)(0x80 | (c >> 12 & 0x3f));
  out[2] = (char)(0x80 | (c >> 6 & 0x3f));
  out[3] = (char)(0x80 | (c & 0x3f));
  return 4;
}

static unsigned hexadecimal(const uint8_t *digits, size_t left) {
  char text[5] = {0};
  if (left < 4) return 0xfffd;
  memcpy(text, digits, 4);
  return (unsigned)strtoul(text, NULL, 16);
}

/* Reads the escape behind a backslash at `*at`; leaves `*at` on its last character. */
static size_t put_escape(json value, size_t *at, char *out) {
  uint8_t c = value.ptr[*at];
  const char *known = "nrtbf", *meant = "\n\r\t\b\f", *found = strchr(known, c);
  if (c != 'u') return *out = found && c ? meant[found - known] : (char)c, 1;
  unsigned high = hexadecimal(value.ptr + *at + 1, value.len - *at - 1);
  *at += 4;
  if (high < 0xd800 || high > 0xdfff) return put_scalar(out, high);
  if (high > 0xdbff || *at + 6 >= value.len || value.ptr[*at + 1] != '\\') {
    return put_scalar(out, 0xfffd);
  }
  unsigned low = hexadecimal(value.ptr + *at + 3, value.len - *at - 3);
  *at += 6;
  return put_scalar(out, 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
}

char *json_string(json value, const char *otherwise) {
  if (value.len < 2 || value.ptr[0] != '"') return strdup(otherwise);
  char *text = malloc(value.len + 4);
  size_t length = 0;
  for (size_t at = 1; text && at + 1 < value.len; at++) {
    if (value.ptr[at] == '\\') {
      at++;
      length += put_escape(value, &at, text + length);
    } else {
      text[length++] = (char)value.ptr[at];
    }
  }
  if (text) text[length] = 0;
  return text;
}

char *json_quoted(const char *text) {
  char *quoted = malloc(strlen(text) * 6 + 3), *out = quoted;
  if (!quoted) return NULL;
  *out++ = '"';
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') {
      *out++ = '\\';
      *out++ = *c;
    } else if ((unsigned char)*c < 0x20) {
      out += sprintf(out, "\\u%04x", (unsigned char)*c);
    } else {
      *out++ = *c;
    }
  }
  *out++ = '"';
  *out = 0;
  return quoted;
}

char *format(const char *pattern, ...) {
  va_list arguments;
  char *text = NULL;
  va_start(arguments, pattern);
  int length = vasprintf(&text, pattern, arguments);
  va_end(arguments);
  return length < 0 ? NULL : text;
}
