/**
 * A load tool that measures one running registry over HTTP, or several in turn. It uses no class of the system, so that it measures any
 * revision and other registries as well.
 */
package dev.agenthealth.benchmarks.load;
