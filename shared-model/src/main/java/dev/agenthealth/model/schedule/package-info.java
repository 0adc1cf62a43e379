/** Schedules of agents and of silences: cron expressions in a time zone. */
package dev.agenthealth.model.schedule;
