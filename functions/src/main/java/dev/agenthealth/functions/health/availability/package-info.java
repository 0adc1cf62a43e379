/** The availability of agents, roles and the fleet, and the past counts of the fleet. This package only reads. */
package dev.agenthealth.functions.health.availability;
