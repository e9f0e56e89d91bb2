/* Files, and what is known of them. */
#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

static int opened(const char *path, int flags) {
  int fd = open(path, flags | O_CLOEXEC, 0600);
  int result = tried(fd);
  if (fd >= 0) close(fd);
  return result;
}

/* A new file, which is gone again when it was made. */
static int made(const char *path) {
  int result = opened(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!result) unlink(path);
  return result;
}

static int of_process(int pid, const char *name, int flags) {
  char path[128];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  return opened(path, flags);
}

/* A file of the module's own, which it may read. */
static int own(void) { return open("module.json", O_RDONLY | O_CLOEXEC); }

static int read_settings(void) { return opened(in_agent("settings.json"), O_RDONLY); }
static int read_settings_up(void) { return opened("../../settings.json", O_RDONLY); }
static int read_variables(void) { return opened(in_agent(".env"), O_RDONLY); }
static int read_database(void) { return opened(in_agent(".agent/store.db"), O_RDONLY); }
static int read_log(void) { return opened(in_agent(".agent/logs"), O_RDONLY | O_DIRECTORY); }
static int read_sibling(void) { return opened(in_agent("modules/good/module.json"), O_RDONLY); }
static int list_agent(void) { return opened(in_agent("."), O_RDONLY | O_DIRECTORY); }
static int read_passwd(void) { return opened("/etc/passwd", O_RDONLY); }
static int read_shadow(void) { return opened("/etc/shadow", O_RDONLY); }
static int read_root(void) { return opened("/proc/self/root/etc/passwd", O_RDONLY); }
static int read_cwd(void) { return opened("/proc/self/cwd/../../settings.json", O_RDONLY); }
static int read_environ(void) { return of_process(around.host, "environ", O_RDONLY); }
static int read_memory(void) { return of_process(around.host, "mem", O_RDWR); }
static int read_command(void) { return of_process(around.host, "cmdline", O_RDONLY); }
static int read_descriptors(void) { return of_process(around.host, "fd", O_RDONLY); }
static int read_sibling_maps(void) { return of_process(around.sibling, "maps", O_RDONLY); }
static int read_disk(void) { return opened("/dev/kmsg", O_RDONLY); }

static int write_settings(void) { return opened(in_agent("settings.json"), O_WRONLY); }
static int write_new(void) { return made(in_agent("written")); }
static int write_own(void) { return made("written"); }
static int write_temporary(void) { return made("/tmp/agent-attack"); }
static int write_unnamed(void) { return opened("/tmp", O_TMPFILE | O_WRONLY); }
static int write_shared(void) { return made("/dev/shm/agent-attack"); }
static int truncates(void) { return tried(truncate(in_agent("settings.json"), 0)); }
static int unlinks(void) { return tried(unlink(in_agent("settings.json"))); }
static int make_folder(void) { return tried(mkdir("made", 0700)); }
static int make_link(void) { return tried(symlink("/", "made-link")); }
static int make_hard_link(void) { return tried(link("module.json", "made-hard")); }
static int make_pipe(void) { return tried(mkfifo("made-pipe", 0600)); }
static int make_device(void) { return tried(mknod("made-device", S_IFCHR | 0600, 1 << 8 | 1)); }
static int renames(void) { return tried(rename("module.json", "moved")); }

/* Attributes: of a file of the user's that isn't the module's. */
static int change_mode(void) { return tried(chmod(in_agent(".env"), 0644)); }
static int change_folder(void) { return tried(chmod(in_agent(".agent"), 0755)); }
static int change_mode_at(void) {
  return tried(fchmodat(AT_FDCWD, in_agent(".env"), 0644, 0));
}
static int change_mode_at2(void) {
  return tried(syscall(452 /* fchmodat2 */, AT_FDCWD, in_agent(".env"), 0644, 0));
}
static int change_mode_of_descriptor(void) {
  int fd = own();
  int result = tried(fchmod(fd, 0644));
  close(fd);
  return result;
}
static int change_owner(void) { return tried(chown(in_agent(".env"), getuid(), getgid())); }
static int change_owner_link(void) { return tried(lchown(in_agent(".env"), getuid(), getgid())); }
static int change_owner_at(void) {
  return tried(fchownat(AT_FDCWD, in_agent(".env"), getuid(), getgid(), 0));
}
static int change_owner_of_descriptor(void) {
  int fd = own();
  int result = tried(fchown(fd, getuid(), getgid()));
  close(fd);
  return result;
}
static int change_times(void) { return tried(utimensat(AT_FDCWD, in_agent(".env"), NULL, 0)); }
static int change_times_old(void) { return tried(utime(in_agent(".env"), NULL)); }
static int change_times_older(void) { return tried(utimes(in_agent(".env"), NULL)); }
static int set_attribute(void) {
  return tried(setxattr(in_agent(".env"), "user.attack", "1", 1, 0));
}
static int remove_attribute(void) { return tried(removexattr(in_agent(".env"), "user.none")); }
static int set_attribute_at(void) {
  return tried(syscall(463 /* setxattrat */, AT_FDCWD, in_agent(".env"), 0, "user.x", NULL, 0));
}
static int set_file_attribute(void) {
  return tried(syscall(469 /* file_setattr */, AT_FDCWD, in_agent(".env"), NULL, 0, 0));
}
static int set_flags(void) {
  int flags = 0, fd = own();
  int result = ioctl(fd, FS_IOC_GETFLAGS, &flags) ? errno : 0;
  flags |= FS_NOATIME_FL;
  result = tried(ioctl(fd, FS_IOC_SETFLAGS, &flags));
  close(fd);
  return result;
}
static int lease(void) {
  int fd = own();
  int result = tried(fcntl(fd, F_SETLEASE, F_RDLCK));
  close(fd);
  return result;
}
static int watch_names(void) {
  int fd = inotify_init1(IN_CLOEXEC);
  if (fd < 0) return errno;
  int result = tried(inotify_add_watch(fd, in_agent("."), IN_ALL_EVENTS));
  close(fd);
  return result;
}
static int notify_names(void) {
  int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int result = tried(fcntl(fd, F_NOTIFY, DN_CREATE));
  close(fd);
  return result;
}
static int handle(void) {
  struct { struct file_handle handle; char space[128]; } h = { { .handle_bytes = 128 }, { 0 } };
  int mount;
  return tried(name_to_handle_at(AT_FDCWD, in_agent(".env"), &h.handle, &mount, 0));
}

const attempt file_attempts[] = {
  { "read the settings", read_settings }, { "read the settings by ..", read_settings_up },
  { "read .env", read_variables }, { "read the database", read_database },
  { "list the logs", read_log }, { "read a sibling's manifest", read_sibling },
  { "list the agent's folder", list_agent }, { "read /etc/passwd", read_passwd },
  { "read /etc/shadow", read_shadow }, { "read through /proc/self/root", read_root },
  { "read through /proc/self/cwd", read_cwd }, { "read the host's variables", read_environ },
  { "open the host's memory", read_memory }, { "read the host's arguments", read_command },
  { "list the host's descriptors", read_descriptors },
  { "read a sibling's maps", read_sibling_maps }, { "read /dev/kmsg", read_disk },
  { "write the settings", write_settings }, { "write into the agent's folder", write_new },
  { "write into its own folder", write_own }, { "write into /tmp", write_temporary },
  { "make an unnamed file", write_unnamed }, { "write into /dev/shm", write_shared },
  { "truncate the settings", truncates }, { "remove the settings", unlinks },
  { "make a folder", make_folder }, { "make a symbolic link", make_link },
  { "make a hard link", make_hard_link }, { "make a named pipe", make_pipe },
  { "make a device", make_device }, { "rename its manifest", renames },
  { "chmod", change_mode }, { "chmod of .agent", change_folder }, { "fchmodat", change_mode_at },
  { "fchmodat2", change_mode_at2 }, { "fchmod", change_mode_of_descriptor },
  { "chown", change_owner }, { "lchown", change_owner_link }, { "fchownat", change_owner_at },
  { "fchown", change_owner_of_descriptor }, { "utimensat", change_times },
  { "utime", change_times_old }, { "utimes", change_times_older },
  { "setxattr", set_attribute }, { "removexattr", remove_attribute },
  { "setxattrat", set_attribute_at }, { "file_setattr", set_file_attribute },
  { "set a file's flags", set_flags }, { "lease a file", lease },
  { "watch names (inotify)", watch_names }, { "watch names (dnotify)", notify_names },
  { "make a file handle", handle }, { 0 },
};
