/* A part of agent_json.h: numbers, exactly and whatever the locale is. */
#ifndef AGENT_JSON_NUMBERS_H
#define AGENT_JSON_NUMBERS_H

#ifndef AGENT_JSON_H
#error "Include agent_json.h."
#endif

/* A number as its digits, with a point among them at most, and how many of the digits stand before
 * the point once the exponent has moved it: 12.5e1 is "12.5" and 3. */
typedef struct agent_json_decimal {
  agent_bytes digits;
  int64_t point;
  bool is_negative;
} agent_json_decimal;

static inline bool agent_json_read_decimal(agent_json value, agent_json_decimal *number) {
  value = agent_json_parse(value);
  if (agent_json_kind_of(value) != AGENT_JSON_NUMBER) return false;
  number->is_negative = value.ptr[0] == '-';
  size_t begin = number->is_negative ? 1 : 0, at = begin;
  bool is_whole = true, shrinks = false;
  int64_t point = 0, exponent = 0;
  for (; at < value.len && value.ptr[at] != 'e' && value.ptr[at] != 'E'; at++) {
    is_whole = is_whole && value.ptr[at] != '.';
    point += is_whole;
  }
  number->digits = agent_json_part(value, begin, at);
  for (at++; at < value.len; at++) {
    shrinks = shrinks || value.ptr[at] == '-';
    /* Larger exponents than this mean the same: no text has as many digits. */
    if (value.ptr[at] >= '0' && exponent < INT64_MAX / 100) {
      exponent = exponent * 10 + (value.ptr[at] - '0');
    }
  }
  number->point = shrinks ? point - exponent : point + exponent;
  return true;
}

/* Multiplies by ten and adds a digit; false where that is too large. */
static inline bool agent_json_add_digit(uint64_t *number, uint8_t digit) {
  if (*number > (UINT64_MAX - digit) / 10) return false;
  *number = *number * 10 + digit;
  return true;
}

static inline int64_t agent_json_int(agent_json value, int64_t otherwise) {
  agent_json_decimal number;
  uint64_t magnitude = 0;
  int64_t place = 0;
  if (!agent_json_read_decimal(value, &number)) return otherwise;
  for (size_t at = 0; at < number.digits.len; at++) {
    if (number.digits.ptr[at] == '.') continue;
    uint8_t digit = (uint8_t)(number.digits.ptr[at] - '0');
    bool is_fraction = place++ >= number.point;
    if (is_fraction ? digit != 0 : !agent_json_add_digit(&magnitude, digit)) return otherwise;
  }
  for (; magnitude > 0 && place < number.point; place++) {
    if (!agent_json_add_digit(&magnitude, 0)) return otherwise;
  }
  if (magnitude > (uint64_t)INT64_MAX + number.is_negative) return otherwise;
  /* Less one and back: the least integer has no positive counterpart. */
  if (number.is_negative && magnitude > 0) return -(int64_t)(magnitude - 1) - 1;
  return (int64_t)magnitude;
}

static inline double agent_json_double(agent_json value, double otherwise) {
  /* No double needs more digits to be rounded correctly; of more, all that counts is whether one
   * of them isn't zero. Without a point strtod reads the same in every locale. */
  enum { NEEDED = 770 };
  char text[NEEDED + 32];
  agent_json_decimal number;
  size_t length = 0;
  int64_t place = 0, last = 0;
  bool has_more = false;
  if (!agent_json_read_decimal(value, &number)) return otherwise;
  if (number.is_negative) text[length++] = '-';
  for (size_t at = 0; at < number.digits.len; at++) {
    uint8_t digit = number.digits.ptr[at];
    if (digit == '.') continue;
    place++;
    if (digit == '0' && last == 0) continue;
    has_more = has_more || (length >= NEEDED && digit != '0');
    if (length < NEEDED) text[length++] = (char)digit, last = place;
  }
  if (last == 0) return number.is_negative ? -0.0 : 0.0;
  if (has_more) text[length++] = '1', last++;
  snprintf(text + length, sizeof text - length, "e%lld", (long long)(number.point - last));
  double result = strtod(text, NULL);
  return result > DBL_MAX || result < -DBL_MAX ? otherwise : result;
}

/* Writes the fewest digits that read as the same number; returns how many bytes they have. */
static inline size_t agent_json_write_double(double number, char out[48]) {
  char text[48];
  size_t length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  /* Whatever the locale has for a point, of however many bytes. */
  for (const char *c = text; *c; c++) {
    if (strchr("0123456789+-e", *c)) out[length++] = *c;
    else if (length == 0 || out[length - 1] != '.') out[length++] = '.';
  }
  return length;
}

#endif
