package dev.agenthealth.local.fleet;

/** How the outcomes of an agent come to the registry. */
enum Reporting {
    /** The agent sends them after its heartbeats. */
    BY_REQUEST,
    /** The agent sends them after its heartbeats, but each first answer is lost, so that it sends everything twice. */
    BY_REQUEST_LOSING_ANSWERS,
    /** They ride on the agent's heartbeats. */
    ON_HEARTBEATS,
    /** The coordinator that uses the agent sends them. */
    BY_COORDINATOR
}
