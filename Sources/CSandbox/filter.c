#include "filter.h"

#include <errno.h>

void filter_emit(filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
  if (f->length < FILTER_MAX)
    f->code[f->length++] = (struct sock_filter){ code, yes, no, k };
  else
    f->overflowed = 1;
}

void filter_load(filter *f, uint32_t offset) {
  filter_emit(f, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

void filter_give(filter *f, uint32_t verdict) { filter_emit(f, BPF_RET | BPF_K, verdict, 0, 0); }

void filter_equal(filter *f, uint32_t value, uint8_t yes, uint8_t no) {
  filter_emit(f, BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

void filter_when(filter *f, uint32_t value, uint32_t verdict) {
  filter_equal(f, value, 0, 1);
  filter_give(f, verdict);
}

void filter_among(filter *f, int argument, const uint32_t *values, size_t count) {
  filter_load(f, FILTER_ARGUMENT(argument));
  for (size_t i = 0; i < count; i++) filter_when(f, values[i], SECCOMP_RET_ALLOW);
  filter_give(f, FILTER_REFUSE(EPERM));
}
