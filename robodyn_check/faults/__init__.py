"""Planted faults in files and libraries, with their right answers; tests and the exam use the same ones."""
