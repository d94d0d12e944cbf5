"""The parts of one run that `pipeline` strings together: budget, questions, judgement, records."""
