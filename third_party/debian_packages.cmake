# Debian packages, made by `cpack` in the build tree of the preset `package`:
# libwyvern0.1 (the shared library), libwyvern-dev (headers, CMake package) and
# wyvern (the program).
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "Wyvern")
set(CPACK_PACKAGE_CONTACT "The Wyvern authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Headers and CMake package of the Wyvern multibody simulator")
set(so_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libwyvern-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libeigen3-dev (>= 3.4), libfmt-dev (>= 9)")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "Runs scenarios of the Wyvern multibody simulator and inspects models")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME wyvern)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
if(WYVERN_SHARED)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS
    "libwyvern${so_version} (= ${PROJECT_VERSION})")
  set(CPACK_COMPONENTS_ALL runtime dev program)
  set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "Block-diagram framework and multibody simulator")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libwyvern${so_version})
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
  # The program's own library, which no installed package has.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
  string(PREPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "libwyvern${so_version} (= ${PROJECT_VERSION}), ")
else()
  set(CPACK_COMPONENTS_ALL dev program)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    ", libtinyxml2-dev, libassimp-dev, libqhull-dev, libyaml-cpp-dev, zlib1g-dev, libhdf5-dev")
endif()
include(CPack)
