# A user's project against Wyvern installed from this build, and against its
# sources. Each step is a test; a failed one stops those that need it.
set(consumer_dir ${PROJECT_BINARY_DIR}/consumer)
set(consumer_launcher "")
if(CMAKE_CXX_COMPILER_LAUNCHER)
  list(GET CMAKE_CXX_COMPILER_LAUNCHER -1 consumer_launcher)
endif()
set(consumer_common
  -S ${CMAKE_CURRENT_SOURCE_DIR}/consumer -G ${CMAKE_GENERATOR}
  -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${consumer_launcher})

# wyvern_consumer_test(<name> [NEEDS <step>...] COMMAND ...)
function(wyvern_consumer_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "NEEDS;COMMAND")
  add_test(NAME consumer.${name} COMMAND ${ARG_COMMAND})
  set_tests_properties(consumer.${name} PROPERTIES LABELS consumer TIMEOUT 900
    FIXTURES_SETUP consumer.${name})
  if(ARG_NEEDS)
    list(TRANSFORM ARG_NEEDS PREPEND consumer.)
    set_tests_properties(consumer.${name} PROPERTIES
      FIXTURES_REQUIRED "${ARG_NEEDS}")
  endif()
endfunction()

wyvern_consumer_test(install COMMAND ${CMAKE_COMMAND} --install
  ${PROJECT_BINARY_DIR} --prefix ${consumer_dir}/prefix)
# The page of the manual and Bash's completion, of the program as it is.
foreach(file man/man1/wyvern.1 bash-completion/completions/wyvern)
  get_filename_component(name ${file} NAME)
  wyvern_consumer_test(installed.${name} NEEDS install COMMAND
    grep "completion" ${consumer_dir}/prefix/share/${file})
endforeach()
# A scenario finds its model at its place among the installed examples.
wyvern_consumer_test(installed.scenario NEEDS install COMMAND
  ${consumer_dir}/prefix/bin/wyvern diagram
  ${consumer_dir}/prefix/share/wyvern/app/scenarios/arm_pd.yaml)
# So does a page its picture.
foreach(file docs/getting_started.md docs/images/live.webp app/README.md
    examples/README.md)
  wyvern_consumer_test(installed.${file} NEEDS install COMMAND
    ${CMAKE_COMMAND} -E compare_files ${PROJECT_SOURCE_DIR}/${file}
    ${consumer_dir}/prefix/share/wyvern/${file})
endforeach()
wyvern_consumer_test(package.configure NEEDS install COMMAND ${CMAKE_COMMAND}
  ${consumer_common} -B ${consumer_dir}/package
  -D CMAKE_PREFIX_PATH=${consumer_dir}/prefix)
foreach(program one_layer framework_only whole_library)
  wyvern_consumer_test(package.${program}.build NEEDS package.configure
    COMMAND ${CMAKE_COMMAND} --build ${consumer_dir}/package -t ${program})
endforeach()
wyvern_consumer_test(package.one_layer NEEDS package.one_layer.build
  COMMAND ${consumer_dir}/package/one_layer)
wyvern_consumer_test(package.framework_only NEEDS package.framework_only.build
  COMMAND ${consumer_dir}/package/framework_only)

wyvern_consumer_test(package.whole_library NEEDS package.whole_library.build
  COMMAND ${consumer_dir}/package/whole_library
  ${PROJECT_SOURCE_DIR}/examples/models/arm.urdf)

if(WYVERN_BUILD_DRAKE)
  wyvern_consumer_test(package.drake_program.build NEEDS package.configure
    COMMAND ${CMAKE_COMMAND} --build ${consumer_dir}/package -t drake_program)
  wyvern_consumer_test(package.drake_program NEEDS package.drake_program.build
    COMMAND ${consumer_dir}/package/drake_program)
endif()

# What the framework's users link names no multibody library, and of geometry
# only its mathematics, for trajectories of poses.
wyvern_consumer_test(framework_links_no_multibody NEEDS package.configure
  COMMAND ninja -C ${consumer_dir}/package -t commands framework_only)
set_tests_properties(consumer.framework_links_no_multibody PROPERTIES
  PASS_REGULAR_EXPRESSION "libwyvern_systems_framework"
  FAIL_REGULAR_EXPRESSION "wyvern_multibody;wyvern_geometry_[^m]")

# From the sources: a layer of few files is built and used, unoptimised; for the
# framework a user's source is compiled, which needs no library.
wyvern_consumer_test(sources.configure COMMAND ${CMAKE_COMMAND}
  ${consumer_common} -B ${consumer_dir}/sources
  -D WYVERN_SOURCE_DIR=${PROJECT_SOURCE_DIR} -D CMAKE_CXX_FLAGS=-O0
  -D WYVERN_AUTODIFF=OFF)
wyvern_consumer_test(sources.build NEEDS sources.configure
  COMMAND ${CMAKE_COMMAND} --build ${consumer_dir}/sources
  -t one_layer framework_only_object)
wyvern_consumer_test(sources.one_layer NEEDS sources.build
  COMMAND ${consumer_dir}/sources/one_layer)

# What needs AutoDiffXd in a library for double alone says how to get it. It
# costs a build of the framework, so ./test --release alone runs it.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  wyvern_consumer_test(sources.double_alone.build NEEDS sources.configure
    COMMAND ${CMAKE_COMMAND} --build ${consumer_dir}/sources -t double_alone)
  wyvern_consumer_test(sources.double_alone NEEDS sources.double_alone.build
    COMMAND ${consumer_dir}/sources/double_alone)
endif()
