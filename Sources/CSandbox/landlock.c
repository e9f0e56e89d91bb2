/* Landlock: which files may be touched. The constants are here because the headers of a system are
 * often older than its kernel. Kernel documentation: userspace-api/landlock. */
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum {
  LL_EXECUTE = 1 << 0, LL_WRITE_FILE = 1 << 1, LL_READ_FILE = 1 << 2, LL_READ_DIR = 1 << 3,
  LL_REMOVE_DIR = 1 << 4, LL_REMOVE_FILE = 1 << 5, LL_MAKE_CHAR = 1 << 6, LL_MAKE_DIR = 1 << 7,
  LL_MAKE_REG = 1 << 8, LL_MAKE_SOCK = 1 << 9, LL_MAKE_FIFO = 1 << 10, LL_MAKE_BLOCK = 1 << 11,
  LL_MAKE_SYM = 1 << 12, LL_REFER = 1 << 13, LL_TRUNCATE = 1 << 14, LL_IOCTL_DEV = 1 << 15,

  LL_READ = LL_READ_FILE | LL_READ_DIR,
  /* Devices are never made, not by root either. */
  LL_WRITE = LL_READ | LL_WRITE_FILE | LL_REMOVE_DIR | LL_REMOVE_FILE | LL_MAKE_DIR | LL_MAKE_REG |
             LL_MAKE_SOCK | LL_MAKE_FIFO | LL_MAKE_SYM | LL_REFER | LL_TRUNCATE | LL_IOCTL_DEV,
  LL_RUN = LL_READ | LL_EXECUTE,
  LL_OF_FILES = LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV
};

enum { LL_NET_BIND_TCP = 1, LL_NET_CONNECT_TCP = 2 };
enum { LL_SCOPE_ABSTRACT_UNIX_SOCKET = 1, LL_SCOPE_SIGNAL = 2 };
enum { LL_CREATE_VERSION = 1, LL_RULE_PATH_BENEATH = 1 };

struct ruleset_attr { uint64_t fs, net, scoped; };
struct path_attr { uint64_t access; int32_t fd; } __attribute__((packed));

static const char *const always_readable[] = {
  "/lib", "/lib32", "/lib64", "/usr",
  "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
  /* Certificates, and not the private keys beside them. */
  "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/openssl.cnf",
  "/etc/ca-certificates", "/etc/pki/ca-trust", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
  "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies", "/var/lib/ca-certificates",
  "/etc/resolv.conf", "/run/systemd/resolve", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf",
  "/etc/services", "/etc/protocols",
  "/etc/localtime", "/etc/timezone",
  "/proc/self", "/dev/random", "/dev/urandom", NULL
};

/* Programs open these for writing without meaning anything by it. */
static const char *const always_writable[] = { "/dev/null", "/dev/full", NULL };

/* Mapped, it is shared memory without a file: see CHECK_MAPPING. */
static const char *const shared_memory[] = { "/dev/zero", NULL };

/* The kernel opens a program's dynamic loader with the right to execute it. */
static const char *const loaders[] = {
  "/lib/ld-linux-aarch64.so.1", "/lib64/ld-linux-x86-64.so.2", NULL
};

const char *const *sandbox_always_readable(void) { return always_readable; }

int sandbox_landlock_abi(void) {
  long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LL_CREATE_VERSION);
  return abi < 0 ? 0 : (int)abi;
}

static uint64_t rights_known(int abi) {
  int last = abi >= 5 ? LL_IOCTL_DEV : abi >= 3 ? LL_TRUNCATE : abi >= 2 ? LL_REFER : LL_MAKE_SYM;
  return ((uint64_t)last << 1) - 1;
}

/* What a rule may be made for. */
typedef enum kinds {
  ANY_FILE,                            /* the sandbox's own lists; links are followed */
  PERMITTED,                           /* what somebody asked for: not what /proc makes of itself */
  PROGRAM                              /* a regular file: a folder would stand for all beneath it */
} kinds;

enum { PROC_MAGIC = 0x9fa0, PROC_ROOT = 1 };

/* Rationale: /proc/self/root, /proc/self/fd/3 and the like are another file for everybody who
 * looks. The whole of /proc may be read; what matters there the kernel keeps from a sandbox by
 * itself. */
static int is_eligible(int fd, kinds kinds, uint64_t rights, const struct stat *about) {
  struct statfs system;
  if (kinds == ANY_FILE) return 1;
  if (kinds == PROGRAM && !S_ISREG(about->st_mode)) return 0;
  if (fstatfs(fd, &system)) return 0;
  return system.f_type != PROC_MAGIC ||
         (about->st_ino == PROC_ROOT && !(rights & ~(uint64_t)LL_READ));
}

static int allow_one(int rules, int fd, uint64_t rights, kinds kinds) {
  struct stat about;
  if (fstat(fd, &about)) return errno;
  if (!is_eligible(fd, kinds, rights, &about)) return 0;
  struct path_attr attr = {
    .access = S_ISDIR(about.st_mode) ? rights : rights & LL_OF_FILES, .fd = fd
  };
  if (!attr.access || !syscall(SYS_landlock_add_rule, rules, LL_RULE_PATH_BENEATH, &attr, 0))
    return 0;
  /* A pipe or a socket without a name, such as /dev/stdout leads to, is on no file system that
   * landlock looks at: it takes no rule and needs none. */
  return errno == EBADFD ? 0 : errno;
}

/* The kernel's struct open_how. */
struct open_attr { uint64_t flags, mode, resolve; };
enum { NR_OPENAT2 = 437, OPEN_NO_SYMLINKS = 4 };

/* Rationale: the host resolved the links of a permitted path when it planned the worker. A link
 * that stands there now was made since, maybe by a module that may write there: it would permit
 * what nobody has seen. */
static int open_place(const char *path, kinds kinds) {
  if (kinds == ANY_FILE) return open(path, O_PATH | O_CLOEXEC);
  struct open_attr how = { .flags = O_PATH | O_CLOEXEC, .resolve = OPEN_NO_SYMLINKS };
  return (int)syscall(NR_OPENAT2, AT_FDCWD, path, &how, sizeof how);
}

/* Failures that say nothing about the path. ENOSYS and EPERM: a filter around the host refuses
 * openat2, which each kernel with landlock has. */
static int is_of_sandbox(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOSYS || error == EPERM;
}

/* A path that doesn't exist permits nothing; any other failure is one of the sandbox. */
static int allow(int rules, const char *const *paths, uint64_t rights, kinds kinds) {
  for (; paths && *paths; paths++) {
    int fd = open_place(*paths, kinds);
    if (fd < 0 && is_of_sandbox(errno)) return errno;
    if (fd < 0) continue;
    int error = allow_one(rules, fd, rights, kinds);
    close(fd);
    if (error) return error;
  }
  return 0;
}

/* A ruleset that doesn't depend on the module but for its network. -1, and errno, on failure. */
static int make_rules(int abi, int network) {
  struct ruleset_attr attr = {
    .fs = rights_known(abi),
    .net = network ? 0 : LL_NET_BIND_TCP | LL_NET_CONNECT_TCP,
    .scoped = LL_SCOPE_SIGNAL | (network ? 0 : LL_SCOPE_ABSTRACT_UNIX_SOCKET),
  };
  size_t size = abi >= 6 ? sizeof attr : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
  if (rules < 0) return -1;
  int error = allow(rules, always_readable, LL_READ & attr.fs, ANY_FILE);
  if (!error)
    error = allow(rules, always_writable, (LL_READ_FILE | LL_WRITE_FILE) & attr.fs, ANY_FILE);
  if (!error) return rules;
  close(rules);
  errno = error;
  return -1;
}

/* Made ahead by sandbox_prepare, for modules without a network; -1 for none. */
static int prepared = -1;

void sandbox_prepare(void) {
  int abi = sandbox_landlock_abi();
  if (abi > 0 && prepared < 0) prepared = make_rules(abi, 0);
}

static int take_prepared(void) {
  int rules = prepared;
  prepared = -1;
  return rules;
}

void sandbox_unprepare(void) {
  int rules = take_prepared();
  if (rules >= 0) close(rules);
}

static int allow_own(int rules, const sandbox_request *request, uint64_t known) {
  int error = allow(rules, request->read, LL_READ & known, PERMITTED);
  if (!error) error = allow(rules, request->write, LL_WRITE & known, PERMITTED);
  if (!error) error = allow(rules, request->run, LL_RUN & known, PROGRAM);
  if (!error && request->fork)
    error = allow(rules, shared_memory, (LL_READ_FILE | LL_WRITE_FILE) & known, ANY_FILE);
  if (!error && request->exec) error = allow(rules, loaders, LL_RUN & known, ANY_FILE);
  return error;
}

int sandbox_landlock(const sandbox_request *request, int abi) {
  if (request->network) sandbox_unprepare();
  int rules = take_prepared();
  if (rules < 0) rules = make_rules(abi, request->network);
  if (rules < 0) return errno;
  int error = allow_own(rules, request, rights_known(abi));
  if (!error && syscall(SYS_landlock_restrict_self, rules, 0)) error = errno;
  close(rules);
  return error;
}
