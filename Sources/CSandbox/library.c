#define _GNU_SOURCE
#include "sandbox.h"

#include <link.h>
#include <string.h>

typedef struct search {
  const char *library;
  char *folder;
  size_t capacity;
} search;

static int matches(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  const search *s = context;
  const char *name = image->dlpi_name ? strrchr(image->dlpi_name, '/') : NULL;
  if (!name || strcmp(name + 1, s->library)) return 0;
  size_t length = (size_t)(name - image->dlpi_name);
  if (length >= s->capacity) return 0;
  memcpy(s->folder, image->dlpi_name, length);
  s->folder[length] = 0;
  return 1;
}

int sandbox_library_folder(const char *library, char *folder, size_t capacity) {
  search s = { library, folder, capacity };
  return dl_iterate_phdr(matches, &s) ? 0 : -1;
}
