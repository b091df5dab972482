"""Forms: what people type, checked for its shape; whether it may be is asked of the services."""
