# The kernels for CUDA devices, as one file that goes into the library. Nothing of CUDA is linked: a program brings the driver.
if(NOT BINE_NVCC)
  message(FATAL_ERROR "BINE_CUDA=ON: nvcc was not found; expected it in PATH, in /usr/local/cuda/bin or as -DBINE_NVCC=FILE")
endif()
set(BINE_CUDA_ARCHITECTURES 80 90 CACHE STRING "CUDA architectures to compile for; later ones compile the last at run time")
set(generate "")
foreach(architecture ${BINE_CUDA_ARCHITECTURES})
  list(APPEND generate -gencode arch=compute_${architecture},code=sm_${architecture})
  set(last ${architecture})
endforeach()
list(APPEND generate -gencode arch=compute_${last},code=compute_${last})
set(image ${CMAKE_BINARY_DIR}/kernels.fatbin)
add_custom_command(OUTPUT ${image}
  COMMAND ${BINE_NVCC} -O3 -std=c++17 -fatbin -Xfatbin=-compress-all ${generate} -o ${image} ${PROJECT_SOURCE_DIR}/src/device/kernels.cu
  DEPENDS ${PROJECT_SOURCE_DIR}/src/device/kernels.cu ${PROJECT_SOURCE_DIR}/src/device/job.h
  COMMENT "Compiling the kernels" VERBATIM)
add_custom_target(bine-kernels DEPENDS ${image})
add_dependencies(bine-objects bine-kernels)
set_source_files_properties(src/device/image.c PROPERTIES COMPILE_DEFINITIONS BINE_CUDA_IMAGE="${image}" OBJECT_DEPENDS ${image})
