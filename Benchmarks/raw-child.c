/* The least that a child can be: says one byte and waits until its parent is gone. */
#include <unistd.h>

int main(void) {
  char byte = 'r';
  if (write(STDOUT_FILENO, &byte, 1) != 1) return 1;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return 0;
}
