"""HTTP and WebSocket: the application, what every request passes, and how errors become answers."""
