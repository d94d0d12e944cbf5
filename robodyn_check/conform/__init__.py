"""Does an adapter speak the protocol, and is what it says right? The claims, the run over models, the verdict."""
