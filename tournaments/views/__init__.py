"""Pages, by audience. They read the present time, call one service, and answer."""
