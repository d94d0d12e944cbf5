"""What `analyze` computes for one robot."""
