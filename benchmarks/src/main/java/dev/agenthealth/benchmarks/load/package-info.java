/**
 * A load tool: measures a running registry over HTTP, or several of them in turn. It knows no class of the system, so that it measures any
 * revision and other registries as well.
 */
package dev.agenthealth.benchmarks.load;
