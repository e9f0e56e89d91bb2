/* filter.h: a program for the kernel's filter of system calls. Internal to CSandbox. */
#ifndef FILTER_H
#define FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#define FILTER_REFUSE(e) (SECCOMP_RET_ERRNO | (e))

/* Space for a tree over all numbers with a check at each leaf, and far below the kernel's 4,096. */
enum { FILTER_MAX = 2048 };

typedef struct filter {
  struct sock_filter code[FILTER_MAX];
  unsigned short length;
  int overflowed;                      /* an instruction had no space: the program is useless */
} filter;

/* The low half of an argument: what the kernel looks at where it expects an int. */
#define FILTER_ARGUMENT(n) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n)))

void filter_emit(filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no);
void filter_load(filter *f, uint32_t offset);
void filter_give(filter *f, uint32_t verdict);
/* Goes on behind `yes` or `no` further instructions. */
void filter_equal(filter *f, uint32_t value, uint8_t yes, uint8_t no);
/* Ends the program with `verdict` when what is loaded is `value`. */
void filter_when(filter *f, uint32_t value, uint32_t verdict);
/* Loads an argument; ends with `allow` when it is one of these values, with EPERM otherwise. */
void filter_among(filter *f, int argument, const uint32_t *values, size_t count);

#endif
