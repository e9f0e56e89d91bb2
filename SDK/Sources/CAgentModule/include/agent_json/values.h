/* A part of agent_json.h: what is in a value that was found. */
#ifndef AGENT_JSON_VALUES_H
#define AGENT_JSON_VALUES_H

#ifndef AGENT_JSON_H
#error "Include agent_json.h."
#endif

static inline agent_json_kind agent_json_kind_of(agent_json value) {
  size_t at = value.ptr ? agent_json_skip_blanks(value, 0) : 0;
  if (at >= value.len) return AGENT_JSON_ABSENT;
  switch (value.ptr[at]) {
    case '{': return AGENT_JSON_OBJECT;
    case '[': return AGENT_JSON_ARRAY;
    case '"': return AGENT_JSON_STRING;
    case 't': case 'f': return AGENT_JSON_BOOL;
    case 'n': return AGENT_JSON_NULL;
    default: return agent_json_skip_number(value, at) ? AGENT_JSON_NUMBER : AGENT_JSON_ABSENT;
  }
}

/* The next of a list, which is found behind the present one. */
static inline bool agent_json_step(agent_json list, agent_json *key, agent_json *value) {
  agent_json none = AGENT_JSON_NONE;
  bool is_first = !value->ptr;
  size_t at = is_first ? 0 : (size_t)(value->ptr - list.ptr) + value->len;
  at = agent_json_skip_blanks(list, at);
  *value = none;
  if (key) *key = none;
  if (!is_first && (at >= list.len || list.ptr[at] != ',')) return false;
  at = agent_json_skip_blanks(list, at + 1);
  if (key) *key = agent_json_key(list, &at);
  if (key && !key->ptr) return false;
  size_t end = agent_json_skip(list, at, AGENT_JSON_DEPTH - 1);
  if (end) *value = agent_json_part(list, at, end);
  return end != 0;
}

static inline bool agent_json_next(agent_json array, agent_json *element) {
  return agent_json_kind_of(array) == AGENT_JSON_ARRAY && agent_json_step(array, NULL, element);
}

static inline bool agent_json_next_member(agent_json object, agent_json *key, agent_json *value) {
  return agent_json_kind_of(object) == AGENT_JSON_OBJECT && agent_json_step(object, key, value);
}

static inline agent_json agent_json_get(agent_json object, const char *key) {
  agent_json name = AGENT_JSON_NONE, value = AGENT_JSON_NONE;
  while (agent_json_next_member(object, &name, &value)) {
    if (agent_json_equals(name, key)) break;
  }
  return value;
}

static inline bool agent_json_bool(agent_json value, bool otherwise) {
  value = agent_json_parse(value);
  if (agent_json_kind_of(value) != AGENT_JSON_BOOL) return otherwise;
  return value.ptr[0] == 't';
}

static inline bool agent_json_equals(agent_json value, const char *text) {
  agent_bytes expected = agent_text(text);
  size_t found = 0, size;
  value = agent_json_parse(value);
  if (agent_json_kind_of(value) != AGENT_JSON_STRING) return false;
  for (size_t at = 1; at + 1 < value.len; found += size) {
    int32_t character = agent_json_character(value, &at);
    if (found >= expected.len || agent_json_utf8(expected, found, &size) != character) return false;
  }
  return found == expected.len;
}

static inline bool agent_json_copy_text(agent_json value, char *out, size_t size) {
  value = agent_json_parse(value);
  bool fits = agent_json_kind_of(value) == AGENT_JSON_STRING && size > 0;
  size_t length = 0;
  for (size_t at = 1; fits && at + 1 < value.len;) {
    char character[4];
    int32_t scalar = agent_json_character(value, &at);
    size_t count = agent_json_put_utf8(scalar, character);
    fits = scalar != 0 && count < size - length;
    if (fits) memcpy(out + length, character, count), length += count;
  }
  if (size > 0) out[length] = 0;
  return fits;
}

static inline char *agent_json_new_text(agent_json value) {
  char *text = value.ptr ? (char *)malloc(value.len + 1) : NULL;
  if (text && agent_json_copy_text(value, text, value.len + 1)) return text;
  free(text);
  return NULL;
}

static inline agent_json agent_json_keep(agent_json value) {
  uint8_t *copy = value.ptr ? (uint8_t *)malloc(value.len + 1) : NULL;
  agent_json kept = {copy, copy ? value.len : 0};
  if (copy) memcpy(copy, value.ptr, value.len);
  return kept;
}

static inline void agent_json_free(agent_json kept) { free((void *)kept.ptr); }

#endif
