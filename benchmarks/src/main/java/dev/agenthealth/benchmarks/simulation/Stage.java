package dev.agenthealth.benchmarks.simulation;

/** What may refuse a request, in its order. */
enum Stage {
    API("throttle of the API"),
    LAMBDA("concurrency of Lambda"),
    TABLE("capacity of the table"),
    PARTITION("a partition of the table");

    private final String title;

    Stage(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
