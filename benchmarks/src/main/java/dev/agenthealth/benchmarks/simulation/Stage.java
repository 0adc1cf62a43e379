package dev.agenthealth.benchmarks.simulation;

/** A stage that may refuse a request, in the order of the request's path. */
enum Stage {
    API("throttle of the API"),
    LAMBDA("concurrency of Lambda"),
    TABLE("capacity of the table"),
    PARTITION("a partition of the table"),
    FEED("a shard of the feed");

    private final String title;

    Stage(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
