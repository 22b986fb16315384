#include <stddef.h>
#include <stdint.h>

// Of libFuzzer, `FuzzerInterface.h`, and of the address sanitizer, `sanitizer/allocator_interface.h`, which the
// toolchain does not install.

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*testOneInput)(const uint8_t *data, size_t size));

int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *start);
