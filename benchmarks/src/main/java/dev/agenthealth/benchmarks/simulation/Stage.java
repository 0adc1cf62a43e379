package dev.agenthealth.benchmarks.simulation;

/** The stages that may refuse a request, in their order. */
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
