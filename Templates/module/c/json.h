/* As much JSON as this module needs: find members of a value that is known to be well formed, and
 * write strings. The host has checked settings and events before they come here. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "agent_module.h"

/* A value inside a text; `ptr` is NULL when there is none. */
typedef agent_bytes json;

/* The value of an object's member, or of an array's element; none when there is no such thing. */
json json_member(json object, const char *key);
json json_element(json array, size_t index);

/* A number, or what to take in its place. */
long long json_integer(json value, long long otherwise);
bool json_is_true(json value);

/* A string without its escapes, to be freed; a copy of `otherwise` when it is none. */
char *json_string(json value, const char *otherwise);

/* A text as a JSON string with its quotes, to be freed. */
char *json_quoted(const char *text);

/* printf into memory that is to be freed; NULL when there is none left. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

static inline agent_bytes bytes_of(const char *text, size_t length) {
  agent_bytes bytes = {(const uint8_t *)text, length};
  return bytes;
}

#endif
