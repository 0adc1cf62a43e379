/** Trust and health records of agents and providers, and blocks (ServiceNet). */
package dev.agenthealth.functions.health.trust;
