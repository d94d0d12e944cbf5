"""Find adapters, give each an environment and a process, speak the protocol."""
