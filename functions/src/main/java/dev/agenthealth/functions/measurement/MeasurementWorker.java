package dev.agenthealth.functions.measurement;

/** Somebody who measures a shard with more agents due than one run is to take on. */
interface MeasurementWorker {

    /**
     * Computes the health of the agents of a shard that are due.
     *
     * @throws RuntimeException where it failed; the agents stay due
     */
    MeasurementPass.Outcome measure(int shard);
}
