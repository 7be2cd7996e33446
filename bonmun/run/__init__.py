"""The container as its own process: configuration, schedule, logs, metrics, screen."""
