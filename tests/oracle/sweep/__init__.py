"""The parts of network_sweep.py."""
