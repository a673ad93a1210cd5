/* The compiled kernels, for the driver to load. */
#ifndef BINE_DEVICE_IMAGE_H
#define BINE_DEVICE_IMAGE_H

/* NULL where Bine was built without CUDA. */
const void *bine_device_image(void);

#endif
