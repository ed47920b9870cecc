"""Block diagrams: the framework, blocks, controllers and the simulator."""
