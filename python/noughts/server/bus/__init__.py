"""Messages between the processes of one server, on this machine or over NATS."""
