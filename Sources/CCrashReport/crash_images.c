#define _GNU_SOURCE
#include "crash_images.h"
#include "crash.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With the sandbox's record and the counters before them, images fit into a pipe of 64 KiB. */
enum { MOST_TEXT = 48 << 10 };

static _Atomic(crash_images *) noted;

/* Grows by doubling; after a failure it stays as it was. */
static void append(crash_images **images, const char *text, size_t length) {
  crash_images *now = *images;
  if (!now) return;
  if (now->length + length > now->capacity) {
    size_t capacity = 2 * (now->capacity + length);
    now = realloc(now, sizeof *now + capacity);
    if (!now) return;
    now->capacity = capacity;
    *images = now;
  }
  memcpy(now->text + now->length, text, length);
  now->length += length;
}

static void append_path(crash_images **images, const char *path) {
  for (; *path; path++) {
    char escaped[8];
    unsigned char c = (unsigned char)*path;
    int plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
    int length = snprintf(escaped, sizeof escaped, plain ? "%c" : "\\u%04x", c);
    append(images, escaped, (size_t)length);
  }
}

static void append_build_id(crash_images **images, const char *note, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    memcpy(&header, note, sizeof header);
    size_t name = (header.n_namesz + 3u) & ~3u, description = (header.n_descsz + 3u) & ~3u;
    if (name > size || description > size || sizeof header + name + description > size) return;
    const char *bytes = note + sizeof header + name;
    if (header.n_type == NT_GNU_BUILD_ID && !memcmp(note + sizeof header, "GNU", 4)) {
      char hex[3];
      for (size_t i = 0; i < header.n_descsz; i++)
        append(images, hex, (size_t)snprintf(hex, sizeof hex, "%02x", (unsigned char)bytes[i]));
      return;
    }
    note = bytes + description;
    size -= sizeof header + name + description;
  }
}

/* Those that were loaded first are kept where all are too many: the worker, its libraries and the
 * module's library, to which the host knows the names. What that library has loaded comes behind. */
static int is_full(crash_images *images, size_t length_before) {
  if (!images || images->length <= MOST_TEXT) return 0;
  images->length = length_before;
  return 1;
}

static int note_image(struct dl_phdr_info *image, size_t size, void *context) {
  (void)size;
  crash_images **images = context;
  size_t before = *images ? (*images)->length : 0;
  char base[48], program[4096];
  const char *path = image->dlpi_name;
  if (!path || !*path) {
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length < 0 ? 0 : length] = 0;
    path = program;
  }
  const char *start = *images && (*images)->length ? ",{\"path\":\"" : "{\"path\":\"";
  append(images, start, strlen(start));
  append_path(images, path);
  int length = snprintf(base, sizeof base, "\",\"base\":\"0x%lx\",\"build_id\":\"",
                        (unsigned long)image->dlpi_addr);
  append(images, base, (size_t)length);
  for (int i = 0; i < image->dlpi_phnum; i++)
    if (image->dlpi_phdr[i].p_type == PT_NOTE)
      append_build_id(images, (const char *)(image->dlpi_addr + image->dlpi_phdr[i].p_vaddr),
                      image->dlpi_phdr[i].p_memsz);
  append(images, "\"}", 2);
  return is_full(*images, before);
}

void crash_note_images(void) {
  crash_images *images = calloc(1, sizeof *images + 4096);
  if (!images) return;
  images->capacity = 4096;
  dl_iterate_phdr(note_image, &images);
  /* The older list stays: a thread may be writing it at this moment. */
  atomic_store(&noted, images);
}

const crash_images *crash_noted_images(void) { return atomic_load(&noted); }
