#!/bin/bash -eu
cmake -P fuzz/oss-fuzz/build.cmake
