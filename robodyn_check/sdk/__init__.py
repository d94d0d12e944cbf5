"""All that an adapter may import; needs numpy only."""
