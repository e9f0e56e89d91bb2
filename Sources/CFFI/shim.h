/* libffi as Swift can use it: its type descriptions are mutable globals, which Swift 6 refuses to
 * share between threads, and its default ABI is an enum that differs between machines. */
#ifndef CFFI_SHIM_H
#define CFFI_SHIM_H

#include <ffi.h>

static inline ffi_type *cffi_void(void) { return &ffi_type_void; }
static inline ffi_type *cffi_uint8(void) { return &ffi_type_uint8; }
static inline ffi_type *cffi_sint8(void) { return &ffi_type_sint8; }
static inline ffi_type *cffi_uint16(void) { return &ffi_type_uint16; }
static inline ffi_type *cffi_sint16(void) { return &ffi_type_sint16; }
static inline ffi_type *cffi_uint32(void) { return &ffi_type_uint32; }
static inline ffi_type *cffi_sint32(void) { return &ffi_type_sint32; }
static inline ffi_type *cffi_uint64(void) { return &ffi_type_uint64; }
static inline ffi_type *cffi_sint64(void) { return &ffi_type_sint64; }
static inline ffi_type *cffi_float(void) { return &ffi_type_float; }
static inline ffi_type *cffi_double(void) { return &ffi_type_double; }
static inline ffi_type *cffi_pointer(void) { return &ffi_type_pointer; }

/* Prepares a call; 0 when libffi accepts it. */
static inline int cffi_prepare(ffi_cif *call, unsigned count, ffi_type *result, ffi_type **types) {
  return ffi_prep_cif(call, FFI_DEFAULT_ABI, count, result, types) == FFI_OK ? 0 : -1;
}

/* Calls `function`, an address from dlsym. */
static inline void cffi_call(ffi_cif *call, void *function, void *result, void **values) {
  ffi_call(call, FFI_FN(function), result, values);
}

#endif
