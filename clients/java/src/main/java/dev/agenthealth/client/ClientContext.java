package dev.agenthealth.client;

import java.time.Clock;

/** The collaborators that all agents of a client share. */
record ClientContext(Api api, Clock clock, Scheduler scheduler, Backoff backoff) {}
