# Sources of other layers that are compiled once more, for symbolic::Expression.
# They are listed here alone; `<name>_instantiation.cc` says how each list is
# compiled, and includes it as <wyvern_<name>_sources.inc>.

# wyvern_sources_for_expressions(<name> <pattern>... [PARTS <pattern>...]
# [EXCEPT <pattern>...]): a pattern is a path without .cc. Takes the sources that
# instantiate templates on the default scalars. A class is instantiated at the end
# of its own source. A source without a header of its own is a part of a class,
# and so are PARTS: these come before, and instantiate no class.
function(wyvern_sources_for_expressions name)
  cmake_parse_arguments(ARG "" "" "PARTS;EXCEPT" ${ARGN})
  foreach(kind PARTS EXCEPT UNPARSED_ARGUMENTS)
    set(${kind} "")
    foreach(pattern IN LISTS ARG_${kind})
      file(GLOB found CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
        ${PROJECT_SOURCE_DIR}/${pattern}.cc)
      if(NOT found)
        message(FATAL_ERROR "No source is ${pattern}.cc, which "
          "sources_for_expressions.cmake names")
      endif()
      list(APPEND ${kind} ${found})
    endforeach()
  endforeach()
  set(CLASSES "")
  foreach(source IN LISTS UNPARSED_ARGUMENTS)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${source} line LIMIT_COUNT 1
      REGEX "^WYVERN_(INSTANTIATE_ON|FOR_EACH)_DEFAULT_SCALAR")
    string(REGEX REPLACE "cc$" "h" header ${source})
    if(NOT line OR source IN_LIST EXCEPT)
      continue()
    elseif(EXISTS ${PROJECT_SOURCE_DIR}/${header})
      list(APPEND CLASSES ${source})
    else()
      list(APPEND PARTS ${source})
    endif()
  endforeach()
  set(text "// Made by sources_for_expressions.cmake.\n")
  foreach(kind PARTS CLASSES)
    string(APPEND text "#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS\n"
      "#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS \\\n"
      "  WYVERN_INSTANTIATE_${kind}\n")
    foreach(source IN LISTS ${kind})
      string(APPEND text
        "#include \"wyvern/${source}\"\n#undef WYVERN_INSTANTIATE\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${WYVERN_INCLUDE_DIR}/wyvern_${name}_sources.inc
    CONTENT "${text}" @ONLY)
endfunction()

# Layer systems/symbolic/systems.
# A LoopSolver iterates on values.
wyvern_sources_for_expressions(framework systems/framework/*
  EXCEPT systems/framework/loop_solver)
set(blocks adder constant_value_source constant_vector_source demultiplexer
  discrete_derivative discrete_time_delay discrete_time_integrator
  first_order_low_pass_filter gain integrator linear/affine_system
  linear/linear_system linear/matrix_gain linear/time_varying_affine_system
  multiplexer overflow_check pass_through saturation sine sparse_matrix_gain
  zero_order_hold)
list(TRANSFORM blocks PREPEND systems/primitives/)
wyvern_sources_for_expressions(primitives ${blocks})

# Layer multibody/symbolic. Sources of `dynamics` are those that
# SymbolicDynamics calls, those of `plant_dynamics` serve the plant.
set(dynamics inverse_dynamics jacobians model_parameters newton_euler
  position_kinematics)
set(plant_dynamics body_kinematics center_of_mass centroidal_momentum forward_dynamics
  generalized_coordinates inertias_in_world inverse_dynamics jacobians mass_matrix
  momentum_and_energy node_forces position_kinematics reaction_forces
  velocity_kinematics)
foreach(name dynamics plant_dynamics)
  list(TRANSFORM ${name} PREPEND multibody/dynamics/)
  wyvern_sources_for_expressions(${name} ${${name}})
endforeach()
wyvern_sources_for_expressions(math geometry/math/* multibody/math/*
  multibody/dynamics/mobilizers/*
  EXCEPT multibody/math/piecewise_constant_curvature_trajectory)
wyvern_sources_for_expressions(joint multibody/tree/*_joint)
# Limits, tendons around bodies and couplers decide by values.
set(by_value articulated_inertias polynomial_coupler rotation_limit spatial_tendon
  tendon_path *_joint)
list(TRANSFORM by_value PREPEND multibody/tree/)
wyvern_sources_for_expressions(tree multibody/tree/* EXCEPT ${by_value})
# plant_instantiation.cc names functions of two facets, those that need no numbers.
# The last source has names that others have, too.
set(facets actuation building constraints contact dynamics elements energy
  free_bodies jacobians kinematics mass_properties names state ports)
list(TRANSFORM facets PREPEND multibody/plant/plant_)
set(parts parts/actuation_part parts/body_sets parts/dynamics_part
  step/position_rates)
list(TRANSFORM parts PREPEND multibody/plant/)
wyvern_sources_for_expressions(plant
  multibody/plant/contact_results
  multibody/plant/externally_applied_spatial_force_multiplexer
  multibody/plant/multibody_plant ${parts} ${facets}
  PARTS geometry/scene_graph/kinematics_vector
  multibody/plant/plant_derivatives multibody/plant/plant_geometry)
wyvern_sources_for_expressions(standalone multibody/standalone/*)

# They redefine the macros of scalars, and their sources have local names in common.
foreach(name systems/symbolic/systems/framework systems/symbolic/systems/primitives
    multibody/symbolic/dynamics
    multibody/symbolic/plant/plant_dynamics
    multibody/symbolic/plant/math multibody/symbolic/plant/plant
    multibody/symbolic/plant/standalone multibody/symbolic/plant/tree)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/${name}_instantiation.cc
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()
