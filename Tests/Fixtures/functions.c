/* Plain C functions for the manifest's "functions". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int8_t add8(int8_t a, int8_t b) { return (int8_t)(a + b); }
uint64_t largest(void) { return UINT64_MAX; }
int negate(int value) { return -value; }
double scale(double value, float factor) { return value * factor; }
unsigned char is_even(unsigned char flag, int16_t n) { return flag && n % 2 == 0; }
const char *greeting(void) { return "hello"; }
const char *nothing(void) { return NULL; }
char *shout(const char *text) {
  char *copy = strdup(text);
  for (char *c = copy; c && *c; c++) if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 32);
  return copy;
}
static int released;
char *lend(void) { return strdup("lent"); }
void give_back(char *text) { released++; free(text); }
int released_count(void) { return released; }
void fill(uint8_t *buffer, uint32_t size, const uint8_t *pattern) {
  for (uint32_t i = 0; i < size; i++) buffer[i] = pattern[i % 2];
}
