package dev.agenthealth.benchmarks.cost;

/**
 * A deed as often as a workload brings it in a month.
 *
 * @param deed what is done
 * @param times how often; 0 or more
 * @param runs of its function that begin for it; 0 where it is part of another's
 * @param requests at the API that it comes with
 * @param budget what it takes each time
 * @param seconds of its function in all
 */
record Doing(Deed deed, double times, double runs, double requests, Budget budget, double seconds) {

    /** A deed that comes with a request of its own. */
    static Doing requested(Deed deed, double times, Budget budget, double ms) {
        return new Doing(deed, times, times, times, budget, times * ms / 1_000);
    }

    /** A deed that is a run of its own. */
    static Doing run(Deed deed, double times, Budget budget, double ms) {
        return new Doing(deed, times, times, 0, budget, times * ms / 1_000);
    }

    /** A deed that is part of something else. */
    static Doing within(Deed deed, double times, Budget budget, double ms) {
        return new Doing(deed, times, 0, 0, budget, times * ms / 1_000);
    }

    double events() {
        return times * budget.events();
    }
}
