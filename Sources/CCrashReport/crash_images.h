#ifndef CRASH_IMAGES_H
#define CRASH_IMAGES_H

#include <stddef.h>

/* The loaded libraries as the text of a JSON array's elements. */
typedef struct crash_images {
  size_t length, capacity;
  char text[];
} crash_images;

/* The newest list; NULL for none. Safe in a signal handler. */
const crash_images *crash_noted_images(void);

#endif
