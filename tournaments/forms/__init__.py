"""Forms: what people type, checked for its shape. Whether it is allowed is asked of the services."""
