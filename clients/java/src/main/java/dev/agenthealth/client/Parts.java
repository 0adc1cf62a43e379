package dev.agenthealth.client;

import java.time.Clock;

/** What every part of a client works with. */
record Parts(Api api, Clock clock, Scheduler scheduler, Backoff backoff) {}
