package dev.agenthealth.local.fleet;

/** A way to report the outcomes of an agent. */
enum Reporting {
    /** The agent sends them after its heartbeats. */
    BY_REQUEST,
    /** The agent sends them after its heartbeats and loses each first answer, so that it sends every batch twice. */
    BY_REQUEST_LOSING_ANSWERS,
    /** The agent sends them with its heartbeats. */
    ON_HEARTBEATS,
    /** A coordinator sends them. */
    BY_COORDINATOR
}
