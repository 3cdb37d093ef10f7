# Our own build with the variables that OSS-Fuzz sets: CC, CXX, CFLAGS and CXXFLAGS reach CMake by themselves,
# LIB_FUZZING_ENGINE is what targets are linked with, OUT is where they are expected, WORK where to build.
foreach(variable LIB_FUZZING_ENGINE OUT)
  if("$ENV{${variable}}" STREQUAL "")
    message(FATAL_ERROR "${variable} is not set; OSS-Fuzz sets it, and fuzz/oss-fuzz/check_build.py does")
  endif()
endforeach()
set(root ${CMAKE_CURRENT_LIST_DIR}/../..)
set(build $ENV{WORK}/hurray-conformance)
if("$ENV{WORK}" STREQUAL "")
  set(build ${root}/build/oss-fuzz)
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} -S ${root} -B ${build} -G Ninja -DCMAKE_BUILD_TYPE=None -DHURRAY_TESTS=OFF
    "-DHURRAY_FUZZ_ENGINE=$ENV{LIB_FUZZING_ENGINE}" -DHURRAY_STATIC_RUNTIME=ON)
run(${CMAKE_COMMAND} --build ${build} --target fuzz/all)
run(${CMAKE_COMMAND} --build ${build} --target fuzz_seeds)
file(GLOB targets ${root}/fuzz/targets/fz_*.cc)
foreach(source ${targets})
  get_filename_component(name ${source} NAME_WE)
  file(COPY ${build}/fuzz/${name} ${build}/fuzz/${name}_seed_corpus.zip DESTINATION $ENV{OUT})
  configure_file(${root}/fuzz/hurray.dict $ENV{OUT}/${name}.dict COPYONLY)
  # Buffers of a file stand at multiples of 4096: two tensors need more than the others have.
  set(max_len 4096)
  if(name MATCHES "fz_(file|roundtrip)")
    set(max_len 32768)
  endif()
  configure_file(${root}/fuzz/oss-fuzz/target.options $ENV{OUT}/${name}.options @ONLY)
endforeach()
