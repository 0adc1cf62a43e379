/** Schedules of agents that run by the clock: cron expressions in a time zone, and the text in which items keep them. */
package dev.agenthealth.functions.runtime.schedule;
