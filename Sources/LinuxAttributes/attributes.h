// The calls for extended attributes, which Swift's module of the C library leaves out on Linux.
#include <sys/xattr.h>
