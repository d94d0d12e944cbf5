"""The command line: one short file per verb; heavy imports stand inside the verb."""
