/**
 * A simulated fleet: agents that beat, pause, crash, drift, drain and come back, and whose executions go well, slowly, wrong or not at all,
 * against a running system; and a report that tells whether the system saw each of them as it was.
 */
package dev.agenthealth.local.fleet;
