#include "device/image.h"

#include <stddef.h>

#ifdef BINE_CUDA_IMAGE
__asm__(".pushsection .rodata, \"a\"\n"
        ".balign 64\n"
        "bine_device_image_bytes:\n"
        ".incbin \"" BINE_CUDA_IMAGE "\"\n"
        ".popsection\n");
extern const char bine_device_image_bytes[] __attribute__((visibility("hidden")));

const void *bine_device_image(void) {
    return bine_device_image_bytes;
}
#else
const void *bine_device_image(void) {
    return NULL;
}
#endif
